"""Which found group is which topic? Topics keep their identity by their members, never by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from apps.topics.modelling.grouping import without_small
from apps.topics.modelling.types import UNPLACED, Corpus, Labels, Matrix

_SAME: Final = 0.5
_CONTAINED: Final = 0.6
_PART: Final = 0.3
_SAME_CENTRE: Final = 0.85
# With fewer texts in common their overlap says nothing: the centres decide.
_FEW_SHARED: Final = 5
# Of a group that has lost members to kept topics so many must be left.
_FEWEST: Final = 3


class Kind(StrEnum):
    """What became of a topic in a run."""

    CONTINUE = "continue"
    BIRTH = "birth"
    SPLIT = "split"
    MERGE = "merge"
    DEATH = "death"


@dataclass(frozen=True, slots=True)
class Known:
    """A topic as the run finds it. ``members`` are keys; ``is_kept`` where a person's work hangs on it."""

    uid: str
    members: frozenset[str]
    centre: Matrix
    floor: float
    is_kept: bool = False
    locked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the lineage: ``old`` is empty at a birth, ``new`` is the found group or -1 at a death."""

    kind: Kind
    old: str
    new: int
    overlap: float


@dataclass(frozen=True, slots=True)
class Matching:
    """Which group goes on as which topic, the lineage, and the share of the topics that live on."""

    uids: Mapping[int, str]
    steps: tuple[Step, ...]
    survival: float


def with_kept(corpus: Corpus, labels: Labels, kept: Sequence[Known]) -> Labels:
    """Return the found groups behind the topics on which a person's work hangs.

    The members of each of those, all parts where topics were merged, are one group: they have the first numbers, in the
    order of ``kept``, and no row where nobody asks any more. What is new in a group that was mostly theirs goes to the
    nearest of those topics whose floor it reaches, and is unplaced otherwise. The other groups follow.
    """
    fresh, owner = labels.copy(), np.full(len(corpus), UNPLACED, dtype=np.int64)
    for number, rows in enumerate(_rows_of(corpus, kept)):
        owner[rows] = number
    for group in range(int(labels.max(initial=UNPLACED)) + 1):
        rows = np.flatnonzero(labels == group)
        newcomers = rows[owner[rows] < 0]
        if len(newcomers) <= (1 - _SAME) * len(rows):
            fresh[newcomers] = UNPLACED
            owner[newcomers] = _nearest_owner(corpus.vectors[newcomers], kept, np.unique(owner[rows]))
    fresh[owner >= 0] = UNPLACED
    rest = without_small(fresh, _FEWEST)
    return np.where(owner >= 0, owner, np.where(rest >= 0, rest + len(kept), UNPLACED))


def _nearest_owner(vectors: Matrix, kept: Sequence[Known], owners: Labels) -> Labels:
    """Return for each row the nearest of some kept topics whose floor it reaches, UNPLACED for none."""
    numbers = owners[owners >= 0]
    if not len(vectors):
        return np.zeros(0, dtype=np.int64)
    scores = vectors @ np.stack([kept[number].centre for number in numbers]).T
    best = scores.argmax(axis=1)
    floors = np.array([kept[number].floor for number in numbers])
    return np.where(scores.max(axis=1) >= floors[best], numbers[best], UNPLACED)


def match(corpus: Corpus, labels: Labels, known: Sequence[Known], centres: Matrix) -> Matching:
    """Return the best one-to-one continuation of topics by shared texts, weighted by sessions (Kuhn 1955).

    Continued where the Jaccard overlap is .5 or more, or each is the other's best and one holds 60 % of the other; with
    hardly a text in common where the centres are nearly the same.
    """
    from scipy.optimize import linear_sum_assignment

    count = len(centres)
    shared, old_sizes, new_sizes, texts = _overlaps(corpus, labels, known, count)
    union = old_sizes[:, None] + new_sizes[None, :] - shared
    jaccard = np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)
    near = np.stack([each.centre for each in known]) @ centres.T if known and count else np.zeros((len(known), count))
    score = np.where(texts >= _FEW_SHARED, jaccard, np.where(near >= _SAME_CENTRE, 0.4 * near, jaccard))
    uids: dict[int, str] = {}
    steps: list[Step] = []
    olds, news = linear_sum_assignment(-score) if known and count else ((), ())
    for old, new in zip(olds, news, strict=True):
        if _goes_on(old, new, jaccard, shared, old_sizes, new_sizes, near, texts):
            uids[int(new)] = known[old].uid
            steps.append(Step(Kind.CONTINUE, known[old].uid, int(new), round(float(jaccard[old, new]), 4)))
    steps += _others(known, count, uids, shared, old_sizes, new_sizes)
    alive = [old for old, each in enumerate(known) if old_sizes[old] > 0]
    continued = set(uids.values())
    survival = sum(known[old].uid in continued for old in alive) / len(alive) if alive else 1.0
    return Matching(uids, tuple(steps), survival)


def _rows_of(corpus: Corpus, known: Sequence[Known]) -> list[np.ndarray]:
    place = {key: row for row, key in enumerate(corpus.keys)}
    return [np.array(sorted(place[key] for key in each.members if key in place), dtype=np.int64) for each in known]


def _overlaps(
    corpus: Corpus, labels: Labels, known: Sequence[Known], count: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return shared weights (old x new), sizes of both within texts that were placed before, and shared texts."""
    shared = np.zeros((len(known), count))
    texts = np.zeros((len(known), count))
    rows_of = _rows_of(corpus, known)
    seen = np.zeros(len(corpus), dtype=bool)
    for old, rows in enumerate(rows_of):
        seen[rows] = True
        placed = rows[labels[rows] >= 0]
        np.add.at(shared[old], labels[placed], corpus.weights[placed])
        np.add.at(texts[old], labels[placed], 1)
    old_sizes = np.array([corpus.weights[rows].sum() for rows in rows_of])
    new_sizes = np.zeros(count)
    counted = seen & (labels >= 0)
    np.add.at(new_sizes, labels[counted], corpus.weights[counted])
    return shared, old_sizes, new_sizes, texts


