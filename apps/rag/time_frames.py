"""Times in a question, made absolute with the reader's day: what it asks about, or when a source was published."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final

from apps.rag import time_words as words
from apps.rag.days import Days
from apps.rag.time_reading import READERS, Asked, TimeSense

# Up to so many days a time in the past is one in which something was reported; longer ones are what is asked about.
_A_QUARTER: Final = 92
_RANGES: Final = frozenset({"von", "vom", "zwischen", "from", "between", "seit", "ab"})
_SINCE: Final = frozenset({"seit", "since"})
_FROM: Final = frozenset({"ab", "from"})
_UNTIL: Final = frozenset({"bis", "until", "till", "by"})
_BEFORE: Final = frozenset({"vor", "before"})
_AFTER: Final = frozenset({"nach", "after"})
_HAS_YEAR: Final = re.compile(r"\d{4}|\d\.\d+\.\d")


class TimeKind(StrEnum):
    """Whether the time is the subject of the question or when its source was published."""

    CONTENT = "content"
    PUBLICATION = "publication"


@dataclass(frozen=True, slots=True)
class TimeFrame:
    """One time of a question: ``said`` at ``start`` to ``end`` of its text, from ``first`` to ``last``, both included.

    None is open; EARLIER has neither. All days are the reader's.
    """

    said: str
    start: int
    end: int
    first: date | None = None
    last: date | None = None
    kind: TimeKind = TimeKind.CONTENT
    sense: TimeSense = TimeSense.SPAN


def read_times(text: str, now: datetime, election_day: date | None = None) -> tuple[TimeFrame, ...]:
    """Return the times that ``text`` names, in its order. ``now`` is aware of the reader's zone.

    A time that cannot be known, such as the last election where only the next is, is left out.
    """
    asked = Asked(now, election_day, bool(words.PAST.search(text)), bool(words.AHEAD.search(text)))
    return tuple(
        _with_kind(frame, text, asked) for frame in _joined(sorted(_found(text, asked), key=_place), text, asked)
    )


def _place(frame: TimeFrame) -> int:
    return frame.start


def _found(text: str, asked: Asked) -> Iterator[TimeFrame]:
    rest = text
    for pattern, reader in READERS:
        for match in pattern.finditer(rest):
            try:
                read = reader(match, asked)
            except (ValueError, OverflowError):
                # "Vor 400 Jahrzehnten" is before the calendar's first day.
                continue
            if read is None:
                continue
            days, sense = read if isinstance(read, tuple) else (read, TimeSense.SPAN)
            start, end = match.span()
            yield TimeFrame(text[start:end].strip(), start, end, days.first, days.last, sense=sense)
            rest = rest[:start] + "\0" * (end - start) + rest[end:]


def _joined(frames: list[TimeFrame], text: str, asked: Asked) -> Iterator[TimeFrame]:
    """Put two ends together ("von 2025 bis 2029") and turn what a preposition turns ("seit 2021")."""
    place = 0
    while place < len(frames):
        frame = frames[place]
        prefix = words.PREFIX.search(text, 0, frame.start)
        opens = prefix["p"].lower() if prefix else ""
        after = frames[place + 1] if place + 1 < len(frames) else None
        is_range = after is not None and bool(words.JOINT.fullmatch(text, frame.end, after.start))
        if after is not None and is_range and _is_range(opens, frame, after, text):
            start = prefix.start() if prefix else frame.start
            yield TimeFrame(text[start : after.end].strip(), start, after.end, frame.first, after.last)
            place += 2
            continue
        yield _turned(frame, prefix, text, asked)
        place += 1


def _is_range(opens: str, frame: TimeFrame, after: TimeFrame, text: str) -> bool:
    """Tell "zwischen 2025 und 2029" from "2025 und 2029", which are two times."""
    if frame.sense is not TimeSense.SPAN or after.sense is not TimeSense.SPAN:
        return False
    if frame.first is None or after.last is None or frame.first > after.last:
        return False
    return opens in _RANGES or not re.search(r"und|and", text[frame.end : after.start])


def _turned(frame: TimeFrame, prefix: re.Match[str] | None, text: str, asked: Asked) -> TimeFrame:
    if prefix is None or frame.sense is not TimeSense.SPAN or frame.first is None or frame.last is None:
        return frame
    days = _turn(prefix["p"].lower(), frame.first, frame.last, frame.said, asked)
    # "The news from October" are of that month; "free tickets from 2028" begin then.
    if days is None or (prefix["p"].lower() == "from" and words.DATED.search(text, 0, frame.start)):
        return frame
    start = prefix.start()
    return replace(frame, said=text[start : frame.end].strip(), start=start, first=days.first, last=days.last)


def _turn(opens: str, first: date, last: date, said: str, asked: Asked) -> Days | None:
    if opens in _SINCE:
        if first > asked.today and not _HAS_YEAR.search(said) and (first.month, first.day) != (2, 29):
            first = first.replace(year=first.year - 1)
        return Days(first, asked.today if first <= asked.today else None)
    if opens in _FROM:
        return Days(first, None)
    if opens in _UNTIL:
        return Days(None, last)
    if opens in _BEFORE:
        return Days(None, first - timedelta(days=1))
    return Days(last + timedelta(days=1), None) if opens in _AFTER else None


def _with_kind(frame: TimeFrame, text: str, asked: Asked) -> TimeFrame:
    """A past time is one of publication where the question speaks of reports; a time to come never is."""
    if frame.sense is not TimeSense.SPAN and frame.last != asked.today:
        return frame
    if frame.first is not None and frame.first > asked.today:
        return frame
    is_dated = bool(words.DATED.search(text, 0, frame.start))
    is_reported = bool(words.REPORTED.search(text[: frame.start] + " " + text[frame.end :]))
    length = Days(frame.first, frame.last).length
    is_short = length is not None and length <= _A_QUARTER
    was_done = is_short and frame.sense is TimeSense.SPAN and bool(words.DONE_THEN.search(text))
    if not (is_dated or is_reported or was_done):
        return frame
    if frame.sense is TimeSense.CURRENT and not frame.said.lower().startswith(("heut", "today")):
        return frame
    last = frame.last if frame.last is None or frame.last <= asked.today else asked.today
    return replace(frame, kind=TimeKind.PUBLICATION, sense=TimeSense.SPAN, last=last)
