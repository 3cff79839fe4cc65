"""What the time of a question makes of the sentences that were read: the outdated and the out of period step back."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import date
from typing import Final

from apps.language.numbers import values
from apps.rag.reading import Evidence, ReadSentence
from apps.rag.settings import PipelineSettings
from apps.rag.time_frames import TimeFrame, TimeKind, TimeSense
from apps.rag.types import Source, WantedTime
from apps.rag.understanding import Understanding

# How much better an outdated source must answer to stay beside the newer one; a third of a sentence's usual spread.
_MUCH_BETTER: Final = 0.06
# A sentence that names the time asked about, or only other times.
_NAMES_IT: Final = 0.03


def in_time(evidence: Evidence, understood: Understanding, settings: PipelineSettings) -> Evidence:
    """Return the evidence with sentences out of their time made unquotable, and those that name it lifted."""
    evidence = _of_the_period(evidence, understood.wanted)
    evidence = _without_outdated(evidence, understood, settings)
    frames = [frame for frame in understood.times if _is_span(frame)]
    if not frames:
        return evidence
    return replace(evidence, sentences=tuple(_fitting(each, frames) for each in evidence.sentences))


def _is_span(frame: TimeFrame) -> bool:
    return frame.kind is TimeKind.CONTENT and frame.sense is TimeSense.SPAN


def is_outdated(source: Source, as_of: date | None) -> bool:
    """Say whether a newer document stood before this one on a day."""
    return source.superseded_on is not None and (as_of is None or source.superseded_on <= as_of)


def is_of_period(source: Source, wanted: WantedTime) -> bool:
    """Say whether a document was published in the period that is asked for; True without one."""
    first, last = wanted.published_from, wanted.published_until
    if first is None and last is None:
        return True
    published = source.published
    return published is not None and (first is None or first <= published) and (last is None or published <= last)


def _of_the_period(evidence: Evidence, wanted: WantedTime) -> Evidence:
    """Reports of another time are no answer where there are some of the time that is asked for."""
    inside = {rank for rank, passage in enumerate(evidence.passages) if is_of_period(passage.source, wanted)}
    if not any(each.is_quotable and each.rank in inside for each in evidence.sentences):
        return evidence
    return _unquotable(evidence, set(range(len(evidence.passages))) - inside)


def _without_outdated(evidence: Evidence, understood: Understanding, settings: PipelineSettings) -> Evidence:
    """An outdated source gives way to the newer one, unless it alone answers."""
    wanted = understood.wanted
    if wanted.wants_earlier:
        return evidence
    best: dict[str, float] = {}
    for each in evidence.sentences:
        if each.is_quotable:
            uuid = each.passage.source.uuid
            best[uuid] = max(best.get(uuid, float("-inf")), _timeless(each, settings))
    stale = {
        rank
        for rank, passage in enumerate(evidence.passages)
        if is_outdated(passage.source, wanted.as_of or understood.today)
        and any(
            best[newer] >= best.get(passage.source.uuid, float("-inf")) - _MUCH_BETTER
            for newer in passage.source.superseded_by
            if newer in best
        )
    }
    return _unquotable(evidence, stale)


def _timeless(sentence: ReadSentence, settings: PipelineSettings) -> float:
    """The score without what the document's age gave or took."""
    return sentence.score - settings.passage_weight * sentence.passage.scores.recency


def _unquotable(evidence: Evidence, ranks: Collection[int]) -> Evidence:
    if not ranks:
        return evidence
    sentences = (replace(each, is_quotable=False) if each.rank in ranks else each for each in evidence.sentences)
    return replace(evidence, sentences=tuple(sentences))


def _fitting(sentence: ReadSentence, frames: Collection[TimeFrame]) -> ReadSentence:
    years = {
        int(value.text[:4])
        for value in values(sentence.text, sentence.passage.source.language)
        if value.kind in ("date", "month") or (value.kind == "number" and _is_year(value.text))
    }
    if not years:
        return sentence
    fits = any(_holds(frame, year) for frame in frames for year in years)
    return replace(sentence, score=sentence.score + (_NAMES_IT if fits else -_NAMES_IT))


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isdigit() and text[:2] in ("19", "20")


def _holds(frame: TimeFrame, year: int) -> bool:
    after_begin = frame.first is None or year >= frame.first.year
    return after_begin and (frame.last is None or year <= frame.last.year)
