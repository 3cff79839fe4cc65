"""Search for the pipeline: async outside, one bounded pool of threads inside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, Final, TypeVar

from django.db import connection

from apps.documents.embedding import embed_question
from apps.documents.search.scoring import recall
from apps.documents.search.searching import search
from apps.rag.protocols import Vectors
from apps.rag.types import Passage, SearchQuery

Result = TypeVar("Result")

_THREADS_WITHOUT_POOL: Final = 6
# The pages around a search need connections too.
_LEFT_FOR_PAGES: Final = 2


class HybridRetriever:
    """Implements ``rag.protocols.Retriever`` over documents/search.

    What it reads of the sources is kept under the index version ``index``; "" keeps nothing.
    """

    def __init__(self, index: str = "") -> None:
        self._index = index

    async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
        """Return at most ``query.top_k`` passages, best first."""
        return await run_search(lambda: search(query, self._index))

    async def recall(self, query: SearchQuery, chunk_ids: Sequence[int]) -> Sequence[Passage]:
        """Return those of these chunks that the filters let through, scored for the query."""
        return await run_search(lambda: recall(query, chunk_ids))

    async def embed_question(self, text: str) -> Vectors:
        """Return the question's vector, the same that the search uses; raise ValueError for an empty text."""
        return await run_search(lambda: embed_question(text))


async def run_search(work: Callable[[], Result]) -> Result:
    """Run sync work on the pool of search threads and give its database connection back."""
    return await asyncio.get_running_loop().run_in_executor(_threads(), lambda: _returning_connection(work))


def _returning_connection(work: Callable[[], Result]) -> Result:
    try:
        return work()
    finally:
        connection.close()


@lru_cache(maxsize=1)
def _threads() -> ThreadPoolExecutor:
    """One pool for the process, smaller than the connection pool: more threads would only wait for connections."""
    options: dict[str, Any] = connection.settings_dict.get("OPTIONS", {})
    pool = options.get("pool") or {}
    most = int(pool.get("max_size", _THREADS_WITHOUT_POOL)) if isinstance(pool, dict) else _THREADS_WITHOUT_POOL
    return ThreadPoolExecutor(max_workers=max(1, most - _LEFT_FOR_PAGES), thread_name_prefix="search")
