"""A gap is asked by enough people and answered badly; neutrality is none."""

from __future__ import annotations

import pytest

from apps.topics.modelling.gap_score import (
    Asked,
    Calibration,
    Cause,
    calibrated,
    gap_score,
    is_weak,
    opens,
    weakness,
    wilson_lower,
)

SCALE = Calibration(tau=0.5, spread=0.05)


def score(questions, **more):
    return gap_score(questions, SCALE, **{"busy": 30, "baseline": 5, **more})


@pytest.mark.parametrize(
    ("asked", "weak", "cause"),
    [
        (Asked("a", is_refused=True), 1.0, Cause.NO_SOURCE),
        (Asked("a", is_disliked=True, closeness=0.9), 0.8, Cause.DISLIKED),
        (Asked("a", is_unfaithful=True, closeness=0.9), 0.7, Cause.UNFAITHFUL),
        (Asked("a", closeness=0.5), 0.5, Cause.WEAK_SOURCE),
        (Asked("a"), 0.0, Cause.NONE),
    ],
)
def test_how_weak_an_answer_is(asked, weak, cause):
    assert weakness(asked, SCALE) == (pytest.approx(weak), cause)


def test_good_scores_are_not_weak_and_bad_ones_are():
    assert weakness(Asked("a", closeness=0.8), SCALE)[0] < 0.01
    assert weakness(Asked("a", closeness=0.2), SCALE)[0] > 0.99


def test_advice_is_neither_a_gap_nor_an_answer():
    asked = [Asked(f"s{n}", is_refused=True, is_left_out=True) for n in range(50)]
    found = score(asked)
    assert found.sessions == 0
    assert found.score == 0
    assert not opens(found, was_weak_before=True)


def test_one_insistent_reader_is_one_session():
    found = score([Asked("same", is_refused=True)] * 40)
    assert found.sessions == 1
    assert not opens(found, was_weak_before=True)


def test_five_readers_in_two_runs_or_fifteen_at_once_open_a_gap():
    few = score([Asked(f"s{n}", is_refused=True) for n in range(5)])
    many = score([Asked(f"s{n}", is_refused=True) for n in range(15)])
    assert is_weak(few)
    assert not opens(few, was_weak_before=False)
    assert opens(few, was_weak_before=True)
    assert opens(many, was_weak_before=False)


def test_growing_gaps_weigh_more_than_old_ones():
    asked = [Asked(f"s{n}", is_refused=True) for n in range(20)]
    assert score(asked, baseline=1).score > score(asked, baseline=20).score


def test_the_lower_bound_grows_with_certainty():
    assert wilson_lower(1.0, 3) < wilson_lower(1.0, 30) < 1
    assert wilson_lower(0.5, 0) == 0


def test_scores_are_fitted_on_enough_answers_only():
    assert calibrated([0.5] * 19) is None
    fitted = calibrated([0.4 + 0.01 * n for n in range(40)])
    assert fitted is not None
    assert 0.4 < fitted.tau < 0.55
    assert fitted.spread > 0
