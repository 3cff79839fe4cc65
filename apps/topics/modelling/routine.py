"""The run of an ordinary night: topics go on from where they are, and only what fits none of them is looked at anew.

A full discovery keeps 60 to 90 % of the topics when 4 % of the texts change; this keeps nearly all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from apps.topics.modelling import density, grouping
from apps.topics.modelling.discovery import LEAST_FOR_DENSITY, Cancelled, CancelledError
from apps.topics.modelling.identity import Known
from apps.topics.modelling.placing import LEAST_FLOOR, floors_of, place
from apps.topics.modelling.types import UNPLACED, Corpus, Labels, Matrix
from apps.topics.modelling.vectors import centres_of, nearest, unit

_ROUNDS: Final = 2
# By so much another topic must be nearer before a member moves.
_CLEARLY: Final = 0.05
# Below this many leftovers there is nothing to find.
_LEAST_POOL: Final = 8
# Texts of a newborn group may lie no more than so much farther from each other than from anything asked before, in
# the mean: fragments of known subjects lie farther. Chosen on 30 held-out intents of CLINC150, reported on 30 others
# (topics:births).
_MARGIN: Final = -0.08
_OWN_NEAREST: Final = 3
_LEAST_BIRTH: Final = 5
# A group whose centre is nearer than this to a topic's is the same subject in other words.
_TWIN: Final = 0.80
# From here on two topics may be one subject. Every sixth such pair is, more among those that share a keyword as well,
# and half of all that are one are among them (CLINC150: 60 pairs, 10 of 20).
_MAY_BE_ONE: Final = 0.55
# Mean distance within a group of a few leftovers: questions on one subject lie at .5 to .6.
_CUT_OF_LEFTOVERS: Final = 0.62
# New subjects are small at first: with more neighbours they run into each other.
_NEIGHBOURS_OF_LEFTOVERS: Final = 10


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


def go_on(
    corpus: Corpus,
    known: Sequence[Known],
    *,
    settled: frozenset[str] = frozenset(),
    is_cancelled: Cancelled = lambda: False,
) -> Night:
    """Return tonight's topics. Texts keep their topic as long as they reach its floor; centres move with them.

    ``settled`` are keys that the last full discovery has seen: what it left unplaced is noise until the next one.
    """
    uids = tuple(each.uid for each in known)
    locked = _locked_rows(corpus, known)
    centres = np.stack([each.centre for each in known]) if known else np.zeros((0, corpus.vectors.shape[1]), np.float32)
    floors = np.array([each.floor for each in known], dtype=np.float32)
    before = _labels_before(corpus, known)
    labels = _with_locked(_placed(corpus, centres, floors, before), locked)
    for _ in range(_ROUNDS):
        if is_cancelled():
            raise CancelledError
        centres = _moved(corpus, labels, centres)
        labels = _with_locked(_placed(corpus, centres, floors, before), locked)
    is_old = (before >= 0) | np.array([key in settled for key in corpus.keys], dtype=bool)
    labels, centres, floors, born = _with_newborn(corpus, labels, centres, floors, is_old)
    labels = _recruited(corpus, labels, centres, floors, born, is_old)
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
    corpus: Corpus, labels: Labels, centres: Matrix, floors: Matrix, is_old: NDArray[np.bool_]
) -> tuple[Labels, Matrix, Matrix, int]:
    """Cluster what fits no topic. A group beside a known topic joins it; one of its own is born."""
    pool = np.flatnonzero((labels == UNPLACED) & ~is_old)
    if len(pool) < _LEAST_POOL:
        return labels, centres, floors, 0
    vectors = corpus.vectors[pool]
    groups = pool_groups(vectors)
    old = corpus.vectors[is_old]
    fresh, born = labels.copy(), 0
    for group in range(int(groups.max(initial=UNPLACED)) + 1):
        inside = groups == group
        centre = unit(vectors[inside].mean(axis=0)[None])[0]
        near = centres @ centre if len(centres) else np.zeros(0, dtype=np.float32)
        if len(near) and near.max() >= _TWIN:
            fresh[pool[inside]] = int(near.argmax())
            continue
        if int(inside.sum()) < _LEAST_BIRTH or _apart_by(vectors[inside], old) < _MARGIN:
            continue
        own = vectors[inside] @ centre
        centres = np.vstack([centres, centre[None]])
        floors = np.append(floors, max(LEAST_FLOOR, float(np.quantile(own, 0.1)))).astype(np.float32)
        fresh[pool[inside]] = len(centres) - 1
        born += 1
    return fresh, centres, floors, born


def _labels_before(corpus: Corpus, known: Sequence[Known]) -> Labels:
    where = {key: number for number, each in enumerate(known) for key in each.members}
    return np.array([where.get(key, UNPLACED) for key in corpus.keys], dtype=np.int64)


def _placed(corpus: Corpus, centres: Matrix, floors: Matrix, before: Labels) -> Labels:
    """Place all texts; a member stays where it is unless another topic is clearly nearer: centres move a little."""
    labels = place(corpus.vectors, centres, floors)
    members = np.flatnonzero(before >= 0)
    if len(members):
        scores = corpus.vectors[members] @ centres.T
        own = scores[np.arange(len(members)), before[members]]
        stays = scores.max(axis=1) - own < _CLEARLY
        labels[members[stays]] = before[members][stays]
    return labels


def _apart_by(vectors: Matrix, old: Matrix) -> float:
    """Return by how much the rows lie nearer to their nearest fellows than to anything old, in the mean."""
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1.0)
    fellows = np.sort(cosines, axis=1)[:, ::-1][:, :_OWN_NEAREST].mean(axis=1)
    return float((fellows - nearest(vectors, old)[1]).mean()) if len(old) else 1.0


def _recruited(
    corpus: Corpus, labels: Labels, centres: Matrix, floors: Matrix, born: int, is_old: NDArray[np.bool_]
) -> Labels:
    """Give newborn topics what is new and nearer to them than to where it was put before they were there."""
    if not born:
        return labels
    first, rows, fresh = len(centres) - born, np.flatnonzero(~is_old), labels.copy()
    best, scores = nearest(corpus.vectors[rows], centres[first:])
    taken = (scores >= floors[first:][best]) & (scores > _own_similarity(corpus, labels, centres)[rows])
    fresh[rows[taken]] = first + best[taken]
    return fresh


def pool_groups(vectors: Matrix) -> Labels:
    """Return groups of texts that fit no topic."""
    if len(vectors) < LEAST_FOR_DENSITY:
        return grouping.average_link_at(vectors, _CUT_OF_LEFTOVERS, _LEAST_BIRTH)
    smallest = max(_LEAST_BIRTH, round(0.002 * len(vectors)))
    points = density.reduced(vectors, neighbours=_NEIGHBOURS_OF_LEFTOVERS)
    return density.density_clusters(points, smallest=smallest, selection="leaf")


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


def similar_topics(centres: Matrix, least: float = _MAY_BE_ONE) -> list[tuple[int, int, float]]:
    """Return pairs of topics that may be one subject, the nearest first: for an editor to decide."""
    if len(centres) < 2:
        return []
    near = centres @ centres.T
    pairs = [(one, other, float(near[one, other])) for one in range(len(centres)) for other in range(one)]
    return sorted((pair for pair in pairs if pair[2] >= least), key=lambda pair: -pair[2])
