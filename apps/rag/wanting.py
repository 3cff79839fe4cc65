"""What the times of a question mean for search and for judging: whose state counts, and which words are left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from apps.rag import time_words
from apps.rag.days import Days
from apps.rag.time_frames import TimeFrame, TimeKind, TimeSense
from apps.rag.time_names import MONTHS, SEASONS
from apps.rag.types import WantedTime

# A time in the past up to so long is asked about as things stood then; a longer one is history in any source.
_A_QUARTER: Final = 92
_MOST_YEARS: Final = 3
# Times that sources write in the same words.
_NAMES_ITSELF: Final = re.compile(
    rf"\d{{4}}|\d\.\s?\d|\bwahl|\belection|\b(?:{'|'.join((*MONTHS, *SEASONS))})\b", re.IGNORECASE
)


def wanted_time(times: Sequence[TimeFrame], today: date) -> WantedTime:
    """Return from which time sources are wanted: a report's own, or the state at a past time that is asked about."""
    published = next((each for each in times if each.kind is TimeKind.PUBLICATION), None)
    if published is not None:
        as_of = published.last if published.last and published.last < today else None
        return WantedTime(as_of, _is_earlier(times), published.first, published.last or today, _words(times))
    past = next((each for each in times if _is_short_and_over(each, today)), None)
    return WantedTime(past.last if past else None, _is_earlier(times), words=_words(times))


def _is_earlier(times: Sequence[TimeFrame]) -> bool:
    return any(each.sense is TimeSense.EARLIER for each in times)


def _is_short_and_over(frame: TimeFrame, today: date) -> bool:
    length = Days(frame.first, frame.last).length
    return frame.last is not None and frame.last < today and length is not None and length <= _A_QUARTER


def _words(times: Sequence[TimeFrame]) -> str:
    """The years that "nächstes Jahr" and the like stand for, as a source writes them."""
    years: list[int] = []
    for each in times:
        if each.kind is TimeKind.CONTENT and each.sense is TimeSense.SPAN and not _NAMES_ITSELF.search(each.said):
            bounds = [bound.year for bound in (each.first, each.last) if bound]
            years += range(bounds[0], bounds[-1] + 1) if len(bounds) == 2 else bounds
    unique = list(dict.fromkeys(years))
    return " ".join(map(str, unique)) if len(unique) <= _MOST_YEARS else ""


def silent_spans(times: Sequence[TimeFrame]) -> list[tuple[int, int]]:
    """Return the places of times that no source repeats, such as "derzeit" and "letzte Woche".

    A year, a date and the election are words of the sources too, where they are what is asked about.
    """
    return [
        (each.start, each.end)
        for each in times
        if each.kind is TimeKind.PUBLICATION or each.sense is not TimeSense.SPAN or not _NAMES_ITSELF.search(each.said)
    ]


def without_times(text: str, times: Sequence[TimeFrame]) -> str:
    """Return the question without silent times, and without words that only say that reports are asked for."""
    for start, end in silent_spans(times):
        text = text[:start] + " " * (end - start) + text[end:]
    if any(each.kind is TimeKind.PUBLICATION for each in times):
        return time_words.ABOUT_REPORTS.sub(" ", text)
    return text