def _goes_on(
    old: int,
    new: int,
    jaccard: np.ndarray,
    shared: np.ndarray,
    old_sizes: np.ndarray,
    new_sizes: np.ndarray,
    near: np.ndarray,
    texts: np.ndarray,
) -> bool:
    if jaccard[old, new] >= _SAME:
        return True
    if texts[old, new] < _FEW_SHARED and texts[old].sum() < _FEW_SHARED:
        return bool(near[old, new] >= _SAME_CENTRE)
    is_mutual = shared[old].argmax() == new and shared[:, new].argmax() == old
    smaller = min(old_sizes[old], new_sizes[new])
    return bool(is_mutual and smaller > 0 and shared[old, new] / smaller >= _CONTAINED)


def _others(
    known: Sequence[Known],
    count: int,
    uids: Mapping[int, str],
    shared: np.ndarray,
    old_sizes: np.ndarray,
    new_sizes: np.ndarray,
) -> list[Step]:
    """Tell births from splits and deaths from merges."""
    steps: list[Step] = []
    for new in range(count):
        if new in uids:
            continue
        parts = shared[:, new] / np.maximum(old_sizes, 1e-9) if len(known) else np.zeros(0)
        best = int(parts.argmax()) if len(parts) else -1
        is_split = best >= 0 and parts[best] >= _PART and shared[best, new] >= 0.5 * new_sizes[new] > 0
        origin = known[best].uid if is_split else ""
        overlap = round(float(parts[best]), 4) if origin else 0.0
        steps.append(Step(Kind.SPLIT if origin else Kind.BIRTH, origin, new, overlap))
    continued = set(uids.values())
    for old, each in enumerate(known):
        if each.uid in continued or old_sizes[old] <= 0:
            continue
        into = int(shared[old].argmax()) if count else -1
        share = float(shared[old, into] / old_sizes[old]) if into >= 0 else 0.0
        is_merge = share >= _SAME and into in uids
        steps.append(Step(Kind.MERGE if is_merge else Kind.DEATH, each.uid, into if is_merge else -1, round(share, 4)))
    return steps
