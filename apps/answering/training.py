"""Trains the sufficiency model: a logistic regression on what production measures with and without the evidence.

Called by the command train_sufficiency; the numbers it prints stand in rag/sufficiency.py.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from apps.rag.features import Features
from apps.rag.sufficiency import MODELS, UNMEASURED, SufficiencyModel

Numbers = NDArray[np.float64]

# Fields of Features that the model weighs.
TRAINED: Final = (
    "cosine",
    "coverage",
    "margin",
    "pairs",
    "passage",
    "subject",
    "lacks_figure",
    "lacks_type",
    "lacks_counted",
)
SPLITS: Final = 10
REPORTED_WRONG: Final = 0.05
# Keeps a weight finite where a feature alone tells the cases apart. On standardised features: the same for all.
_RIDGE: Final = 0.01
_STEPS: Final = 50
_DIGITS: Final = 2


@dataclass(frozen=True, slots=True)
class Case:
    """What was measured on one question, and whether the shipped model refuses it, its first gate included."""

    features: Features
    is_refused: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """One question with and without the paragraph that answers it. ``article`` is what splits keep together."""

    article: str
    answerable: Case
    unanswerable: Case


@dataclass(frozen=True, slots=True)
class Labelled:
    """What was measured on one question, whether there is an answer, and how much it counts in training."""

    features: Features
    is_answerable: bool
    count: float = 1.0


@dataclass(frozen=True, slots=True)
class Share:
    """A figure over several splits."""

    mean: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Share:
        """Return mean, smallest and largest of at least one value."""
        return cls(float(np.mean(values)), min(values), max(values))

    def __str__(self) -> str:
        return f"{self.mean:.3f} ({self.least:.3f} to {self.most:.3f})"


@dataclass(frozen=True, slots=True)
class Assessment:
    """Figures on articles that the model has not seen, over all splits.

    ``right_at_reported`` is the share of unanswerable questions below what REPORTED_WRONG of the answerable ones of
    the same half fall below. ``threshold`` comes from the training halves, ``right`` and ``wrong`` are the shares of
    refusals that it gives on the test halves.
    """

    auc: Share
    right_at_reported: Share
    threshold: Share
    right: Share
    wrong: Share


def fit(features: Numbers, is_answerable: Numbers, counts: Numbers | None = None) -> Numbers:
    """Return intercept and weights, shape (k + 1,), of a logistic regression on raw features, shape (n, k).

    ``is_answerable`` is 0 or 1, shape (n,), ``counts`` how much each row counts (all alike without it). Newton's
    method (iteratively reweighted least squares) with a small ridge on the standardised weights.
    """
    mean, spread = features.mean(axis=0), features.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    inputs = np.column_stack([np.ones(len(features)), (features - mean) / spread])
    ridge = np.diag([0.0] + [_RIDGE] * features.shape[1])
    counted = np.ones(len(features)) if counts is None else counts
    weights = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        likely = probabilities(inputs, weights)
        slope = inputs.T @ (counted * (likely - is_answerable)) + ridge @ weights
        curvature = (inputs * (counted * likely * (1 - likely))[:, np.newaxis]).T @ inputs + ridge
        step = np.linalg.solve(curvature, slope)
        weights = weights - step
        if np.abs(step).max() < 1e-9:
            break
    raw = weights[1:] / spread
    return np.concatenate([[weights[0] - raw @ mean], raw])


def probabilities(inputs: Numbers, weights: Numbers) -> Numbers:
    """Return the logistic of each row's weighted sum, 0 to 1."""
    return np.asarray(1 / (1 + np.exp(-np.clip(inputs @ weights, -500, 500))), dtype=np.float64)


def area(positive: Numbers, negative: Numbers) -> float:
    """Return the area under the ROC curve: how often a positive scores above a negative one, ties counting half."""
    ordered = np.sort(negative)
    below = np.searchsorted(ordered, positive, side="left")
    equal = np.searchsorted(ordered, positive, side="right") - below
    return float((below + equal / 2).mean() / len(negative))


