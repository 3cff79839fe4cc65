"""Map and hierarchy of the topics: figures that only the worker can make, stored as plain JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from apps.topics.modelling.discovery import LEAST_FOR_DENSITY, sample_rows
from apps.topics.modelling.types import Corpus, Labels, Matrix
from apps.topics.models import StoredChart, Topic
from apps.topics.services.corpus import LogCorpus
from apps.topics.services.proposing import Proposal

MOST_POINTS: Final = 5_000
_MOST_BRANCHES: Final = 8


def charts_store(*, log: LogCorpus, proposal: Proposal, topics: Sequence[Topic]) -> None:
    """Store the map of texts and topics, and the tree of topics. The map names no text: points have only a topic."""
    rows = sample_rows(log.corpus, MOST_POINTS)
    part, labels = log.corpus.take(rows), proposal.labels[rows]
    points = flat(part)
    places = _topic_places(points, labels, len(topics))
    points, places = _turned(points, places, topics)
    for topic, place in zip(topics, places, strict=True):
        topic.map_x, topic.map_y = (None, None) if np.isnan(place).any() else (float(place[0]), float(place[1]))
    Topic.objects.bulk_update(topics, ["map_x", "map_y"], batch_size=1_000)
    ids = [topics[label].pk if label >= 0 else 0 for label in labels]
    chart = {
        "x": [round(float(x), 3) for x in points[:, 0]],
        "y": [round(float(y), 3) for y in points[:, 1]],
        "topic": ids,
        "texts": len(log.corpus),
    }
    StoredChart.objects.update_or_create(name="map", defaults={"data": chart})
    branches = branches_of(proposal.centres)
    tree = {"branch": {str(topic.pk): branch for topic, branch in zip(topics, branches, strict=True)}}
    StoredChart.objects.update_or_create(name="tree", defaults={"data": tree})


def flat(corpus: Corpus) -> Matrix:
    """Return two dimensions for each text, between -1 and 1."""
    from apps.topics.modelling.density import SEED

    if len(corpus) < LEAST_FOR_DENSITY:
        points = _principal(corpus.vectors)
    else:
        from umap import UMAP

        model = UMAP(
            n_neighbors=15, n_components=2, min_dist=0.1, metric="cosine", random_state=SEED, n_jobs=1, init="pca"
        )
        points = np.asarray(model.fit_transform(corpus.vectors), dtype=np.float32)
    moved = points - points.mean(axis=0)
    return np.asarray(moved / max(float(np.abs(moved).max(initial=0.0)), 1e-9), dtype=np.float32)


def _principal(vectors: Matrix) -> Matrix:
    """Return the two main directions, each with the sign that makes its largest weight positive."""
    moved = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(moved, full_matrices=False)
    axes = directions[:2]
    signs = np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])
    found = moved @ (axes * signs[:, None]).T
    return np.asarray(np.pad(found, ((0, 0), (0, 2 - found.shape[1]))), dtype=np.float32)


def _topic_places(points: Matrix, labels: Labels, count: int) -> Matrix:
    places = np.full((count, 2), np.nan, dtype=np.float32)
    for number in range(count):
        inside = labels == number
        if inside.any():
            places[number] = np.median(points[inside], axis=0)
    return places


def _turned(points: Matrix, places: Matrix, topics: Sequence[Topic]) -> tuple[Matrix, Matrix]:
    """Turn and mirror the map so that topics lie where they lay before (orthogonal Procrustes)."""
    both = [
        number
        for number, topic in enumerate(topics)
        if topic.map_x is not None and topic.map_y is not None and not np.isnan(places[number]).any()
    ]
    if len(both) < 3:
        return points, places
    old = np.array([[topics[number].map_x, topics[number].map_y] for number in both], dtype=np.float64)
    left, _, right = np.linalg.svd(places[both].astype(np.float64).T @ old)
    turn = (left @ right).astype(np.float32)
    return points @ turn, places @ turn


def branches_of(centres: Matrix) -> list[int]:
    """Return the branch of each topic, from 0: at most eight, by average linkage of the centres."""
    if len(centres) < 3:
        return [0] * len(centres)
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    distances = np.clip(1.0 - centres.astype(np.float64) @ centres.T.astype(np.float64), 0.0, 2.0)
    distances = (distances + distances.T) / 2
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform(distances, checks=False), method="average")
    wanted = min(_MOST_BRANCHES, max(2, round(len(centres) ** 0.5)))
    cut = np.asarray(fcluster(tree, t=wanted, criterion="maxclust"))
    return [int(number) for number in np.unique(cut, return_inverse=True)[1]]
