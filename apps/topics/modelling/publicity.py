"""Thresholds of the public panel and the brake against those who push a topic. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LEAST_VOTES: Final = 50
_LEAST_DAYS: Final = 3
_MOST_SHOWN: Final = 8
_ROUNDED_TO: Final = 10
_RISING: Final = 1.3
# A crowd of people does not ask within one hour, nor all in the same words.
_BURST_SHARE: Final = 0.4
_SAME_WORDS_SHARE: Final = 0.6
_LEAST_FOR_BRAKE: Final = 20


@dataclass(frozen=True, slots=True)
class Counted:
    """A topic's week: votes (one per session and day), the week before, and what tells a crowd from a campaign.

    ``hours`` are the questions of each hour that had some, the busiest first; ``commonest`` is how many sessions used
    the commonest wording of ``texts``.
    """

    key: int
    name: str
    question: str
    votes: int
    before: int
    days: int
    hours: tuple[int, ...]
    commonest: int
    texts: int


@dataclass(frozen=True, slots=True)
class PublicTopic:
    """One line of the panel. ``bar`` is relative, 10 to 100 in tens; ``movement`` is rising, steady or new."""

    key: int
    name: str
    question: str
    bar: int
    movement: str


def brake(counted: Counted) -> str:
    """Return why a topic looks pushed, "" where it does not."""
    total = sum(counted.hours)
    if total < _LEAST_FOR_BRAKE:
        return ""
    if counted.hours[0] > _BURST_SHARE * total:
        return "burst"
    if counted.commonest > _SAME_WORDS_SHARE * counted.votes:
        return "same_words"
    return ""


def panel(counted: Sequence[Counted]) -> list[PublicTopic]:
    """Return the lines of the panel: enough votes on enough days, ordered and drawn by rounded votes only.

    Equal after rounding is equal: then the name decides, and no order tells more than the bars do.
    """
    enough = [each for each in counted if each.votes >= LEAST_VOTES and each.days >= _LEAST_DAYS and each.name]
    enough.sort(key=lambda each: (-_rounded(each.votes), each.name.casefold()))
    shown = enough[:_MOST_SHOWN]
    most = max((_rounded(each.votes) for each in shown), default=1)
    return [
        PublicTopic(each.key, each.name, each.question, max(10, _rounded(round(100 * _rounded(each.votes) / most))),
                    _movement(each))
        for each in shown
    ]  # fmt: skip


def _rounded(votes: int) -> int:
    """Round to tens, halves up: Python's own rounding would take 45 to 40."""
    return (votes + _ROUNDED_TO // 2) // _ROUNDED_TO * _ROUNDED_TO


def _movement(counted: Counted) -> str:
    before, now = _rounded(counted.before), _rounded(counted.votes)
    if before < LEAST_VOTES:
        return "new"
    return "rising" if now >= _RISING * before else "steady"
