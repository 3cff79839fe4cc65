"""Reads one named time, one function per way of naming it: "letzte Woche", "im Januar", "vor der Wahl"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final

from apps.rag import time_names as names
from apps.rag import time_words as words
from apps.rag.days import Days, date_of, day, month, months, stepped, unit_around
from apps.rag.election_times import around_election, legislature
from apps.rag.time_names import step_of

_YEARS_BACK: Final = 100
_YEARS_AHEAD: Final = 80
_MOST_STEPS: Final = 400
# "In den letzten Tagen": so many.
_VAGUE: Final = 3


class TimeSense(StrEnum):
    """A stretch of days, the present state of things, or the one before it."""

    SPAN = "span"
    CURRENT = "current"
    EARLIER = "earlier"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a time is read against."""

    now: datetime
    election: date | None
    is_past: bool
    is_ahead: bool

    @property
    def today(self) -> date:
        return self.now.date()

    def year_for(self, number: int, span: int = 1) -> int:
        """Return the year of a month (``span`` of them) that comes without one: by tense, else the nearest."""
        if (self.today.month - number) % 12 < span:
            return self.today.year - (number > self.today.month)
        ahead = self.today.year + (number < self.today.month)
        if self.is_ahead != self.is_past:
            return ahead if self.is_ahead else ahead - 1
        return ahead if (number - self.today.month) % 12 <= 6 else ahead - 1

    def towards(self, match: re.Match[str]) -> Asked:
        """Return it with the tense of what is put off: "auf Februar verschoben" speaks of a February to come."""
        is_put_off = words.TOWARDS.search(match.string, 0, match.start())
        return replace(self, is_past=False, is_ahead=True) if is_put_off else self


_Found = tuple[Days, TimeSense]
_Reader = Callable[[re.Match[str], Asked], "Days | _Found | None"]


def _known(year: int, asked: Asked) -> bool:
    return asked.today.year - _YEARS_BACK <= year <= asked.today.year + _YEARS_AHEAD


def _count(match: re.Match[str], group: str = "count") -> int | None:
    said = match[group]
    if said is None:
        return None
    number = int(said) if said.isdigit() else names.COUNTS[said.lower()]
    return number if number <= _MOST_STEPS else None


def _ago(match: re.Match[str], asked: Asked) -> Days | None:
    count = _count(match) or _count(match, "count2")
    unit = names.UNITS[(match["unit"] or match["unit2"]).lower()]
    if count is None:
        return None
    return _around(stepped(asked.now, unit, -count), unit)


def _around(moment: date, unit: str) -> Days:
    return unit_around(moment, "day" if unit in ("hour", "day") else unit)


def _last_few(match: re.Match[str], asked: Asked) -> Days | None:
    unit = next(unit for stem, unit in names.UNITS.items() if match["unit"].lower().startswith(stem))
    count = _count(match) if match["count"] else _VAGUE
    if count is None:
        return None
    if step_of(match["step"]) < 0:
        return Days(stepped(asked.now, unit, -count), asked.today)
    return Days(asked.today, stepped(asked.now, unit, count))


def _since_count(match: re.Match[str], asked: Asked) -> Days | None:
    count = _count(match)
    return None if count is None else Days(stepped(asked.now, names.UNITS[match["unit"].lower()], -count), asked.today)


def _in_count(match: re.Match[str], asked: Asked) -> Days | None:
    count, unit = _count(match), names.UNITS[match["unit"].lower()]
    return None if count is None else _around(stepped(asked.now, unit, count), unit)


def _date(match: re.Match[str], asked: Asked) -> Days | None:
    said = match["m"].lower()
    number = int(said) if said.isdigit() else names.MONTHS[said]
    if not 1 <= number <= 12:
        return None
    year = int(match["y"]) if match["y"] else asked.towards(match).year_for(number)
    found = date_of(year + 2000 if year < 100 else year, number, int(match["d"]))
    return day(found) if found else None


def _month(match: re.Match[str], asked: Asked) -> Days:
    number = names.MONTHS[(match["m"] or match["m2"] or match["m3"]).lower()]
    if match["y"]:
        year = int(match["y"])
    elif match["ystep"]:
        year = asked.today.year + step_of(match["ystep"])
    elif match["step"] and (step := step_of(match["step"])):
        year = replace(asked, is_past=step < 0, is_ahead=step > 0).year_for(number)
        if number == asked.today.month:
            year += step
    else:
        year = asked.towards(match).year_for(number)
    return _part(month(year, number), match)


def _part(days: Days, match: re.Match[str]) -> Days:
    said = match.groupdict().get("part")
    if not said:
        return days
    place = next(place for stem, place in names.PARTS.items() if said.lower().removeprefix("the ").startswith(stem))
    return days.third(place)


def _season(match: re.Match[str], asked: Asked) -> Days:
    first, last = names.SEASONS[match["s"].lower()]
    said = match.group().lower()
    step = next((step for stem, step in names.STEPS.items() if said.startswith(stem)), 0)
    tensed = replace(asked, is_past=step < 0, is_ahead=step > 0) if step else asked
    year = int(match["y"]) if match["y"] else tensed.year_for(first, 3)
    return Days(month(year, first).first, month(year + (last > 12), (last - 1) % 12 + 1).last)


