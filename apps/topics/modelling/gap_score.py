"""When is a topic a gap? Weakness of each question, its lower bound over sessions, demand and growth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np

# One-sided 95 %: an alarm may be too careful, never too eager.
_Z: Final = 1.64
LEAST_SESSIONS: Final = 5
_SURE_SESSIONS: Final = 15
OPEN_FROM: Final = 0.3
_SURE_FROM: Final = 0.5
RESOLVED_BELOW: Final = 0.15
_LEAST_TO_FIT: Final = 20
# This share of answered questions counts as weakly answered: chosen on one half of the suite's held-out intents.
_WEAK_SHARE: Final = 0.15


class Cause(StrEnum):
    """Why a question counts as weak, the heaviest first."""

    NO_SOURCE = "no_source"
    DISLIKED = "disliked"
    UNFAITHFUL = "unfaithful"
    WEAK_SOURCE = "weak_source"
    NONE = "none"


_WEIGHTS: Final = {Cause.NO_SOURCE: 1.0, Cause.DISLIKED: 0.8, Cause.UNFAITHFUL: 0.7}


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as the score needs it. ``closeness`` is that of the sources (closeness.py), None if nobody knows.

    ``is_left_out``: small talk, blocked input and refusals of voting advice are no gaps and no answers either.
    """

    session: str
    is_refused: bool = False
    is_disliked: bool = False
    is_unfaithful: bool = False
    is_left_out: bool = False
    closeness: float | None = None


@dataclass(frozen=True, slots=True)
class Calibration:
    """What counts as a weak score with one embedder: half weak at ``tau``, the softer the larger ``spread``."""

    tau: float
    spread: float


@dataclass(frozen=True, slots=True)
class GapScore:
    """A topic's gap. ``lower`` is the lower bound of the weak share over ``sessions``; ``score`` is 0 to 100."""

    sessions: int
    weak: float
    lower: float
    demand: float
    growth: float
    causes: Mapping[Cause, float] = field(default_factory=dict)

    @property
    def score(self) -> float:
        return 100 * self.lower * self.demand * self.growth


def calibrated(found: Sequence[float]) -> Calibration | None:
    """Return tau and spread of answered traffic that nobody disliked; None below 20 questions."""
    if len(found) < _LEAST_TO_FIT:
        return None
    low, tau, high = np.quantile(np.asarray(found, dtype=float), (0.25, _WEAK_SHARE, 0.75))
    return Calibration(float(tau), max(float(high - low) / 4, 1e-4))


def weakness(asked: Asked, calibration: Calibration | None) -> tuple[float, Cause]:
    """Return how weak the answer to one question was, 0 to 1, and why."""
    for is_so, cause in (
        (asked.is_refused, Cause.NO_SOURCE),
        (asked.is_disliked, Cause.DISLIKED),
        (asked.is_unfaithful, Cause.UNFAITHFUL),
    ):
        if is_so:
            return _WEIGHTS[cause], cause
    if asked.closeness is None or calibration is None:
        return 0.0, Cause.NONE
    weak = 1.0 / (1.0 + math.exp(min(50.0, max(-50.0, (asked.closeness - calibration.tau) / calibration.spread))))
    return weak, (Cause.WEAK_SOURCE if weak >= 0.5 else Cause.NONE)


def wilson_lower(share: float, n: int) -> float:
    """Return the lower bound of a share of ``n`` (Wilson 1927, z = 1.64); 0 without a case."""
    if n <= 0:
        return 0.0
    square = _Z * _Z
    centre = share + square / (2 * n)
    margin = _Z * math.sqrt(max(0.0, share * (1 - share)) / n + square / (4 * n * n))
    return max(0.0, (centre - margin) / (1 + square / n))


def gap_score(questions: Sequence[Asked], calibration: Calibration | None, *, busy: float, baseline: float) -> GapScore:
    """Return the gap of one topic's questions of the last seven days.

    A session counts once, with the mean of its questions. ``busy`` is the 90th percentile of sessions over all active
    topics, ``baseline`` the sessions of a usual week before.
    """
    by_session: dict[str, list[float]] = {}
    causes: dict[Cause, float] = dict.fromkeys(Cause, 0.0)
    for asked in questions:
        if asked.is_left_out:
            continue
        weak, cause = weakness(asked, calibration)
        by_session.setdefault(asked.session, []).append(weak)
        causes[cause] += 1
    sessions = len(by_session)
    share = float(np.mean([np.mean(values) for values in by_session.values()])) if sessions else 0.0
    total = sum(causes.values())
    return GapScore(
        sessions=sessions,
        weak=share,
        lower=wilson_lower(share, sessions),
        demand=min(1.0, math.log1p(sessions) / math.log1p(max(busy, 1.0))),
        growth=0.5 + 0.5 * min(1.0, max(0.0, math.log2((sessions + 5) / (baseline + 5)))),
        causes={cause: count / total for cause, count in causes.items() if count and total},
    )


def opens(score: GapScore, *, was_weak_before: bool) -> bool:
    """Say whether a gap opens now: weak in two runs in a row with five sessions, or once and surely with fifteen."""
    is_weak = score.sessions >= LEAST_SESSIONS and score.lower >= OPEN_FROM
    is_sure = score.sessions >= _SURE_SESSIONS and score.lower >= _SURE_FROM
    return is_sure or (is_weak and was_weak_before)


def is_weak(score: GapScore) -> bool:
    """Say whether this run counts as the first of two."""
    return score.sessions >= LEAST_SESSIONS and score.lower >= OPEN_FROM
