"""The run of an ordinary night: topics go on from where they are, and only what fits none of them is looked at anew.

A full discovery keeps 60 to 90 % of the topics when 4 % of the texts change; this keeps nearly all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from apps.topics.modelling import density, grouping
from apps.topics.modelling.discovery import LEAST_FOR_DENSITY, Cancelled, CancelledError
from apps.topics.modelling.identity import Known
from apps.topics.modelling.placing import floors_of, place
from apps.topics.modelling.types import UNPLACED, Corpus, Labels, Matrix
from apps.topics.modelling.vectors import centres_of, nearest, unit

_ROUNDS: Final = 2
# Below this many leftovers there is nothing to find.
_LEAST_POOL: Final = 8
# A newborn group must hang together (mean centred cosine to its centre)…
_COHESION: Final = 0.45
# …and be something else than what there is: centres nearer than this are one subject.
_TWIN: Final = 0.80
_LEAST_BIRTH: Final = 6


@dataclass(frozen=True, slots=True)
class Night:
    """What a night found: a number for each row; numbers below ``len(uids)`` are known topics, the rest newborn.

    ``similarities`` are the rows' cosines to the centre of their topic, -1 where unplaced.
    """

    labels: Labels
    similarities: Matrix
    centres: Matrix
    floors: Matrix
    uids: tuple[str, ...]
    born: int

    @property
    def count(self) -> int:
        return len(self.centres)


def go_on(corpus: Corpus, known: Sequence[Known], *, is_cancelled: Cancelled = lambda: False) -> Night:
    """Return tonight's topics. Texts keep their topic as long as they reach its floor; centres move with them."""
    uids = tuple(each.uid for each in known)
    locked = _locked_rows(corpus, known)
    centres = np.stack([each.centre for each in known]) if known else np.zeros((0, corpus.vectors.shape[1]), np.float32)
    floors = np.array([each.floor for each in known], dtype=np.float32)
    labels = _with_locked(place(corpus.vectors, centres, floors), locked)
    for _ in range(_ROUNDS):
        if is_cancelled():
            raise CancelledError
        centres = _moved(corpus, labels, centres)
        labels = _with_locked(place(corpus.vectors, centres, floors), locked)
    labels, centres, floors, born = _with_newborn(corpus, labels, centres, floors)
    labels = _with_locked(labels, locked)
    return Night(labels, _own_similarity(corpus, labels, centres), centres, floors, uids, born)


def refreshed_floors(corpus: Corpus, labels: Labels, centres: Matrix, before: Matrix) -> Matrix:
    """Return floors that follow the members slowly: one odd night must not make a topic swallow everything."""
    fresh = floors_of(corpus.vectors, labels, centres)
    known = len(before)
    fresh[:known] = 0.9 * before + 0.1 * fresh[:known]
    return fresh


def _moved(corpus: Corpus, labels: Labels, centres: Matrix) -> Matrix:
    """Return centres of the rows they have, each half where it was: a silent topic stays, a busy one follows."""
    fresh = centres_of(corpus.vectors, labels, len(centres))
    has_rows = np.bincount(labels[labels >= 0], minlength=len(centres)) > 0
    return np.where(has_rows[:, None], unit(centres + fresh), centres).astype(np.float32)


def _with_newborn(
    corpus: Corpus, labels: Labels, centres: Matrix, floors: Matrix
) -> tuple[Labels, Matrix, Matrix, int]:
    """Cluster what fits no topic. A group beside a known topic joins it; one of its own is born."""
    pool = np.flatnonzero(labels == UNPLACED)
    if len(pool) < _LEAST_POOL:
        return labels, centres, floors, 0
    vectors = corpus.vectors[pool]
    groups = pool_groups(vectors)
    fresh, born = labels.copy(), 0
    for group in range(int(groups.max(initial=UNPLACED)) + 1):
        inside = groups == group
        centre = unit(vectors[inside].mean(axis=0)[None])[0]
        cohesion = float((vectors[inside] @ centre).mean())
        if int(inside.sum()) < _LEAST_BIRTH or cohesion < _COHESION:
            continue
        near = centres @ centre if len(centres) else np.zeros(0, dtype=np.float32)
        if len(near) and near.max() >= _TWIN:
            fresh[pool[inside]] = int(near.argmax())
            continue
        own = vectors[inside] @ centre
        centres = np.vstack([centres, centre[None]])
        floors = np.append(floors, max(0.35, float(np.quantile(own, 0.1)))).astype(np.float32)
        fresh[pool[inside]] = len(centres) - 1
        born += 1
    return fresh, centres, floors, born


def pool_groups(vectors: Matrix) -> Labels:
    """Return groups of texts that fit no topic."""
    if len(vectors) < LEAST_FOR_DENSITY:
        return grouping.average_link(vectors)
    return density.density_clusters(density.reduced(vectors), smallest=density.smallest_cluster(len(vectors)))


def _locked_rows(corpus: Corpus, known: Sequence[Known]) -> Mapping[int, int]:
    where = {key: number for number, each in enumerate(known) for key in each.locked}
    return {row: where[key] for row, key in enumerate(corpus.keys) if key in where}


def _with_locked(labels: Labels, locked: Mapping[int, int]) -> Labels:
    for row, number in locked.items():
        labels[row] = number
    return labels


def _own_similarity(corpus: Corpus, labels: Labels, centres: Matrix) -> Matrix:
    found = np.full(len(corpus), -1.0, dtype=np.float32)
    placed = labels >= 0
    found[placed] = np.einsum("ij,ij->i", corpus.vectors[placed], centres[labels[placed]])
    return found


def similar_topics(centres: Matrix, least: float = _TWIN) -> list[tuple[int, int, float]]:
    """Return pairs of topics that may be one subject, the nearest first: proposals for an editor."""
    if len(centres) < 2:
        return []
    near = centres @ centres.T
    pairs = [(one, other, float(near[one, other])) for one in range(len(centres)) for other in range(one)]
    return sorted((pair for pair in pairs if pair[2] >= least), key=lambda pair: -pair[2])


def nearest_topics(vectors: Matrix, centres: Matrix) -> tuple[Labels, Matrix]:
    """Return each row's nearest topic and the cosine, whatever the floors say."""
    return nearest(vectors, centres)