def _quarter(match: re.Match[str], asked: Asked) -> Days | None:
    place = names.ORDINALS[match["n"].lower()]
    size = 3 if match["u"].lower() in ("quartal", "quarter") else 6
    if place * size > 12:
        return None
    return months(int(match["y"]) if match["y"] else asked.today.year, (place - 1) * size + 1, place * size)


def _decade(match: re.Match[str], asked: Asked) -> Days:
    year = int(match["y"] or match["y2"])
    if year < 100:
        year += 2000 if year <= asked.today.year % 100 + 20 and year <= 40 else 1900
    return Days(date(year, 1, 1), date(year + 9, 12, 31))


def _relative(match: re.Match[str], asked: Asked) -> Days | None:
    step, unit = step_of(match["step"]), match["unit"].lower()
    if unit in names.UNITS:
        return _part(unit_around(asked.today, names.UNITS[unit], step), match)
    if unit.startswith(("wochenende", "weekend")):
        return _weekend(asked, step)
    return legislature(step, asked.today, asked.election)


def _weekend(asked: Asked, step: int) -> Days:
    """The nearest Saturday and Sunday in a direction; 0 is the one of this week."""
    saturday = asked.today - timedelta(days=asked.today.weekday() - 5)
    if step < 0 and saturday + timedelta(days=1) >= asked.today:
        saturday -= timedelta(weeks=1)
    if step > 0 and saturday <= asked.today:
        saturday += timedelta(weeks=1)
    return Days(saturday, saturday + timedelta(days=1))


def _turn_of_year(match: re.Match[str], asked: Asked) -> Days:
    return unit_around(asked.today, "year").third(2 if match["end"] else 0)


def _year(match: re.Match[str], asked: Asked) -> Days | None:
    year = int(match["y"])
    if not _known(year, asked):
        return None
    behind = match.string[match.end() :].lstrip(" ")
    # "2000 Plätze" counts; nobody names a round year that barely.
    if year % 1000 == 0 and not match["sure"] and behind[:1].isupper():
        return None
    return _part(Days(date(year, 1, 1), date(year, 12, 31)), match)


def _day_word(match: re.Match[str], asked: Asked) -> _Found:
    steps = {"d2": -2, "d1": -1, "n2": 2, "n1": 1, "d0": 0}
    step = next(step for group, step in steps.items() if match[group])
    sense = TimeSense.SPAN if step else TimeSense.CURRENT
    return day(asked.today + timedelta(days=step)), sense


def _weekday(match: re.Match[str], asked: Asked) -> Days:
    said, name = match.group().lower(), match["w"].lower()
    step = next((step for stem, step in names.STEPS.items() if re.search(rf"\b{stem}", said)), 0)
    if not step:
        step = -1 if asked.is_past and not asked.is_ahead else 1
    if name.endswith(("wochenende", "weekend")):
        return _weekend(asked, step)
    distance = (names.WEEKDAYS[name] - asked.today.weekday()) % 7
    if step < 0:
        return day(asked.today - timedelta(days=(7 - distance) or 7))
    return day(asked.today + timedelta(days=distance or 7))


def _election_day(match: re.Match[str], asked: Asked) -> Days | None:
    return day(asked.election) if asked.election else None


def _election(match: re.Match[str], asked: Asked) -> Days | None:
    step = step_of(match["step"].removeprefix("up")) if match["step"] else 0
    year = int(match["y"]) if match["y"] else None
    return around_election(match["before"].lower(), step, year, asked.today, asked.election)


def _holiday(match: re.Match[str], asked: Asked) -> Days:
    if match["n"]:
        return day(date(asked.year_for(1), 1, 1))
    year = asked.year_for(12)
    return day(date(year, 12, 31)) if match["e"] else Days(date(year, 12, 24), date(year, 12, 26))


def _current(match: re.Match[str], asked: Asked) -> _Found:
    return day(asked.today), TimeSense.CURRENT


def _future(match: re.Match[str], asked: Asked) -> Days:
    return Days(asked.today, None)


def _so_far(match: re.Match[str], asked: Asked) -> Days:
    return Days(None, asked.today)


def _earlier(match: re.Match[str], asked: Asked) -> _Found:
    return Days(None, None), TimeSense.EARLIER


def _earlier_in_past(match: re.Match[str], asked: Asked) -> _Found | None:
    return _earlier(match, asked) if asked.is_past else None


READERS: Final[tuple[tuple[re.Pattern[str], _Reader], ...]] = (
    (words.SO_FAR, _so_far),
    (words.FUTURE, _future),
    (words.CURRENT, _current),
    (words.AGO, _ago),
    (words.LAST_FEW, _last_few),
    (words.SINCE_COUNT, _since_count),
    (words.IN_COUNT, _in_count),
    (words.ISO, _date),
    (words.NUMERIC, _date),
    (words.DAY_OF_MONTH, _date),
    (words.MONTH_DAY, _date),
    (words.ELECTION, _election),
    (words.ELECTION_DAY, _election_day),
    (words.TURN_OF_YEAR, _turn_of_year),
    (words.RELATIVE, _relative),
    (words.MONTH, _month),
    (words.SEASON, _season),
    (words.QUARTER, _quarter),
    (words.DECADE, _decade),
    (words.WEEKDAY, _weekday),
    (words.HOLIDAY, _holiday),
    (words.YEAR, _year),
    (words.DAY_WORD, _day_word),
    (words.EARLIER, _earlier),
    (words.EARLIER_IN_PAST, _earlier_in_past),
)
