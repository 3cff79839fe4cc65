"""Who wins: the total order inside a stage, and the first point at which a rival is worse."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from apps.rules.types import LostBy, Stage


@dataclass(frozen=True, slots=True)
class Own:
    """How a rule's own condition holds. ``score`` is per mille, ``words`` counts what the order compares.

    ``phrase`` is the phrase's place in the rule, -1 at the token stage; ``mask`` has the question's tokens as bits.
    """

    stage: Stage
    score: int
    words: int
    phrase: int
    mask: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A candidate with what the total order compares, best first; ``number`` is the rule's in its index."""

    stage: int
    priority: int
    depth: int
    words: int
    score: int
    width: tuple[bool, timedelta]
    uid: str
    number: int
    own: Own

    @property
    def key(self) -> tuple[object, ...]:
        """Return what is smaller for the better of two candidates, and never equal."""
        return (self.stage, self.priority, -self.depth, -self.words, -self.score, self.width, self.uid)


_POINTS: Final = tuple(LostBy)


def lost_by(rival: Standing, winner: Standing) -> LostBy:
    """Return the first part of the order in which two candidates differ."""
    pairs = zip(rival.key, winner.key, strict=True)
    return next(point for point, (left, right) in zip(_POINTS, pairs, strict=True) if left != right)
