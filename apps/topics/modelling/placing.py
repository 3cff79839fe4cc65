"""Puts texts into topics that exist: by the nearest centre, and only above that topic's floor."""

from __future__ import annotations

from typing import Final

import numpy as np

from apps.topics.modelling.types import UNPLACED, Labels, Matrix
from apps.topics.modelling.vectors import centres_of, nearest

# A topic takes what is at least as near as the most distant twelfth of its own members…
FLOOR_QUANTILE: Final = 0.08
# …but nothing that has less to do with it than this centred cosine.
LEAST_FLOOR: Final = 0.35
# Few members say little about how far a topic reaches.
_FEW_MEMBERS: Final = 5
_FLOOR_OF_FEW: Final = 0.45


def floors_of(vectors: Matrix, labels: Labels, centres: Matrix) -> Matrix:
    """Return the floor of each topic, from its members' cosines to its centre."""
    floors = np.full(len(centres), _FLOOR_OF_FEW, dtype=np.float32)
    for number in range(len(centres)):
        own = vectors[labels == number] @ centres[number]
        if len(own) >= _FEW_MEMBERS:
            floors[number] = max(LEAST_FLOOR, float(np.quantile(own, FLOOR_QUANTILE)))
    return floors


def place(vectors: Matrix, centres: Matrix, floors: Matrix) -> Labels:
    """Return the topic of each row: the nearest whose floor it reaches, UNPLACED otherwise."""
    labels, similarities = nearest(vectors, centres)
    if len(centres):
        labels = np.where(similarities >= floors[labels], labels, UNPLACED)
    return np.asarray(labels, dtype=np.int64)


def spread_out(vectors: Matrix, points: Matrix, labels: Labels) -> Labels:
    """Give outliers of a clustering to the nearest topic where its floor allows; the rest stays UNPLACED."""
    count = int(labels.max(initial=UNPLACED)) + 1
    outliers = labels == UNPLACED
    if not count or not outliers.any():
        return labels
    centres = centres_of(vectors, labels, count)
    floors = floors_of(vectors, labels, centres)
    fresh = labels.copy()
    fresh[outliers] = place(vectors[outliers], centres, floors)
    return fresh
