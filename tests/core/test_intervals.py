"""Intervals against values worked out by hand or printed in the literature."""

from __future__ import annotations

import math
from functools import partial

import pytest

from apps.core.intervals import bootstrap, mcnemar, paired_bootstrap, quantile, wilson


@pytest.mark.parametrize(
    ("share", "n", "low", "high"),
    [
        # 29 of 30 refusals show hardly more than five in six.
        (29 / 30, 30, 0.833, 0.994),
        (198 / 200, 200, 0.964, 0.997),
        # 0 of 10: z^2 / (10 + z^2).
        (0.0, 10, 0.0, 0.2775),
        (1.0, 10, 0.7225, 1.0),
        (0.5, 0, 0.0, 1.0),
    ],
)
def test_a_share_has_the_interval_of_wilson(share, n, low, high):
    assert wilson(share, n) == pytest.approx((low, high), abs=0.001)


def test_a_mean_has_an_interval_of_its_standard_error():
    values = [0.0, 1.0] * 200
    low, high = bootstrap(values)
    # The standard error is 0.5 / sqrt(400) = 0.025.
    assert (low, high) == pytest.approx((0.5 - 1.96 * 0.025, 0.5 + 1.96 * 0.025), abs=0.005)
    assert bootstrap(values) == (low, high)


def test_any_measure_can_be_bootstrapped():
    low, high = bootstrap(range(101), partial(quantile, 0.95))
    assert 85 < low <= 95 <= high <= 100


def test_a_gain_of_pairs_is_known_more_exactly_than_its_two_sides():
    before = [float(value) for value in range(100)]
    after = [value + 1 for value in before]
    assert paired_bootstrap(before, after) == pytest.approx((1.0, 1.0))
    low, high = bootstrap(after)
    assert high - low > 5


def test_pairs_need_two_values_each():
    with pytest.raises(ValueError, match="two values"):
        paired_bootstrap([1.0], [1.0, 2.0])


def test_nothing_measured_has_no_interval():
    assert all(math.isnan(bound) for bound in (*bootstrap([]), *paired_bootstrap([], [])))


@pytest.mark.parametrize(
    ("better", "worse", "chance"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        # Two ends of 2^-5, 2^-8 and (1 + 9) / 2^9.
        (5, 0, 0.0625),
        (0, 8, 0.0078125),
        (8, 1, 0.0390625),
        (6, 6, 1.0),
        (3_000, 3_000, 1.0),
    ],
)
def test_an_uneven_change_is_unlikely_by_chance(better, worse, chance):
    assert mcnemar(better, worse) == pytest.approx(chance)
    assert mcnemar(worse, better) == pytest.approx(chance)
