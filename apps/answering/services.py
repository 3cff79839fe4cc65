"""Answers a question from the corpus: joins search, rules, parties and settings to the pipeline of ``rag``."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from functools import partial

from apps.answering.language_models import get_language_model, model_deadlines
from apps.answering.parties import party_directory
from apps.answering.retrieval import RuleShelf
from apps.answering.ruling import RuleMatcher
from apps.answering.statistics import CorpusStatistics
from apps.documents.embedding import get_embedder
from apps.documents.search.retriever import HybridRetriever, run_search
from apps.rag.events import Event, Failed
from apps.rag.generation import ModelWriter, WriterSettings
from apps.rag.pipeline import AnswerPipeline
from apps.rag.protocols import Retriever, Vectors
from apps.rag.settings import PipelineSettings
from apps.rag.tracing import Trace, TracedModel, TracedRetriever
from apps.rag.types import AnswerContext, HistoryTurn, Question
from apps.rag.understanding import PartyDirectory
from apps.rag.verifying import MEASURED_EMBEDDER, Floors

logger = logging.getLogger(__name__)


async def answer_stream(
    *, question: Question, history: Sequence[HistoryTurn], context: AnswerContext, trace: Trace | None = None
) -> AsyncGenerator[Event, None]:
    """Yield the events of one turn; the last is Done or Failed. Raises nothing but cancellation.

    ``trace`` is told what the events do not carry: searches, prompts, drafts. Readers' turns have none.
    """
    try:
        pipeline = await run_search(partial(_pipeline, trace))
    except Exception as error:
        logger.error("The answer could not begin: %s", type(error).__name__)
        yield Failed("search_down")
        return
    async with aclosing(pipeline.stream(question, history, context, trace)) as events:
        async for event in events:
            yield event


def _pipeline(trace: Trace | None) -> AnswerPipeline:
    retriever = HybridRetriever()
    return pipeline_over(retriever if trace is None else TracedRetriever(retriever, trace), trace)


def pipeline_over(retriever: Retriever, trace: Trace | None = None) -> AnswerPipeline:
    """Return the product's pipeline over another retriever: one that is watched, for a measurement."""
    directory = party_directory()
    return AnswerPipeline(
        retriever,
        directory,
        PipelineSettings(embedder=get_embedder().name),
        statistics=CorpusStatistics(),
        matcher=RuleMatcher(),
        shelf=RuleShelf(),
        writer=_writer(directory, trace),
        offload=run_search,
    )


def _writer(directory: PartyDirectory, trace: Trace | None) -> ModelWriter | None:
    """The model's side, None where the settings name no model."""
    model = get_language_model()
    if model is None:
        return None
    embedder = get_embedder()

    async def embed(text: str) -> Vectors:
        return await run_search(lambda: embedder.embed_passages([text])[0])

    floors = Floors() if embedder.name == MEASURED_EMBEDDER else Floors.unmeasured()
    return ModelWriter(
        model if trace is None else TracedModel(model, trace),
        directory,
        embed=embed,
        settings=WriterSettings(deadlines=model_deadlines(), floors=floors),
    )
