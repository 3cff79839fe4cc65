"""Answers a question from the corpus: joins search, rules, parties and settings to the pipeline of ``rag``."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from apps.answering.parties import party_directory
from apps.answering.retrieval import RuleShelf
from apps.answering.ruling import RuleMatcher
from apps.answering.statistics import CorpusStatistics
from apps.documents.embedding import get_embedder
from apps.documents.search.retriever import HybridRetriever, run_search
from apps.rag.events import Event, Failed
from apps.rag.pipeline import AnswerPipeline
from apps.rag.protocols import Retriever
from apps.rag.settings import PipelineSettings
from apps.rag.types import AnswerContext, HistoryTurn, Question

logger = logging.getLogger(__name__)


async def answer_stream(
    *, question: Question, history: Sequence[HistoryTurn], context: AnswerContext
) -> AsyncGenerator[Event, None]:
    """Yield the events of one turn; the last is Done or Failed. Raises nothing but cancellation."""
    try:
        pipeline = await run_search(_pipeline)
    except Exception as error:
        logger.error("The answer could not begin: %s", type(error).__name__)
        yield Failed("search_down")
        return
    async with aclosing(pipeline.stream(question, history, context)) as events:
        async for event in events:
            yield event


def _pipeline() -> AnswerPipeline:
    return pipeline_over(HybridRetriever())


def pipeline_over(retriever: Retriever) -> AnswerPipeline:
    """Return the product's pipeline over another retriever: one that is watched, for a measurement."""
    return AnswerPipeline(
        retriever,
        party_directory(),
        PipelineSettings(embedder=get_embedder().name),
        statistics=CorpusStatistics(),
        matcher=RuleMatcher(),
        shelf=RuleShelf(),
        offload=run_search,
    )
