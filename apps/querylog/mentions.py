"""Who is asked about: how often readers name each party and public person, and whether that grows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from apps.documents.models import Party
from apps.querylog.counting import DayCount, berlin_today, counts_between
from apps.querylog.models import LogDay

DAYS: Final = 28
_WEEK: Final = 7
_MOST_PEOPLE: Final = 20


@dataclass(frozen=True, slots=True)
class Mentioned:
    """One name. Counts are readers per day, added up over the last seven whole days (``now``) and those ``before``.

    ``share`` is that of all readers of these days, 0 to 1; ``change`` is in points, None without a week before.
    ``days`` are 28 counts, oldest first, today last and unfinished.
    """

    name: str
    key: str
    now: int
    before: int
    share: float
    change: float | None
    days: tuple[int, ...]

    @property
    def highest(self) -> int:
        """The tallest of the days' bars, one at least: each name is drawn against itself."""
        return max(self.days, default=0) or 1


@dataclass(frozen=True, slots=True)
class Mentions:
    """The page's figures: parties in their order, the people named most, and the readers they are shares of."""

    parties: tuple[Mentioned, ...]
    people: tuple[Mentioned, ...]
    readers: int
    first: date
    last: date


def mentions() -> Mentions:
    """Return who was named. Three queries, however many questions there are."""
    today = berlin_today()
    kinds = LogDay.Counted
    counts = counts_between(today - timedelta(days=DAYS - 1), today, kinds.PARTY, kinds.PERSON, kinds.ALL)
    names = dict(Party.objects.order_by("order", "slug").values_list("slug", "short_name"))
    readers = _by_day(each for each in counts if each.counted == kinds.ALL)
    found = {kind: _by_name(each for each in counts if each.counted == kind) for kind in (kinds.PARTY, kinds.PERSON)}
    # A party that is gone keeps its counts under its slug.
    slugs = [*names, *(slug for slug in sorted(found[kinds.PARTY]) if slug not in names)]
    parties = [
        _mentioned(names.get(slug, slug), slug, found[kinds.PARTY].get(slug, Counter()), readers) for slug in slugs
    ]
    people = [_mentioned(name, name, days, readers) for name, days in found[kinds.PERSON].items()]
    people.sort(key=lambda each: (-each.now, -each.before, each.name))
    week = [today - timedelta(days=back) for back in range(1, _WEEK + 1)]
    return Mentions(
        parties=tuple(parties),
        people=tuple(people[:_MOST_PEOPLE]),
        readers=sum(readers[day] for day in week),
        first=week[-1],
        last=week[0],
    )


def _by_day(counts: Iterable[DayCount]) -> Counter[date]:
    found: Counter[date] = Counter()
    for each in counts:
        found[each.day] += each.sessions
    return found


def _by_name(counts: Iterable[DayCount]) -> dict[str, Counter[date]]:
    found: dict[str, Counter[date]] = {}
    for each in counts:
        found.setdefault(each.value, Counter())[each.day] += each.sessions
    return found


def _mentioned(name: str, key: str, days: Counter[date], readers: Counter[date]) -> Mentioned:
    today = berlin_today()
    now, share = _week(days, readers, today, 1)
    before, share_before = _week(days, readers, today, 1 + _WEEK)
    has_before = any(readers[today - timedelta(days=back)] for back in range(1 + _WEEK, 1 + 2 * _WEEK))
    series = tuple(days[today - timedelta(days=back)] for back in range(DAYS - 1, -1, -1))
    return Mentioned(name, key, now, before, share, 100 * (share - share_before) if has_before else None, series)


def _week(days: Counter[date], readers: Counter[date], today: date, start: int) -> tuple[int, float]:
    """Count and share of the seven days that end so many days ago."""
    week: Sequence[date] = [today - timedelta(days=back) for back in range(start, start + _WEEK)]
    count, whole = sum(days[day] for day in week), sum(readers[day] for day in week)
    return count, count / whole if whole else 0.0
