"""Intervals around what was measured: Wilson's for shares, bootstrap for everything else. Pure, 95 %."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

# The two-sided 95 % point of the normal distribution.
_Z: Final = 1.959964
_RESAMPLES: Final = 2_000
_SEED: Final = 0

# Values that are drawn at the same time.
_AT_ONCE: Final = 1_000_000

Interval = tuple[float, float]
# Makes one number of each row: of the last axis.
Measure = Callable[[np.ndarray], np.ndarray]


def mean(drawn: np.ndarray) -> np.ndarray:
    """Return the mean of each row."""
    return np.asarray(drawn.mean(axis=-1))


def quantile(share: float, drawn: np.ndarray) -> np.ndarray:
    """Return the value below which ``share`` of each row lies."""
    return np.asarray(np.quantile(drawn, share, axis=-1))


def wilson(share: float, n: int) -> Interval:
    """Return the interval of a share of ``n`` cases, within 0 and 1; (0, 1) without a case.

    Wilson (1927): unlike share +/- z * error it keeps its promise near 0 and 1, where our shares are.
    """
    if n <= 0:
        return 0.0, 1.0
    square = _Z * _Z
    centre = share + square / (2 * n)
    margin = _Z * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    whole = 1 + square / n
    return max(0.0, (centre - margin) / whole), min(1.0, (centre + margin) / whole)


def bootstrap(values: Sequence[float] | np.ndarray, measure: Measure = mean) -> Interval:
    """Return the percentile interval of any measure of the values; the same values give the same interval."""
    if not len(values):
        return math.nan, math.nan
    known = np.asarray(values, dtype=float)
    return _middle(np.concatenate([measure(known[places]) for places in _draws(len(known))]))


def paired_bootstrap(
    before: Sequence[float] | np.ndarray, after: Sequence[float] | np.ndarray, measure: Measure = mean
) -> Interval:
    """Return the interval of ``measure(after) - measure(before)``, drawing pairs: both are of the same cases."""
    if len(before) != len(after):
        raise ValueError("Pairs need two values each.")
    if not len(before):
        return math.nan, math.nan
    first, second = np.asarray(before, dtype=float), np.asarray(after, dtype=float)
    gains = [measure(second[places]) - measure(first[places]) for places in _draws(len(first))]
    return _middle(np.concatenate(gains))


def _draws(cases: int) -> Iterator[np.ndarray]:
    """Yield rows of places drawn with replacement, a few rows at a time: never more than some megabytes at once."""
    chance = np.random.default_rng(_SEED)
    rows = max(1, min(_RESAMPLES, _AT_ONCE // cases))
    for begun in range(0, _RESAMPLES, rows):
        yield chance.integers(cases, size=(min(rows, _RESAMPLES - begun), cases))


def _middle(measured: np.ndarray) -> Interval:
    low, high = np.quantile(measured, (0.025, 0.975))
    return float(low), float(high)


def mcnemar(better: int, worse: int) -> float:
    """Return how likely so uneven a change is by chance: the exact two-sided test over the cases that changed.

    McNemar (1947) with the binomial distribution, right for few cases too. 1.0 where nothing changed.
    """
    changed = better + worse
    if changed == 0:
        return 1.0
    tail = sum(math.comb(changed, k) for k in range(min(better, worse) + 1))
    return float(min(1.0, 2 * tail / 2**changed))
