"""Days, shares and trends. Days are days in Berlin, whatever the clocks do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

BERLIN: Final = ZoneInfo("Europe/Berlin")
WINDOW: Final = 7
BASELINE: Final = 28
_RISING_Z: Final = 3.0
_LEAST_SESSIONS: Final = 15
_LEAST_DAYS: Final = 2
DORMANT_AFTER: Final = 28
RETIRED_AFTER: Final = 180


class Movement(StrEnum):
    """Where a topic is going. Kept as codes; the page has the words."""

    NEW = "new"
    GROWING = "growing"
    STEADY = "steady"
    FADING = "fading"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Trend:
    """A topic's share of sessions in the window against the days before; ``z`` is shrunken, 0 without a baseline."""

    movement: Movement
    sessions: int
    baseline: float
    z: float


def berlin_day(moment: datetime) -> date:
    """Return the day in Berlin of an aware moment: 23:30 UTC before the clocks change is the next day there."""
    return moment.astimezone(BERLIN).date()


def day_begins(day: date) -> datetime:
    """Return the moment at which a day begins in Berlin; the next one's beginning ends it, after 23 to 25 hours."""
    return datetime(day.year, day.month, day.day, tzinfo=BERLIN)


def days_between(first: date, last: date) -> list[date]:
    """Return all days from first to last, both included: days without a question are drawn as zero."""
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def filled(counts: Mapping[date, int], first: date, last: date) -> list[int]:
    """Return the counts of all days, 0 where there is none."""
    return [counts.get(day, 0) for day in days_between(first, last)]


def trend(series: Sequence[int], totals: Sequence[int], *, first_seen: int | None = None) -> Trend:
    """Return where a topic is going. Both series hold the sessions of whole days, oldest first, the same days.

    The last ``WINDOW`` days are held against the ``BASELINE`` days before them by the z of two proportions, the old
    one shrunken towards one in a thousand, so that a topic nobody knew does not become infinitely surprising.
    ``first_seen`` is how many days ago it was first asked.
    """
    now, before = series[-WINDOW:], series[-WINDOW - BASELINE : -WINDOW]
    now_all, before_all = sum(totals[-WINDOW:]), sum(totals[-WINDOW - BASELINE : -WINDOW])
    sessions, old = sum(now), sum(before)
    baseline = old * WINDOW / len(before) if before else 0.0
    z = _z(sessions, now_all, old, before_all) if before_all else 0.0
    return Trend(_movement(now, z, sessions, old, first_seen), sessions, baseline, z)


def _z(sessions: int, now_all: int, old: int, before_all: int) -> float:
    if not now_all:
        return 0.0
    expected = (old + 1) / (before_all + 1_000)
    return (sessions / now_all - expected) / math.sqrt(expected * (1 - expected) / now_all)


def _movement(now: Sequence[int], z: float, sessions: int, old: int, first_seen: int | None) -> Movement:
    if not sessions:
        return Movement.SILENT
    is_known = first_seen is None or first_seen >= WINDOW or old > 0
    is_enough = sessions >= _LEAST_SESSIONS and sum(1 for count in now if count) >= _LEAST_DAYS
    if not is_known:
        return Movement.NEW
    if z >= _RISING_Z and is_enough:
        return Movement.GROWING
    if z <= -_RISING_Z and sessions + old >= _LEAST_SESSIONS:
        return Movement.FADING
    return Movement.STEADY
