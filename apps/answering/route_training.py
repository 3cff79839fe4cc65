"""Trains the models of routing on utterances of our own. Called by the command train_routing."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from apps.rag.routing_model import SCALE, RoutingModel, features

Numbers = NDArray[np.float64]

UTTERANCES: Final = Path(__file__).with_name("utterances")
SEARCH: Final = "search"
# Chosen on one half of the intents and questions that the suite routing measures with.
THRESHOLD: Final = 0.85
_FILES: Final = ("small_talk.txt", "advice.txt", "questions.txt")
# A line with many alternatives says them all, but not in every combination.
_MOST_OF_A_LINE: Final = 24
_SEEN_OFTEN: Final = 3
# What moves a score by less is left out: the file shall stay small.
_SMALLEST_OF_GATE: Final = 20
_SMALLEST_WEIGHT: Final = 1.5
_GATE_STEPS: Final = 400
_RATE: Final = 0.05
_RIDGE: Final = 3e-6
_CODE_STEPS: Final = 200
_CODE_RIDGE: Final = 1e-5


@dataclass(frozen=True, slots=True)
class Utterance:
    """What somebody may write, and the code of the reply; SEARCH for a question."""

    text: str
    code: str


@dataclass(frozen=True, slots=True)
class _Table:
    """Texts as rows of features: the places that are not zero, and their values."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: Numbers
    shape: tuple[int, int]

    def times(self, weights: Numbers) -> Numbers:
        """Return the product with one weight per feature."""
        return np.bincount(self.rows, self.values * weights[self.columns], self.shape[0]).astype(np.float64)

    def transposed_times(self, slopes: Numbers) -> Numbers:
        """Return the transposed product with one number per text."""
        return np.bincount(self.columns, self.values * slopes[self.rows], self.shape[1]).astype(np.float64)


def read_utterances(folder: Path = UTTERANCES) -> list[Utterance]:
    """Return all utterances, the alternatives of each line written out."""
    found: list[Utterance] = []
    for name in _FILES:
        code = ""
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            if line.startswith("["):
                code = line.strip("[]")
            elif line.strip() and not line.startswith("#"):
                found += [Utterance(text, code) for text in written_out(line)]
    return found


def written_out(line: str) -> list[str]:
    """Return what a line with alternatives in brackets stands for; each alternative is there at least once."""
    pools = [part.split("|") if place % 2 else [part] for place, part in enumerate(re.split(r"\(([^()]*)\)", line))]
    chosen = list(product(*pools)) if np.prod([len(pool) for pool in pools]) <= _MOST_OF_A_LINE else _some(pools, line)
    texts = (re.sub(r"\s+", " ", re.sub(r" +([?.,:])", r"\1", "".join(parts))).strip() for parts in chosen)
    return list(dict.fromkeys(texts))


def _some(pools: Sequence[Sequence[str]], line: str) -> list[tuple[str, ...]]:
    chance = random.Random(line)
    number = max(_MOST_OF_A_LINE, *(len(pool) for pool in pools))
    columns = [[pool[place % len(pool)] for place in range(number)] for pool in pools]
    for column in columns:
        chance.shuffle(column)
    return list(zip(*columns, strict=True))


def train(utterances: Sequence[Utterance], threshold: float = THRESHOLD) -> RoutingModel:
    """Return both models fitted on all utterances, in whole hundredths as they are shipped."""
    is_talk = np.array([utterance.code != SEARCH for utterance in utterances], dtype=np.float64)
    texts = [utterance.text for utterance in utterances]
    known = _vocabulary(texts)
    balance = np.where(is_talk == 1, 1.0, is_talk.sum() / max(1.0, (1 - is_talk).sum()))
    weights, intercept = _fit(_table(texts, known), is_talk, balance, _RIDGE, _GATE_STEPS)
    gate = {
        feature: whole for feature, place in known.items() if abs(whole := _whole(weights[place])) >= _SMALLEST_OF_GATE
    }
    names, intercepts, codes = _codes([utterance for utterance in utterances if utterance.code != SEARCH])
    return RoutingModel(threshold, round(intercept, 3), gate, names, intercepts, codes)


def _codes(talk: Sequence[Utterance]) -> tuple[tuple[str, ...], tuple[float, ...], dict[str, dict[str, int]]]:
    """One model for each code against the others."""
    names = tuple(dict.fromkeys(utterance.code for utterance in talk))
    texts = [utterance.text for utterance in talk]
    known = _vocabulary(texts)
    table = _table(texts, known)
    intercepts: list[float] = []
    codes: dict[str, dict[str, int]] = {}
    for number, name in enumerate(names):
        is_it = np.array([utterance.code == name for utterance in talk], dtype=np.float64)
        weights, intercept = _fit(table, is_it, np.ones(len(talk)), _CODE_RIDGE, _CODE_STEPS)
        intercepts.append(round(intercept, 3))
        for feature, place in known.items():
            if abs(weights[place]) >= _SMALLEST_WEIGHT:
                whole = _whole(weights[place])
                codes.setdefault(feature, {})[str(number)] = whole
    return names, tuple(intercepts), codes


def _fit(table: _Table, labels: Numbers, balance: Numbers, ridge: float, steps: int) -> tuple[Numbers, float]:
    """Return weights and intercept of a logistic regression with a ridge, by Adam over all rows at once."""
    weights = np.zeros(table.shape[1] + 1)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        likely = 1 / (1 + np.exp(-(table.times(weights[:-1]) + weights[-1])))
        errors = balance * (likely - labels) / balance.sum()
        slope = np.append(table.transposed_times(errors) + ridge * weights[:-1], errors.sum())
        first = 0.9 * first + 0.1 * slope
        second = 0.99 * second + 0.01 * slope**2
        weights = weights - _RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
    return weights[:-1], float(weights[-1])


def _vocabulary(texts: Sequence[str]) -> dict[str, int]:
    counted = Counter(feature for text in texts for feature in features(text))
    often = sorted(feature for feature, count in counted.items() if count >= _SEEN_OFTEN)
    return {feature: place for place, feature in enumerate(often)}


def _table(texts: Sequence[str], known: dict[str, int]) -> _Table:
    entries = list(_entries(texts, known))
    rows, columns, values = (np.array(column) for column in zip(*entries, strict=True))
    return _Table(rows, columns, values, (len(texts), len(known)))


def _entries(texts: Sequence[str], known: dict[str, int]) -> Iterator[tuple[int, int, float]]:
    for row, text in enumerate(texts):
        found = features(text)
        places = sorted(known[feature] for feature in found if feature in known)
        yield from ((row, place, len(found) ** -0.5) for place in places)


def _whole(weight: float) -> int:
    return round(float(weight) * SCALE)
