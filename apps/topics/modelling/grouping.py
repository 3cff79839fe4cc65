"""Groups of few texts: near-duplicates below 30, average-link clusters from 30 to 299."""

from __future__ import annotations

from typing import Final

import numpy as np

from apps.topics.modelling.types import UNPLACED, Labels, Matrix

# From how similar on two wordings (0 to 100, by letters) are one question asked twice.
NEAR_DUPLICATE: Final = 88.0
# Cuts that are tried, as centred cosine distances.
_CUTS: Final = np.round(np.arange(0.40, 0.96, 0.025), 3)
_SMALLEST: Final = 3
# No group may hold more than this share: that would be "everything".
_LARGEST_SHARE: Final = 0.5


def near_duplicates(texts: tuple[str, ...]) -> Labels:
    """Return a group for each text, from 0: texts that differ by little more than a typo share one.

    Every text has a group; one of its own is not UNPLACED here. Meant for lists of some dozens: it compares all pairs.
    """
    from rapidfuzz import fuzz

    labels = np.full(len(texts), UNPLACED, dtype=np.int64)
    folded = [text.casefold() for text in texts]
    number = 0
    for row, text in enumerate(folded):
        if labels[row] != UNPLACED:
            continue
        labels[row] = number
        for other in range(row + 1, len(folded)):
            if labels[other] == UNPLACED and fuzz.ratio(text, folded[other]) >= NEAR_DUPLICATE:
                labels[other] = number
        number += 1
    return labels


def average_link(vectors: Matrix) -> Labels:
    """Return average-link clusters of centred rows, cut where the silhouette is best; loners stay UNPLACED.

    n x n memory: for some hundreds of rows. A cut counts by the mean silhouette over all rows, where a row without
    a cluster gives 0: neither a few tight pairs nor one big lump can win.
    """
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    distances = _distances(vectors)
    tree = linkage(squareform(distances, checks=False), method="average")
    best, best_score = np.full(len(vectors), UNPLACED, dtype=np.int64), 0.0
    for cut in _CUTS:
        labels = without_small(np.asarray(fcluster(tree, t=cut, criterion="distance"), dtype=np.int64), _SMALLEST)
        if np.bincount(labels[labels >= 0], minlength=1).max() > _LARGEST_SHARE * len(vectors):
            continue
        score = _silhouette(distances, labels)
        if score > best_score + 1e-9:
            best, best_score = labels, score
    return best


def average_link_at(vectors: Matrix, cut: float, least: int) -> Labels:
    """Return average-link clusters at a fixed centred cosine distance: for leftovers, which may be one group."""
    labels = np.full(len(vectors), UNPLACED, dtype=np.int64)
    if len(vectors) < 2:
        return labels
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    tree = linkage(squareform(_distances(vectors), checks=False), method="average")
    return without_small(np.asarray(fcluster(tree, t=cut, criterion="distance"), dtype=np.int64), least)


def _distances(vectors: Matrix) -> np.ndarray:
    distances = np.clip(1.0 - vectors.astype(np.float64) @ vectors.T.astype(np.float64), 0.0, 2.0)
    distances = (distances + distances.T) / 2
    np.fill_diagonal(distances, 0.0)
    return np.asarray(distances)


def without_small(labels: Labels, least: int) -> Labels:
    """Return the labels numbered from 0 in order of their first row, clusters below ``least`` rows UNPLACED."""
    fresh = np.full(len(labels), UNPLACED, dtype=np.int64)
    names, first, counts = np.unique(labels, return_index=True, return_counts=True)
    number = 0
    for place in np.argsort(first):
        if names[place] == UNPLACED or counts[place] < least:
            continue
        fresh[labels == names[place]] = number
        number += 1
    return fresh


def _silhouette(distances: np.ndarray, labels: Labels) -> float:
    """Return the mean silhouette of all rows (Rousseeuw 1987); UNPLACED ones count 0."""
    count = int(labels.max()) + 1
    if count < 2:
        return 0.0
    members = [labels == label for label in range(count)]
    sizes = np.array([int(mask.sum()) for mask in members])
    sums = np.stack([distances[:, mask].sum(axis=1) for mask in members], axis=1)
    placed = np.flatnonzero(labels >= 0)
    own = labels[placed]
    inside = sums[placed, own] / np.maximum(sizes[own] - 1, 1)
    means = sums[placed] / sizes
    means[np.arange(len(placed)), own] = np.inf
    outside = means.min(axis=1)
    widths = (outside - inside) / np.maximum(np.maximum(inside, outside), 1e-12)
    return float(widths.sum() / len(labels))
