"""What the time of a question makes of the sentences that were read: the outdated and the out of period step back."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import Final

from apps.rag.answer_types import AnswerType
from apps.rag.opinions import asks_for_view, is_opinion
from apps.rag.quoting import is_row
from apps.rag.reading import Evidence, ReadSentence
from apps.rag.settings import PipelineSettings
from apps.rag.time_frames import TimeFrame, TimeKind, TimeSense, read_times
from apps.rag.types import Passage, Source, WantedTime
from apps.rag.understanding import Understanding

# How much better an outdated source must answer to stay beside the newer one; a third of a sentence's usual spread.
_MUCH_BETTER: Final = 0.06
# A sentence that names the time asked about, or only other times; a source that came out after it.
_NAMES_IT: Final = 0.05
# A row of another day steps behind that of the newest.
_NEWEST: Final = 0.1
_ROW_DAY: Final = re.compile(r"\W*(\d{4}-\d\d-\d\d)\b")
_NOON: Final = time(12)
# From this share of the question's words on a sentence is of its subject.
_OF_THE_SUBJECT: Final = 0.5
# What somebody wants, and the state of things beside it.
_WISHED: Final = re.compile(
    r"\b(?:will|wollen|wollten?|soll(?:en|te|ten)?|möchten?|forder(?:n|t|te|ten)|verlang(?:en|t|te|ten)"
    r"|plan(?:en|t|te|ten)|pläne\w*|vorschlag\w*|vorschläge\w*|schl(?:ägt|agen) .{0,60}\bvor|künftig\w*|versprechen"
    r"|verspricht|befürwort(?:en|et)|(?:hält|halten) .{0,60}\bfür|wants?|demands?|calls? for|propos(?:e[sd]?|als?)"
    r"|plans?|should|would|shall)\b",
    re.IGNORECASE,
)
_SO_FAR: Final = re.compile(
    r"\b(?:(?:von|from) (?:derzeit|heute|aktuell|bisher|bislang|zurzeit|currently|now|today.s)|statt|bislang|bisher"
    r"|instead of)\b(?: \w+){0,2}? \d",
    re.IGNORECASE,
)


def in_time(evidence: Evidence, understood: Understanding, settings: PipelineSettings) -> Evidence:
    """Return the evidence with sentences out of their time made unquotable, and those that name it lifted."""
    evidence = _of_the_period(evidence, understood.wanted)
    evidence = _without_outdated(evidence, understood, settings)
    evidence = _newest_rows_first(evidence, understood)
    frames = [frame for frame in understood.times if _is_span(frame)]
    if not frames or understood.today is None:
        return evidence
    sentences = (_fitting(each, frames, understood) for each in evidence.sentences)
    return replace(evidence, sentences=tuple(sentences))


def without_plans(evidence: Evidence, understood: Understanding) -> Evidence:
    """Leave out what parties want where a number of today is asked for and no party: a plan is no price of today.

    Reports of what they want are left out as well, unless they say what it is now ("von derzeit 13,90 Euro auf"). Where
    no sentence with a number of the subject is left, nothing is: what stood around the plans is no answer.
    """
    if evidence.asked is not AnswerType.NUMBER or understood.parties or not _is_of_today(understood):
        return evidence
    kept = tuple(each for each in evidence.sentences if not _is_plan(each))
    told = any(each.has_type and evidence.coverage.share(each.matches) >= _OF_THE_SUBJECT for each in kept)
    return replace(evidence, sentences=kept if told else ())


def _is_plan(sentence: ReadSentence) -> bool:
    if sentence.passage.source.party_slug:
        return True
    return bool(_WISHED.search(sentence.text)) and not _SO_FAR.search(sentence.text)


def _is_of_today(understood: Understanding) -> bool:
    return any(
        frame.sense is TimeSense.CURRENT or (frame.first is not None and frame.first == frame.last == understood.today)
        for frame in understood.times
    )


def _newest_rows_first(evidence: Evidence, understood: Understanding) -> Evidence:
    """Where the present state is asked for, the row of a table with the newest day tells it."""
    if not _is_of_today(understood) or understood.today is None:
        return evidence
    days: dict[tuple[str, int], date] = {}
    for each in evidence.sentences:
        day = _day_of_row(each)
        if day is not None and day <= understood.today:
            days[each.passage.source.uuid, each.start] = day
    newest = max(days.values(), default=None)
    lifted = (
        replace(each, score=each.score + (_NEWEST if day == newest else -_NEWEST))
        if (day := days.get((each.passage.source.uuid, each.start)))
        else each
        for each in evidence.sentences
    )
    return replace(evidence, sentences=tuple(lifted)) if len(set(days.values())) > 1 else evidence


def _day_of_row(sentence: ReadSentence) -> date | None:
    match = _ROW_DAY.match(sentence.text) if is_row(sentence.text) else None
    try:
        return date.fromisoformat(match[1]) if match else None
    except ValueError:
        return None


def _is_span(frame: TimeFrame) -> bool:
    return frame.kind is TimeKind.CONTENT and frame.sense is TimeSense.SPAN


def is_outdated(source: Source, as_of: date | None) -> bool:
    """Say whether a newer document stood before this one on a day."""
    return source.superseded_on is not None and (as_of is None or source.superseded_on <= as_of)


def _of_the_period(evidence: Evidence, wanted: WantedTime) -> Evidence:
    """Reports of another time are no answer where there are some of the time that is asked for."""
    inside = {rank for rank, passage in enumerate(evidence.passages) if wanted.is_of_period(passage.source.published)}
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


def _fitting(sentence: ReadSentence, frames: Collection[TimeFrame], understood: Understanding) -> ReadSentence:
    """Lift a sentence that names the time; put one back that names others only, or that was written afterwards.

    A source's "im Oktober" is read against the day it came out. Of how things stood in a short time of the past, who
    wrote then knows best.
    """
    published = sentence.passage.source.published or understood.today
    as_of = understood.wanted.as_of
    moment = datetime.combine(published or date.max, _NOON, tzinfo=UTC)
    named = [frame for frame in read_times(sentence.text, moment) if frame.sense is TimeSense.SPAN]
    names_it = any(_overlap(mine, theirs) for mine in frames for theirs in named)
    score = _NAMES_IT * names_it - _NAMES_IT * (bool(named) and not names_it)
    if as_of is not None and published is not None:
        score += _NAMES_IT * any(_holds(frame, published) for frame in frames)
        score -= _NAMES_IT * (published > as_of and not names_it)
    return replace(sentence, score=sentence.score + score) if score else sentence


def _holds(frame: TimeFrame, published: date) -> bool:
    return frame.first is not None and frame.last is not None and frame.first <= published <= frame.last


def _overlap(one: TimeFrame, other: TimeFrame) -> bool:
    starts_before = one.first is None or other.last is None or one.first <= other.last
    return starts_before and (other.first is None or one.last is None or other.first <= one.last)


def worth_reading(passages: Sequence[Passage], understood: Understanding, most: int) -> list[Passage]:
    """Return the best ``most`` passages, and those that would be among them if it were not for their time.

    Opinion takes no report's place, unless somebody's opinion is asked for: so many reports are read beside it. Where a
    commentary is asked about, commentaries are read first.
    """
    if understood.wants_commentary:
        passages = sorted(passages, key=lambda each: not is_opinion(each.source))
    facts = [each for each in passages if not is_opinion(each.source) or asks_for_view(understood, each.source)]
    by_content = sorted(facts, key=lambda each: min(0.0, each.scores.recency) - each.scores.reranked)
    chosen = {each.chunk_id for each in (*passages[:most], *facts[:most], *by_content[:most])}
    return [each for each in passages if each.chunk_id in chosen]
