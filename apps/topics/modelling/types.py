"""The values of topic modelling. Pure; the worker fills them from the log, the suites from data sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]
Labels = NDArray[np.int64]
UNPLACED: Final = -1


class Method(StrEnum):
    """How the texts of a run were grouped."""

    NONE = "none"
    LISTED = "listed"
    AGGLOMERATIVE = "agglomerative"
    DENSITY = "density"
    SAMPLED = "sampled"
    ROUTINE = "routine"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Unique texts with their vectors, one row each, sorted by key: the order of the log never matters.

    ``vectors`` has shape (n, dimensions) and is *centred* (see ``vectors.centred``). ``weights`` are sessions.
    """

    keys: tuple[str, ...]
    texts: tuple[str, ...]
    vectors: Matrix
    weights: NDArray[np.float64]

    def __post_init__(self) -> None:
        if not len(self.keys) == len(self.texts) == len(self.vectors) == len(self.weights):
            raise ValueError("A corpus needs one text, one vector and one weight for each key.")
        if list(self.keys) != sorted(set(self.keys)):
            raise ValueError("The keys of a corpus are unique and sorted.")

    def __len__(self) -> int:
        return len(self.keys)

    def take(self, rows: Sequence[int] | NDArray[np.int64]) -> Corpus:
        """Return the corpus of some rows, in their old order."""
        kept = np.sort(np.asarray(rows, dtype=np.int64))
        return Corpus(
            tuple(self.keys[row] for row in kept),
            tuple(self.texts[row] for row in kept),
            self.vectors[kept],
            self.weights[kept],
        )


@dataclass(frozen=True, slots=True)
class Discovery:
    """What one look at a corpus proposes: a label per row, from 0, UNPLACED for none.

    ``tried`` names every attempt, in order; ``refusal`` is the reason why none of them is good enough, else empty.
    """

    labels: Labels
    method: Method
    tried: tuple[str, ...] = ()
    refusal: str = ""

    @property
    def count(self) -> int:
        """Return how many topics there are."""
        return int(self.labels.max(initial=UNPLACED)) + 1

    @property
    def unplaced_share(self) -> float:
        """Return which share of the texts belongs to no topic; 0 without a text."""
        return float(np.mean(self.labels == UNPLACED)) if len(self.labels) else 0.0

    @property
    def largest_share(self) -> float:
        """Return which share of the texts the largest topic has; 0 without a topic."""
        placed = self.labels[self.labels >= 0]
        return float(np.bincount(placed).max() / len(self.labels)) if len(placed) else 0.0


@dataclass(frozen=True, slots=True)
class Proposal:
    """A topic that a run proposes or goes on with: its rows of the corpus, its centre, and from where it takes texts.

    ``uid`` is empty for one that is new. ``floor`` is the least centred cosine of a member. ``locked`` rows were put
    there by an editor.
    """

    rows: NDArray[np.int64]
    centre: Matrix
    floor: float
    uid: str = ""
    locked: frozenset[int] = field(default_factory=frozenset)
