"""Times that hang on an election: before and after its day, this and the next term of a parliament."""

from __future__ import annotations

from datetime import date, timedelta

from apps.rag.days import Days, day

_NEXT = timedelta(days=1)


def legislature(step: int, today: date, election: date | None) -> Days | None:
    """Return this term (0), the one before (-1) or the next (1); None where it cannot be known.

    A term lasts until the day of the election; how long it lasts after one, nobody here knows.
    """
    if election is None or abs(step) > 1:
        return None
    is_over = election < today
    if step == 0:
        return Days(election + _NEXT, None) if is_over else Days(None, election)
    if is_over:
        return Days(None, election) if step < 0 else None
    return Days(election + _NEXT, None) if step > 0 else None


def around_election(opens: str, step: int, year: int | None, today: date, election: date | None) -> Days | None:
    """Return the days before, until, after or since an election (``opens``); None where its day cannot be known.

    ``step`` is -1 for the last and 1 for the next, ``year`` the year that was named with it.
    """
    found = _that_election(opens, step, year, today, election)
    if found is None or found.first is None or found.last is None:
        return None
    if opens in ("vor", "before"):
        return Days(None, found.first - _NEXT)
    if opens in ("bis", "until", "till", "by"):
        return Days(None, found.last)
    first = found.last + _NEXT if found.first == found.last else found.first
    return Days(first, today if opens in ("seit", "since") and first <= today else None)


def _that_election(opens: str, step: int, year: int | None, today: date, election: date | None) -> Days | None:
    """The day of the election that is meant; of another year only the year is known."""
    if year is not None and (election is None or year != election.year):
        return Days(date(year, 1, 1), date(year, 12, 31))
    if election is None:
        return None
    is_over = election < today
    is_other = (step < 0 and not is_over) or (step > 0 and is_over)
    # "Since the election" is since the last one, whose day nobody has set.
    is_since = opens in ("seit", "since") and not is_over
    return None if is_other or is_since else day(election)
