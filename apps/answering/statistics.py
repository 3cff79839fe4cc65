"""How rare the corpus finds the words of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.documents.search.retriever import run_search
from apps.documents.search.weighing import term_idf


class CorpusStatistics:
    """Implements ``rag.protocols.TermStatistics`` over the word index."""

    async def idf(self, terms: Sequence[str], language: str) -> Mapping[str, float]:
        """Return the inverse document frequency of each search term in the corpus; {} for an empty one."""
        return await run_search(lambda: term_idf(terms, language))
