"""A retriever, rules and a desk with given answers, for tests and for pages without a search behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from apps.rag.desk import AskedLinks, DeskLink, DocumentCut, Handover, RuleMatch
from apps.rag.protocols import Vectors
from apps.rag.types import AnswerContext, Passage, SearchQuery


class ScriptedRetriever:
    """Returns the given passages that the filters let through, in their order, and remembers what it was asked."""

    def __init__(self, passages: Sequence[Passage], *, vector: Sequence[float] = (1.0, 0.0)) -> None:
        self.queries: list[SearchQuery] = []
        self.recalled: list[tuple[SearchQuery, tuple[int, ...]]] = []
        self._passages = tuple(passages)
        self._vector = np.asarray(vector, dtype=np.float32)

    async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
        """Return at most ``query.top_k`` passages of the parties, kinds and languages that the filters name."""
        self.queries.append(query)
        return self._allowed(query)[: query.top_k]

    async def recall(self, query: SearchQuery, chunk_ids: Sequence[int]) -> Sequence[Passage]:
        """Return those of the given passages that are called for and that the filters let through."""
        self.recalled.append((query, tuple(chunk_ids)))
        return [passage for passage in self._allowed(query) if passage.chunk_id in chunk_ids]

    def _allowed(self, query: SearchQuery) -> list[Passage]:
        limits = query.filters
        return [
            passage
            for passage in self._passages
            if (not limits.party_slugs or passage.source.party_slug in limits.party_slugs)
            and (not limits.kinds or passage.source.kind in limits.kinds)
            and (not limits.languages or passage.source.language in limits.languages)
        ]

    async def embed_question(self, text: str) -> Vectors:
        """Return the given vector for every text."""
        return self._vector


class ScriptedMatcher:
    """Knows one match per wording, as written, and remembers what it was asked."""

    def __init__(self, matches: Mapping[str, RuleMatch], *, release: int = 1) -> None:
        self.asked: list[tuple[str, ...]] = []
        self._matches = matches
        self._release = release

    async def match(self, texts: Sequence[str], language: str, context: AnswerContext) -> RuleMatch:
        """Return the match of the first wording that is known."""
        self.asked.append(tuple(texts))
        for text in texts:
            if text in self._matches:
                return replace(self._matches[text], text=text, release=self._release)
        return RuleMatch(self._release)


class ScriptedShelf:
    """Hands over the given passages and links, whatever rule asks, and remembers what it was asked."""

    def __init__(
        self, passages: Sequence[Passage] = (), *, cuts: Sequence[DocumentCut] = (), links: Sequence[DeskLink] = ()
    ) -> None:
        self.queries: list[SearchQuery] = []
        self.asked_links: list[AskedLinks] = []
        self._handover = Handover(tuple(passages), tuple(cuts))
        self._links = tuple(links)

    async def hand_over(self, match: RuleMatch, query: SearchQuery, vector: Vectors | None) -> Handover:
        """Return the given passages and cuts."""
        self.queries.append(query)
        return self._handover

    async def links(self, asked: AskedLinks) -> Sequence[DeskLink]:
        """Return the given links."""
        self.asked_links.append(asked)
        return self._links
