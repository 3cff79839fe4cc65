"""Stretches of days: weeks from Monday, months, quarters, years, and how to step through them. Both ends count."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

_MONTHS_OF: Final = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
_A_YEAR: Final = 365
EARLIEST: Final = 1900
LATEST: Final = 2199


@dataclass(frozen=True, slots=True)
class Days:
    """From ``first`` to ``last``; None is open."""

    first: date | None
    last: date | None

    @property
    def length(self) -> int | None:
        """How many days; None when an end is open."""
        return None if self.first is None or self.last is None else (self.last - self.first).days + 1

    def third(self, place: int) -> Days:
        """Return the beginning (0), middle (1) or end (2); that of a year in whole months."""
        if self.first is None or self.length is None:
            return self
        if self.length >= _A_YEAR:
            return months(self.first.year, place * 4 + 1, place * 4 + 4)
        edges = [self.first + timedelta(days=round(self.length * each / 3)) for each in (place, place + 1)]
        return Days(edges[0], edges[1] - timedelta(days=1))


def day(moment: date) -> Days:
    """One day."""
    return Days(moment, moment)


def date_of(year: int, month: int, number: int) -> date | None:
    """Return the date; None for the 31st of February and for years that nobody asks about."""
    if not EARLIEST <= year <= LATEST or not 1 <= month <= 12 or not 1 <= number <= calendar.monthrange(year, month)[1]:
        return None
    return date(year, month, number)


def month(year: int, number: int) -> Days:
    """One month of a year, 1 to 12."""
    return Days(date(year, number, 1), date(year, number, calendar.monthrange(year, number)[1]))


def months(year: int, first: int, last: int) -> Days:
    """Several months of a year."""
    return Days(month(year, first).first, month(year, last).last)


def unit_around(today: date, unit: str, step: int = 0) -> Days:
    """Return the whole day, week, month, quarter, year or decade ``step`` after the one that holds ``today``."""
    if unit == "day":
        return day(today + timedelta(days=step))
    if unit == "week":
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
        return Days(monday, monday + timedelta(days=6))
    size = _MONTHS_OF[unit]
    count = (today.year * 12 + today.month - 1) // size + step
    first, last = divmod(count * size, 12), divmod(count * size + size - 1, 12)
    return Days(month(first[0], first[1] + 1).first, month(last[0], last[1] + 1).last)


def stepped(now: datetime, unit: str, step: int) -> date:
    """Return the day so many units from ``now``; hours are real ones, also when the clocks change."""
    today = now.date()
    if unit == "hour":
        return (now.astimezone(UTC) + timedelta(hours=step)).astimezone(now.tzinfo).date()
    if unit in ("day", "week"):
        return today + timedelta(days=step * (7 if unit == "week" else 1))
    count = today.year * 12 + today.month - 1 + step * _MONTHS_OF[unit]
    year, place = divmod(count, 12)
    return date(year, place + 1, min(today.day, calendar.monthrange(year, place + 1)[1]))