def halves(articles: Sequence[str], seed: int) -> tuple[set[str], set[str]]:
    """Return the articles to train on and those to test on: no paragraph's neighbours are on both sides."""
    distinct = list(dict.fromkeys(articles))
    order = np.random.default_rng(seed).permutation(len(distinct))
    middle = len(distinct) // 2
    return {distinct[place] for place in order[:middle]}, {distinct[place] for place in order[middle:]}


def assess(pairs: Sequence[Pair], *, wrong: float) -> Assessment:
    """Train and test on SPLITS halves of the articles; ``wrong`` is the share of wrong refusals thresholds aim at."""
    splits = [_split(pairs, seed, wrong) for seed in range(SPLITS)]
    return Assessment(*(Share.of(column) for column in zip(*splits, strict=True)))


def _split(pairs: Sequence[Pair], seed: int, wrong: float) -> tuple[float, float, float, float, float]:
    """The figures of one split, in the order of Assessment."""
    train, _ = halves([pair.article for pair in pairs], seed)
    seen = [pair for pair in pairs if pair.article in train]
    unseen = [pair for pair in pairs if pair.article not in train]
    weights = _fitted(labelled(seen))
    threshold = _quantile(_scores(seen, weights)[0], wrong)
    answerable, unanswerable = _scores(unseen, weights)
    return (
        area(answerable, unanswerable),
        float((unanswerable < _quantile(answerable, REPORTED_WRONG)).mean()),
        threshold,
        float((unanswerable < threshold).mean()),
        float((answerable < threshold).mean()),
    )


def labelled(pairs: Sequence[Pair], count: float = 1.0) -> list[Labelled]:
    """Return both cases of each pair for training."""
    kept = [Labelled(pair.answerable.features, is_answerable=True, count=count) for pair in pairs]
    return kept + [Labelled(pair.unanswerable.features, is_answerable=False, count=count) for pair in pairs]


def train(rows: Sequence[Labelled], embedder: str, threshold: float) -> SufficiencyModel:
    """Return the model fitted on all rows, rounded as it is shipped.

    What is not trained here (the gate for other topics, sources in another language) stays as shipped.
    """
    intercept, *weights = [round(float(value), _DIGITS) for value in _fitted(rows)]
    return replace(
        MODELS.get(embedder, UNMEASURED),
        intercept=intercept,
        weights=dict(zip(TRAINED, weights, strict=True)),
        refuse_below=round(threshold, _DIGITS),
    )


def literal(model: SufficiencyModel, embedder: str) -> str:
    """Return the entry of MODELS in rag/sufficiency.py as Python source."""
    values = {field.name: getattr(model, field.name) for field in fields(model)}
    shown = {
        name: f"{value:+}".replace("inf", "math.inf")
        if isinstance(value, float) and not math.isfinite(value)
        else json.dumps(value)
        for name, value in values.items()
    }
    return "\n".join(
        [f'"{embedder}": SufficiencyModel(', *(f"    {name}={value}," for name, value in shown.items()), "),"]
    )


def refused(cases: Sequence[Case]) -> float:
    """Return the share of cases that the shipped model refuses."""
    return sum(case.is_refused for case in cases) / len(cases)


def _fitted(rows: Sequence[Labelled]) -> Numbers:
    labels = np.array([float(row.is_answerable) for row in rows])
    return fit(np.array([_row(row.features) for row in rows]), labels, np.array([row.count for row in rows]))


def _scores(pairs: Sequence[Pair], weights: Numbers) -> tuple[Numbers, Numbers]:
    """Probabilities of the answerable and of the unanswerable cases."""
    answerable, unanswerable = (np.column_stack([np.ones(len(rows)), rows]) for rows in _table(pairs))
    return probabilities(answerable, weights), probabilities(unanswerable, weights)


def _table(pairs: Sequence[Pair]) -> tuple[Numbers, Numbers]:
    answerable = [_row(pair.answerable.features) for pair in pairs]
    return np.array(answerable), np.array([_row(pair.unanswerable.features) for pair in pairs])


def _row(features: Features) -> list[float]:
    return [float(getattr(features, name)) for name in TRAINED]


def _quantile(values: Numbers, share: float) -> float:
    return float(np.quantile(values, share))
