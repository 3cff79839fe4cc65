"""Finds topics in texts, by a method that suits how many there are. Same texts, same topics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from apps.topics.modelling import density, grouping, guards
from apps.topics.modelling.placing import floors_of, place, spread_out
from apps.topics.modelling.types import UNPLACED, Corpus, Discovery, Labels, Method
from apps.topics.modelling.vectors import centres_of

LEAST_FOR_TOPICS: Final = 30
LEAST_FOR_DENSITY: Final = 300
MOST_AT_ONCE: Final = 50_000

Cancelled = Callable[[], bool]


class CancelledError(Exception):
    """Somebody has stopped the run."""


def discover(corpus: Corpus, *, is_cancelled: Cancelled = lambda: False) -> Discovery:
    """Return topics of a corpus; with a ``refusal`` where no method gives good ones, never an exception for a size."""
    rows = len(corpus)
    nowhere = np.full(rows, UNPLACED, dtype=np.int64)
    if rows == 0:
        return Discovery(nowhere, Method.NONE, refusal="no_texts")
    if rows < LEAST_FOR_TOPICS:
        return Discovery(nowhere, Method.LISTED, refusal="too_few_texts")
    if len(np.unique(corpus.vectors, axis=0)) < guards.FEWEST:
        return Discovery(nowhere, Method.NONE, refusal="too_few_topics")
    if rows < LEAST_FOR_DENSITY:
        found = Discovery(grouping.average_link(corpus.vectors), Method.AGGLOMERATIVE, ("average link",))
        return replace(found, refusal=guards.refusal(found))
    if rows <= MOST_AT_ONCE:
        return _by_density(corpus, is_cancelled)
    return _by_sample(corpus, is_cancelled)


def _by_density(corpus: Corpus, is_cancelled: Cancelled) -> Discovery:
    """Try broad clusters, then capped ones, then fine ones; the first that passes the guards."""
    points = density.reduced(corpus.vectors)
    smallest = density.smallest_cluster(len(corpus))
    attempts: list[tuple[str, Callable[[], Labels]]] = [
        ("broad", lambda: density.density_clusters(points, smallest=smallest)),
        ("capped", lambda: density.density_clusters(points, smallest=smallest, largest_share=guards.LARGEST_SHARE)),
        ("fine", lambda: density.density_clusters(points, smallest=smallest, selection="leaf")),
    ]
    tried: list[str] = []
    found = Discovery(np.full(len(corpus), UNPLACED, dtype=np.int64), Method.DENSITY)
    for name, attempt in attempts:
        if is_cancelled():
            raise CancelledError
        tried.append(name)
        labels = attempt()
        labels = spread_out(corpus.vectors, points, labels)
        found = Discovery(labels, Method.DENSITY, tuple(tried))
        reason = guards.refusal(found)
        if not reason:
            return found
        found = replace(found, refusal=reason)
    return found


def _by_sample(corpus: Corpus, is_cancelled: Cancelled) -> Discovery:
    """Find topics in an even sample (keys are hashes: every n-th is one), then place the rest."""
    rows = sample_rows(corpus, MOST_AT_ONCE)
    part = corpus.take(rows)
    found = _by_density(part, is_cancelled)
    centres = centres_of(part.vectors, found.labels, found.count)
    floors = floors_of(part.vectors, found.labels, centres)
    labels = place(corpus.vectors, centres, floors)
    labels[rows] = found.labels
    return Discovery(labels, Method.SAMPLED, found.tried, found.refusal)


def sample_rows(corpus: Corpus, most: int) -> np.ndarray:
    """Return at most ``most`` rows, spread evenly over the keys."""
    return np.unique(np.linspace(0, len(corpus) - 1, min(most, len(corpus))).round().astype(np.int64))
