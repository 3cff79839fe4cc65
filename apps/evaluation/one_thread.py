"""The product's pipeline on the caller's own database connection: for measurements inside a transaction.

A paragraph that is taken out for one question is gone on this connection only; the product's search threads would still
find it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from asgiref.sync import async_to_sync, sync_to_async

from apps.answering.live_settings import active_settings
from apps.answering.parties import party_directory
from apps.answering.statistics import corpus_idf
from apps.documents.embedding import get_embedder
from apps.documents.search.searching import search
from apps.rag.events import Event
from apps.rag.parts import Parts
from apps.rag.pipeline import AnswerPipeline
from apps.rag.protocols import Result, Vectors
from apps.rag.tracing import Judged, Noted
from apps.rag.types import AnswerContext, Passage, Question, SearchQuery


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer with what it rests on; ``parts`` is None where nothing was searched."""

    events: tuple[Event, ...]
    parts: Parts | None


class _Here:
    """Searches and counts on the thread that has called ``answer_here``."""

    async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
        return await sync_to_async(search, thread_sensitive=True)(query)

    async def recall(self, query: SearchQuery, chunk_ids: Sequence[int]) -> Sequence[Passage]:
        return ()

    async def embed_question(self, text: str) -> Vectors:
        return get_embedder().embed_question(text)

    async def idf(self, terms: Sequence[str], language: str) -> Mapping[str, float]:
        return await sync_to_async(corpus_idf, thread_sensitive=True)(terms, language)


class _Parts:
    """Keeps what was judged."""

    def __init__(self) -> None:
        self.parts: Parts | None = None

    def note(self, noted: Noted) -> None:
        if isinstance(noted, Judged):
            self.parts = noted.parts


async def _at_once(work: Callable[[], Result]) -> Result:
    return await sync_to_async(work, thread_sensitive=True)()


def answer_here(question: Question, context: AnswerContext) -> Answered:
    """Return the answer that readers would get with the active settings, without rules and without a model."""
    pipeline = AnswerPipeline(
        _Here(),
        party_directory(),
        active_settings().pipeline_settings(get_embedder().name),
        statistics=_Here(),
        offload=_at_once,
    )
    kept = _Parts()

    async def events() -> list[Event]:
        return [event async for event in pipeline.stream(question, (), context, kept)]

    return Answered(tuple(async_to_sync(events)()), kept.parts)
