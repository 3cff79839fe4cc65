"""Keeps what an article says of other parties out of an answer about one, or about some."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from apps.rag.naming import names_in, unknown_names
from apps.rag.people import People
from apps.rag.reading import Evidence, ReadSentence
from apps.rag.settings import PipelineSettings
from apps.rag.types import Passage
from apps.rag.understanding import PartyDirectory, PartyName
from apps.rag.windows import around

# A sentence before any party was named may speak of anyone: it gives way to sentences that surely speak of this one.
_NAMES_NOBODY: Final = 0.1
# Of what somebody said or did in reply, reports tell: no programme does.
_TOLD_BY_REPORTS: Final = {
    "de": re.compile(
        r"\b(?:reagier\w*|spott\w*|kommentier\w*|kritisier\w*|urteil\w*|\w*umfrage\w*|sonntagsfrage"
        r"|(?:sagte|meinte|fand|hielt|nannte|lobte|antwortete|forderte|beschloss|verteidigte|begründete|erklärte)n?)\b",
        re.IGNORECASE,
    ),
    "en": re.compile(r"\b(?:did|was|were|reacts?|reacted|reaction|said|polls?|polling|surveys?)\b", re.IGNORECASE),
}
_NEAR_TIE: Final = 0.03


def only_about(
    evidence: Evidence, parties: Collection[PartyName], directory: PartyDirectory, people: People | None = None
) -> Evidence:
    """Return the evidence with sentences of articles that speak only of other parties made unquotable.

    A sentence that names nobody speaks of whom the one before spoke of. A party's own words are its own, whomever
    they name. What names somebody whom the question names (``people``) stays, of whichever party they are.
    """
    if not parties:
        return evidence
    sentences: list[ReadSentence] = []
    for rank, passage in enumerate(evidence.passages):
        own = evidence.of(rank)
        sentences.extend(own if passage.source.party_slug else _about(own, parties, directory, people))
    return replace(evidence, sentences=tuple(sentences))


def _about(
    sentences: tuple[ReadSentence, ...],
    parties: Collection[PartyName],
    directory: PartyDirectory,
    people: People | None,
) -> Iterator[ReadSentence]:
    spoken_of: tuple[PartyName, ...] = ()
    for sentence in sentences:
        spoken_of = directory.named_in(sentence.text) or spoken_of
        if any(party in spoken_of for party in parties) or _names_one_of(people, sentence.text):
            yield sentence
        elif spoken_of:
            yield replace(sentence, is_quotable=False)
        else:
            yield replace(sentence, score=sentence.score - _NAMES_NOBODY)


def _names_one_of(people: People | None, text: str) -> bool:
    return people is not None and any(person in people.asked for person in people.spoken_of(text))


def about_people(evidence: Evidence, people: People) -> Evidence:
    """Return the evidence with sentences that speak of other people only made unquotable; of nobody, put back.

    As with parties, a sentence that names nobody speaks of whom the one before spoke of. What a party has written is
    no answer about somebody whom it does not name: that would be another's words. Who wrote a text speaks in all of it.
    """
    if not people.asked:
        return evidence
    sentences: list[ReadSentence] = []
    for rank, passage in enumerate(evidence.passages):
        own = evidence.of(rank)
        sentences.extend(own if passage.source.author in people.asked else _of_people(own, people))
    return replace(evidence, sentences=tuple(sentences))


def _of_people(sentences: tuple[ReadSentence, ...], people: People) -> Iterator[ReadSentence]:
    spoken_of: tuple[str, ...] = ()
    for sentence in sentences:
        spoken_of = people.spoken_of(sentence.text) or spoken_of
        if any(person in spoken_of for person in people.asked):
            yield sentence
        elif spoken_of or sentence.passage.source.party_slug:
            yield replace(sentence, is_quotable=False)
        else:
            yield replace(sentence, score=sentence.score - _NAMES_NOBODY)


def about_names(evidence: Evidence, spared: int, settings: PipelineSettings) -> Evidence:
    """Return the evidence with passages set back that lack a name of the question which others have.

    Without one name they may still answer: sources write names out, shorten or translate them. Without two ("Anna
    Muster") they speak of somebody else and cannot be quoted. The first ``spared`` are what editors have linked: they
    stay as they are.
    """
    if not names_in(evidence.question, evidence.language):
        return evidence
    lacking = [_lacking(evidence, passage) for passage in evidence.passages]
    quotable = {each.rank for each in evidence.sentences if each.is_quotable}
    fewest = min((lacking[rank] for rank in quotable), default=0)

    def placed(sentence: ReadSentence) -> ReadSentence:
        more = lacking[sentence.rank] - fewest
        if more <= 0 or sentence.rank < spared:
            return sentence
        if more > 1:
            return replace(sentence, is_quotable=False)
        return replace(sentence, score=sentence.score - settings.name_loss)

    return replace(evidence, sentences=tuple(placed(each) for each in evidence.sentences))


def _lacking(evidence: Evidence, passage: Passage) -> int:
    """How many names of the question neither a passage nor what stands over it has."""
    sources = (passage.text, around(passage), passage.source.party_name)
    return len(unknown_names(evidence.question, evidence.language, sources, passage.source.language))


def is_told_by_reports(question: str, language: str) -> bool:
    """Say whether a question is about what somebody said or did in reply, or about polls."""
    pattern = _TOLD_BY_REPORTS.get(language)
    return bool(pattern and pattern.search(question))


def in_one_voice(evidence: Evidence, party: PartyName, settings: PipelineSettings) -> Evidence:
    """Return the evidence of an answer about one party with either its own words or one report: who answers better.

    Unless a report answers much better the party speaks: what it plans is best said by itself, and so is that of every
    other. Parties must not differ in who speaks of them, and from how many sources. Of what somebody said or did in
    reply several reports may tell.
    """
    quotable = [each for each in evidence.sentences if each.is_quotable]
    own = max((each.score for each in quotable if _is_own(each, party)), default=None)
    other = max((each for each in quotable if not _is_own(each, party)), key=lambda each: each.score, default=None)
    if other is None:
        return evidence
    is_told = is_told_by_reports(evidence.question, evidence.language)
    speaks = own is not None and own >= other.score - (_NEAR_TIE if is_told else settings.own_words_preference)
    if is_told and not speaks:
        return evidence
    report = other.passage.source.uuid

    def is_heard(sentence: ReadSentence) -> bool:
        return _is_own(sentence, party) if speaks else sentence.passage.source.uuid == report

    kept = (replace(each, is_quotable=each.is_quotable and is_heard(each)) for each in evidence.sentences)
    return replace(evidence, sentences=tuple(kept))


def _is_own(sentence: ReadSentence, party: PartyName) -> bool:
    return sentence.passage.source.party_slug == party.slug
