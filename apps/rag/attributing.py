"""Keeps what an article says of other parties out of an answer about one, or about some."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from apps.rag.naming import names_in, unknown_names
from apps.rag.reading import Evidence, ReadSentence
from apps.rag.settings import PipelineSettings
from apps.rag.types import Passage
from apps.rag.understanding import PartyDirectory, PartyName
from apps.rag.windows import around

# A sentence before any party was named may speak of anyone: it gives way to sentences that surely speak of this one.
_NAMES_NOBODY: Final = 0.1


def only_about(evidence: Evidence, parties: Collection[PartyName], directory: PartyDirectory) -> Evidence:
    """Return the evidence with sentences of articles that speak only of other parties made unquotable.

    A sentence that names nobody speaks of whom the one before spoke of. A party's own words are its own, whomever
    they name.
    """
    if not parties:
        return evidence
    sentences: list[ReadSentence] = []
    for rank, passage in enumerate(evidence.passages):
        own = evidence.of(rank)
        sentences.extend(own if passage.source.party_slug else _about(own, parties, directory))
    return replace(evidence, sentences=tuple(sentences))


def _about(
    sentences: tuple[ReadSentence, ...], parties: Collection[PartyName], directory: PartyDirectory
) -> Iterator[ReadSentence]:
    spoken_of: tuple[PartyName, ...] = ()
    for sentence in sentences:
        spoken_of = directory.named_in(sentence.text) or spoken_of
        if any(party in spoken_of for party in parties):
            yield sentence
        elif spoken_of:
            yield replace(sentence, is_quotable=False)
        else:
            yield replace(sentence, score=sentence.score - _NAMES_NOBODY)


def about_people(evidence: Evidence, people: Collection[str], directory: PartyDirectory) -> Evidence:
    """Return the evidence with sentences that speak of other people only made unquotable; of nobody, put back.

    As with parties, a sentence that names nobody speaks of whom the one before spoke of.
    """
    if not people:
        return evidence
    sentences: list[ReadSentence] = []
    for rank in range(len(evidence.passages)):
        spoken_of: tuple[str, ...] = ()
        for sentence in evidence.of(rank):
            spoken_of = directory.people_in(sentence.text) or spoken_of
            if any(person in spoken_of for person in people):
                sentences.append(sentence)
            elif spoken_of:
                sentences.append(replace(sentence, is_quotable=False))
            else:
                sentences.append(replace(sentence, score=sentence.score - _NAMES_NOBODY))
    return replace(evidence, sentences=tuple(sentences))


def about_names(evidence: Evidence, spared: int) -> Evidence:
    """Return the evidence with passages made unquotable that lack names of the question which others have.

    The first ``spared`` passages are what editors have linked: they stay as they are.
    """
    names = names_in(evidence.question, evidence.language)
    if not names:
        return evidence
    lacking = [_lacking(evidence, passage) for passage in evidence.passages]
    quotable = {each.rank for each in evidence.sentences if each.is_quotable}
    fewest = min((lacking[rank] for rank in quotable), default=0)
    kept = tuple(
        replace(each, is_quotable=False) if each.rank >= spared and lacking[each.rank] > fewest else each
        for each in evidence.sentences
    )
    return replace(evidence, sentences=kept)


def _lacking(evidence: Evidence, passage: Passage) -> int:
    """How many names of the question neither a passage nor what stands over it has."""
    sources = (passage.text, around(passage), passage.source.party_name)
    return len(unknown_names(evidence.question, evidence.language, sources, passage.source.language))


def in_one_voice(evidence: Evidence, party: PartyName, settings: PipelineSettings) -> Evidence:
    """Return the evidence of an answer about one party with either its own words or the paper's: who answers better.

    Near ties go to the party: what it plans is best said by itself, and so is that of every other.
    """
    own, other = (
        max(
            (each.score for each in evidence.sentences if each.is_quotable and _is_own(each, party) is is_own),
            default=None,
        )
        for is_own in (True, False)
    )
    if own is None or other is None:
        return evidence
    if own < other - settings.own_words_preference:
        return evidence
    kept = (replace(each, is_quotable=each.is_quotable and _is_own(each, party)) for each in evidence.sentences)
    return replace(evidence, sentences=tuple(kept))


def _is_own(sentence: ReadSentence, party: PartyName) -> bool:
    return sentence.passage.source.party_slug == party.slug
