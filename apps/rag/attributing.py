"""Keeps what an article says of other parties out of an answer about one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from apps.rag.reading import Evidence, ReadSentence
from apps.rag.understanding import PartyDirectory, PartyName

# An article's sentence that names nobody may speak of anyone: it gives way to the party's own words.
_NAMES_NOBODY: Final = 0.1


def only_about(evidence: Evidence, party: PartyName | None, directory: PartyDirectory) -> Evidence:
    """Return the evidence with sentences of articles that speak of other parties made unquotable."""
    if party is None:
        return evidence
    sentences = tuple(_about(sentence, party, directory) for sentence in evidence.sentences)
    return replace(evidence, sentences=sentences)


def _about(sentence: ReadSentence, party: PartyName, directory: PartyDirectory) -> ReadSentence:
    if sentence.passage.source.party_slug:
        return sentence
    named = directory.named_in(sentence.text)
    if party in named:
        return sentence
    if named:
        return replace(sentence, is_quotable=False)
    return replace(sentence, score=sentence.score - _NAMES_NOBODY)
