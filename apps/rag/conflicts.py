"""Sources that contradict each other on what was asked: found by code, named to the reader, the newer one leading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import combinations
from typing import Final

from apps.language.normalising import normalise
from apps.rag.answer_types import AnswerType
from apps.rag.claims import amounts_differ, claims_of, denies, tells_of_change, times_differ
from apps.rag.events import Notice
from apps.rag.opinions import is_opinion
from apps.rag.reading import Evidence, ReadSentence
from apps.rag.time_frames import TimeKind, TimeSense
from apps.rag.types import NoticeKind, Passage, Source
from apps.rag.understanding import PartyDirectory, Understanding

SOURCES_DIFFER: Final = "sources_differ"
# So much of the subject must stand in both sentences.
_ON_SUBJECT: Final = 0.3
# Where neither document takes the other's place and none tells of a change: so much of it in each.
_ON_THE_SAME: Final = 0.5
# Of two sentences that say the same, one in the negative: so many of their words are shared.
_SAME_WORDS: Final = 0.5
_LIFT: Final = 0.01
_PROGRAMME: Final = re.compile(r"\b(?:wahl)?programm(?:e?s|e)?\b|\bmanifesto\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sentences of two documents that cannot both hold; ``newer`` is from the one that came out later."""

    newer: ReadSentence
    older: ReadSentence


def conflict_in(evidence: Evidence, understood: Understanding, directory: PartyDirectory) -> Conflict | None:
    """Return the best pair of contradicting sentences on what is asked, or None.

    A question about the state at some time, or about what was reported, has one right answer: nothing is compared.
    """
    if _asks_for_one_state(understood) or understood.today is None:
        return None
    best = [each for each in _answering(evidence) if each.passage.source.published is not None]
    for one, other in combinations(sorted(best, key=lambda each: -each.score), 2):
        newer, older = sorted((one, other), key=lambda each: each.passage.source.published or date.min, reverse=True)
        if not _are_comparable(newer, older, understood, directory):
            continue
        if _speak_of_the_same(newer, older, evidence) and _differ(newer, older, evidence):
            return Conflict(newer, older)
    return None


def _asks_for_one_state(understood: Understanding) -> bool:
    return understood.wanted.as_of is not None or any(
        frame.kind is TimeKind.PUBLICATION or frame.sense is TimeSense.EARLIER for frame in understood.times
    )


def _answering(evidence: Evidence) -> Iterator[ReadSentence]:
    """Per document the sentences that answer best: on the subject, and of the kind that is asked for."""
    needs_type = evidence.asked in (AnswerType.DATE, AnswerType.NUMBER)
    for each in evidence.sentences:
        if not each.is_quotable or is_opinion(each.passage.source):
            continue
        if evidence.coverage.share(each.matches) < _ON_SUBJECT:
            continue
        if each.has_type or not needs_type or tells_of_change(each.text):
            yield each


def _are_comparable(
    newer: ReadSentence, older: ReadSentence, understood: Understanding, directory: PartyDirectory
) -> bool:
    """Say whether two documents speak of the same matter: one supersedes the other, or both speak for one party."""
    left, right = newer.passage.source, older.passage.source
    if left.uuid == right.uuid or left.published == right.published or left.language != right.language:
        return False
    if left.uuid in right.superseded_by:
        return not any(frame.sense is TimeSense.CURRENT for frame in understood.times)
    parties = {party.slug for party in understood.parties}
    spoken = [_spoken_of(each, directory) for each in (newer, older)]
    shared = spoken[0] & spoken[1]
    return len(shared) == 1 and (not parties or shared <= parties) and _is_in_line(left, right)


def _is_in_line(newer: Source, older: Source) -> bool:
    """A party's own words are no older state of an article than the article's of them; two publishers' are none."""
    if newer.party_slug and older.party_slug:
        return newer.party_slug == older.party_slug
    return bool(newer.party_slug or older.party_slug) or newer.publisher == older.publisher


def _spoken_of(sentence: ReadSentence, directory: PartyDirectory) -> set[str]:
    source = sentence.passage.source
    if source.party_slug:
        return {source.party_slug}
    named = directory.named_in(sentence.text) or directory.named_in(source.title)
    return {party.slug for party in named}


def _speak_of_the_same(newer: ReadSentence, older: ReadSentence, evidence: Evidence) -> bool:
    """Say whether a difference between two sentences is a contradiction: two reports may tell of two things."""
    if newer.passage.source.uuid in older.passage.source.superseded_by or tells_of_change(newer.text):
        return True
    share = evidence.coverage.share
    return min(share(newer.matches), share(older.matches)) >= _ON_THE_SAME


def _differ(newer: ReadSentence, older: ReadSentence, evidence: Evidence) -> bool:
    mine = claims_of(newer.text, newer.passage.source.language)
    theirs = claims_of(older.text, older.passage.source.language)
    if evidence.asked is AnswerType.DATE:
        return times_differ(mine, theirs)
    if evidence.asked is AnswerType.NUMBER:
        return amounts_differ(mine, theirs) or (tells_of_change(newer.text) and older.has_type)
    if newer.passage.source.uuid in older.passage.source.superseded_by or tells_of_change(newer.text):
        return times_differ(mine, theirs) or amounts_differ(mine, theirs)
    return denies(newer.text) != denies(older.text) and _shared_words(newer.text, older.text) >= _SAME_WORDS


def _shared_words(one: str, other: str) -> float:
    words, others = set(normalise(one).split()), set(normalise(other).split())
    return len(words & others) / max(1, min(len(words), len(others)))


def with_newer_first(evidence: Evidence, conflict: Conflict, understood: Understanding) -> Evidence:
    """Return the evidence with the newer document in front; one that it supersedes is named, not quoted.

    A party's programme stays in front where the reader asks for what stands in it.
    """
    newer, older = conflict.newer.passage.source, conflict.older.passage.source
    lift = max(0.0, conflict.older.score + _LIFT - conflict.newer.score)
    if older.party_slug and _PROGRAMME.search(understood.topic):
        lift = 0.0
    is_superseded = newer.uuid in older.superseded_by
    sentences = []
    for each in evidence.sentences:
        uuid = each.passage.source.uuid
        if uuid == newer.uuid:
            sentences.append(replace(each, score=each.score + lift))
        else:
            is_out = is_superseded and uuid == older.uuid
            sentences.append(replace(each, is_quotable=each.is_quotable and not is_out))
    return replace(evidence, sentences=tuple(sentences))


def conflict_notice(conflicts: Sequence[Conflict]) -> Notice:
    """Return the notice that names both sources, the newer one first, with the sentences that differ."""
    sentences = [each for conflict in conflicts for each in (conflict.newer, conflict.older)]
    return Notice(
        NoticeKind.CONFLICT,
        SOURCES_DIFFER,
        nearest=tuple(_narrowed(each) for each in sentences),
        subjects=tuple(each.text for each in sentences),
    )


def _narrowed(sentence: ReadSentence) -> Passage:
    """The passage cut to the sentence, so that its address leads to the very words."""
    start, end = sentence.span
    return replace(sentence.passage, text=sentence.text, start=start, end=end, sentences=(), vectors=None)
