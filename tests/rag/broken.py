"""Parts of the pipeline that break, hang or are missing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from apps.rag.protocols import Result, Vectors
from apps.rag.scripted import ScriptedRetriever
from apps.rag.types import Passage, SearchQuery


class BrokenRetriever(ScriptedRetriever):
    """Breaks at the search."""

    async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
        raise OSError(f"no search for {query.text}")


class VectorlessRetriever(ScriptedRetriever):
    """Its embedder is down; words still find something."""

    async def embed_question(self, text: str) -> Vectors:
        raise ValueError(f"no vector for {text}")


class HangingRetriever(ScriptedRetriever):
    """Never answers; counts how many searches wait."""

    waiting = 0

    async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
        self.waiting += 1
        try:
            await asyncio.sleep(3600)
        finally:
            self.waiting -= 1
        return []


class BrokenStatistics:
    """A corpus that cannot be counted."""

    async def idf(self, terms: Sequence[str], language: str) -> dict[str, float]:
        raise OSError("no statistics")


async def refuse_work(work: Callable[[], Result]) -> Result:
    """An executor that has shut down."""
    raise RuntimeError("cannot schedule new futures after shutdown")


class RecallBrokenRetriever(ScriptedRetriever):
    """Searches, but cannot fetch what it found before."""

    async def recall(self, query: SearchQuery, chunk_ids: Sequence[int]) -> Sequence[Passage]:
        raise OSError(f"no chunks for {query.text}")
