"""What the pipeline needs from outside. Async, so that a page can stream while it waits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from apps.rag.desk import AskedLinks, DeskLink, Handover, RuleMatch
from apps.rag.rewriting.types import RewriteContext, Rewriting
from apps.rag.types import AnswerContext, Passage, SearchQuery, Source
from apps.rag.understanding import PartyDirectory

Vectors = NDArray[np.float32]
Result = TypeVar("Result")


class Embedder(Protocol):
    """Turns text into unit vectors. Sync: the caller decides on which thread it runs.

    ``name`` identifies model and quantisation and is stored with each vector. Empty text raises ValueError.
    """

    @property
    def name(self) -> str:
        """Return the name of model and quantisation."""

    @property
    def dimensions(self) -> int:
        """Return the length of a vector; an endpoint may have to be asked."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return one row of shape (len(texts), dimensions) per text, L2-normalised float32."""

    def embed_question(self, text: str) -> Vectors:
        """Return one vector of shape (dimensions,), L2-normalised float32."""

    def count_tokens(self, text: str) -> int:
        """Return how many tokens the model sees, or a documented estimate."""


class Retriever(Protocol):
    """Finds passages. Filters come with the query and are applied by the server."""

    async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
        """Return at most ``query.top_k`` passages, best first."""

    async def recall(self, query: SearchQuery, chunk_ids: Sequence[int]) -> Sequence[Passage]:
        """Return those of these chunks that the filters let through, scored for the query."""

    async def embed_question(self, text: str) -> Vectors:
        """Return the question's vector, the same that the search uses."""


class Matcher(Protocol):
    """Knows the editors' rules that are live."""

    async def match(self, texts: Sequence[str], language: str, context: AnswerContext) -> RuleMatch:
        """Return the rule that holds for the first of the texts that any rule holds for; without ``hits`` if none."""


class Rewriter(Protocol):
    """Makes a question of a conversation stand alone."""

    async def rewrite(self, question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting:
        """Return the decision. Nothing in it may stand in neither the question nor the turns; must not raise."""


class DeskShelf(Protocol):
    """Fetches what the editors have laid out: documents of rules, and links to read on."""

    async def hand_over(self, match: RuleMatch, query: SearchQuery, vector: Vectors | None) -> Handover:
        """Return the passages of the match's documents in the editors' order, within its token budget, with scores.

        The filters of ``query`` hold here too; ``vector`` is that of its text, None when there is no embedder.
        """

    async def links(self, asked: AskedLinks) -> Sequence[DeskLink]:
        """Return those links that are valid and alive, each once."""


class Outline(Protocol):
    """Knows how documents are divided."""

    async def following(self, source: Source, path: Sequence[str]) -> Sequence[tuple[str, ...]]:
        """Return the heading paths of the sections behind one in the same chapter, nearest first; few."""


class TermStatistics(Protocol):
    """How rare the corpus finds a word."""

    async def idf(self, terms: Sequence[str], language: str) -> Mapping[str, float]:
        """Return the BM25 idf of each search term (a stem); a term that the corpus lacks has the maximum."""


class Offload(Protocol):
    """Runs work that computes for some milliseconds where it does not hold up other readers."""

    async def __call__(self, work: Callable[[], Result]) -> Result:
        """Return what ``work`` returns."""
