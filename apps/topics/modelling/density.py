"""UMAP and HDBSCAN over unique texts: for 300 and more of them. Only the worker ever calls this."""

from __future__ import annotations

import warnings
from typing import Final

import numpy as np

from apps.topics.modelling.grouping import without_small
from apps.topics.modelling.types import UNPLACED, Labels, Matrix

SEED: Final = 20250223
_NEIGHBOURS: Final = 15
_COMPONENTS: Final = 5
_SMALLEST: Final = 8
_SHARE_OF_ALL: Final = 0.002
_PICTURES: Final = 3
_MOST_FOR_PICTURES: Final = 6_000


def smallest_cluster(texts: int) -> int:
    """Return from how many texts on a group is a topic."""
    return max(_SMALLEST, round(_SHARE_OF_ALL * texts))


def reduced(vectors: Matrix, neighbours: int = _NEIGHBOURS) -> Matrix:
    """Return the rows in few dimensions; the same rows in the same order always give the same ones.

    One picture depends on the draw of its seed (on xSID-de NMI .81 to .86). Up to 6,000 rows three are laid side by
    side, so that a distance is the mean of three. The rows must be unique: with duplicates a seed does not hold
    (umap-learn 0.5.12, issue 1277).
    """
    pictures = _PICTURES if len(vectors) <= _MOST_FOR_PICTURES else 1
    return np.hstack([_scaled(_picture(vectors, SEED + number, neighbours)) for number in range(pictures)])


def _picture(vectors: Matrix, seed: int, neighbours: int) -> Matrix:
    from umap import UMAP

    rows = len(vectors)
    model = UMAP(
        n_neighbors=min(neighbours, rows - 1),
        n_components=min(_COMPONENTS, rows - 2),
        min_dist=0.0,
        metric="cosine",
        random_state=seed,
        n_jobs=1,
        # A spectral start fails on few points and costs minutes on many.
        init="pca",
        low_memory=True,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(model.fit_transform(vectors), dtype=np.float32)


def _scaled(points: Matrix) -> Matrix:
    """Return points of mean squared length 1, so that no picture outweighs another."""
    moved = points - points.mean(axis=0)
    length = float(np.sqrt((moved**2).sum(axis=1).mean()))
    return np.asarray(moved / max(length, 1e-9), dtype=np.float32)


def density_clusters(
    points: Matrix, *, smallest: int, largest_share: float | None = None, selection: str = "eom"
) -> Labels:
    """Return HDBSCAN's clusters of reduced rows, numbered from 0 by their first row; UNPLACED for outliers.

    ``largest_share`` caps a cluster; ``selection`` is HDBSCAN's: "eom" for few broad ones, "leaf" for many fine ones.
    """
    from hdbscan import HDBSCAN

    rows = len(points)
    model = HDBSCAN(
        min_cluster_size=smallest,
        min_samples=None,
        metric="euclidean",
        cluster_selection_method=selection,
        max_cluster_size=int(largest_share * rows) if largest_share else 0,
        core_dist_n_jobs=1,
    )
    labels = np.asarray(model.fit_predict(points.astype(np.float64)), dtype=np.int64)
    return without_small(np.where(labels < 0, UNPLACED, labels), smallest)
