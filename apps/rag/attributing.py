"""Keeps what an article says of other parties out of an answer about one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from apps.rag.reading import Evidence, ReadSentence
from apps.rag.types import Passage
from apps.rag.understanding import PartyDirectory, PartyName

# An article's sentence that names nobody may speak of anyone: it gives way to the party's own words.
_NAMES_NOBODY: Final = 0.1


def only_about(evidence: Evidence, party: PartyName | None, directory: PartyDirectory) -> Evidence:
    """Return the evidence with sentences of articles that speak of other parties made unquotable."""
    if party is None:
        return evidence
    shared = {rank for rank, passage in enumerate(evidence.passages) if _names_others(passage, party, directory)}
    sentences = tuple(
        _about(sentence, party, directory) if sentence.rank in shared else sentence for sentence in evidence.sentences
    )
    return replace(evidence, sentences=sentences)


def _names_others(passage: Passage, party: PartyName, directory: PartyDirectory) -> bool:
    """Say whether an article speaks of several parties. A party's own words are its own, whomever they name."""
    if passage.source.party_slug:
        return False
    return any(other != party for other in directory.named_in(f"{passage.source.title}\n{passage.text}"))


def _about(sentence: ReadSentence, party: PartyName, directory: PartyDirectory) -> ReadSentence:
    named = directory.named_in(sentence.text)
    if party in named:
        return sentence
    if named:
        return replace(sentence, is_quotable=False)
    return replace(sentence, score=sentence.score - _NAMES_NOBODY)
