"""A retriever with given passages, for tests and for pages without a search behind them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apps.rag.protocols import Vectors
from apps.rag.types import Passage, SearchQuery


class ScriptedRetriever:
    """Returns the given passages that the filters let through, in their order, and remembers what it was asked."""

    def __init__(self, passages: Sequence[Passage], *, vector: Sequence[float] = (1.0, 0.0)) -> None:
        self.queries: list[SearchQuery] = []
        self._passages = tuple(passages)
        self._vector = np.asarray(vector, dtype=np.float32)

    async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
        """Return at most ``query.top_k`` passages of the parties, kinds and languages that the filters name."""
        self.queries.append(query)
        limits = query.filters
        allowed = [
            passage
            for passage in self._passages
            if (not limits.party_slugs or passage.source.party_slug in limits.party_slugs)
            and (not limits.kinds or passage.source.kind in limits.kinds)
            and (not limits.languages or passage.source.language in limits.languages)
        ]
        return allowed[: query.top_k]

    async def embed_question(self, text: str) -> Vectors:
        """Return the given vector for every text."""
        return self._vector
