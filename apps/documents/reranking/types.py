"""What a reranker gets and promises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from apps.rag.protocols import Vectors
from apps.rag.types import Passage


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as search read it: words without party names, its vector, its terms with their weight.

    ``spread`` is by how much the embedder's cosines differ within a question. ``vector`` is None without an embedder.
    """

    text: str
    vector: Vectors | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    spread: float = 0.03


class Reranker(Protocol):
    """Orders passages for a question. Sync and safe in threads; the same input gives the same order."""

    @property
    def name(self) -> str:
        """Return what the signals object shows as the reranker."""

    def rerank(self, asked: Asked, passages: Sequence[Passage]) -> list[Passage]:
        """Return all passages, best first, with ``scores.reranked`` set."""


def ordered_by(passages: Sequence[Passage], scores: Sequence[float]) -> list[Passage]:
    """Return the passages by falling score, ties in the order given."""
    ranked = [
        replace(passage, scores=replace(passage.scores, reranked=float(score)))
        for passage, score in zip(passages, scores, strict=True)
    ]
    return sorted(ranked, key=lambda passage: -passage.scores.reranked)
