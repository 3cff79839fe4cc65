"""Intervals around what was measured: Wilson's for shares, bootstrap for everything else. Pure, 95 %."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

# The two-sided 95 % point of the normal distribution.
_Z: Final = 1.959964
_RESAMPLES: Final = 2_000
_SEED: Final = 0

Interval = tuple[float, float]
Measure = Callable[[np.ndarray], float]


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


def bootstrap(values: Sequence[float], measure: Measure = np.mean) -> Interval:
    """Return the percentile interval of any measure of the values; the same values give the same interval."""
    if not len(values):
        return math.nan, math.nan
    drawn = np.random.default_rng(_SEED).choice(np.asarray(values, dtype=float), size=(_RESAMPLES, len(values)))
    low, high = np.quantile([measure(sample) for sample in drawn], (0.025, 0.975))
    return float(low), float(high)


def paired_bootstrap(before: Sequence[float], after: Sequence[float], measure: Measure = np.mean) -> Interval:
    """Return the interval of ``measure(after) - measure(before)``, drawing pairs: both are of the same cases."""
    if len(before) != len(after):
        raise ValueError("Pairs need two values each.")
    if not len(before):
        return math.nan, math.nan
    first, second = np.asarray(before, dtype=float), np.asarray(after, dtype=float)
    places = np.random.default_rng(_SEED).integers(len(first), size=(_RESAMPLES, len(first)))
    gains = [measure(second[drawn]) - measure(first[drawn]) for drawn in places]
    low, high = np.quantile(gains, (0.025, 0.975))
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
