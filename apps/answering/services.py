"""Answers a question from the corpus: joins search, rules, parties and settings to the pipeline of ``rag``."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import Final

from django.conf import settings as django_settings

from apps.answering.index_version import index_version
from apps.answering.language_models import get_language_model, model_deadlines
from apps.answering.live_settings import active_settings
from apps.answering.outline import SectionOutline
from apps.answering.parties import party_directory
from apps.answering.retrieval import RuleShelf
from apps.answering.ruling import RuleMatcher
from apps.answering.settings_versions import AnswerSettingsVersion
from apps.answering.statistics import CorpusStatistics
from apps.documents.embedding import get_embedder
from apps.documents.search.retriever import HybridRetriever, run_search
from apps.rag.events import Event, Failed
from apps.rag.followups import FollowUps, Room
from apps.rag.generation import ModelWriter
from apps.rag.model_types import LanguageModel
from apps.rag.pipeline import AnswerPipeline
from apps.rag.protocols import Matcher, Retriever, Vectors
from apps.rag.rewriting.by_model import ModelRewriter
from apps.rag.tracing import Trace, TracedModel, TracedRetriever
from apps.rag.types import AnswerContext, HistoryTurn, Question
from apps.rag.understanding import PartyDirectory

logger = logging.getLogger(__name__)
# Of this process: its search threads are shared by all readers.
_ROOM: Final = Room()


async def answer_stream(
    *,
    question: Question,
    history: Sequence[HistoryTurn],
    context: AnswerContext,
    settings: AnswerSettingsVersion | None = None,
    matcher: Matcher | None = None,
    trace: Trace | None = None,
) -> AsyncGenerator[Event, None]:
    """Yield the events of one turn; the last is Done or Failed. Raises nothing but cancellation.

    ``settings`` is another version than the active one, for the desk's bench and for evaluation; ``matcher`` asks
    other rules than the live ones. ``trace`` is told what the events do not carry: searches, prompts, drafts. Readers'
    turns have neither.
    """
    try:
        pipeline = await run_search(partial(_pipeline, settings, matcher, trace))
    except Exception as error:
        logger.error("The answer could not begin: %s", type(error).__name__)
        yield Failed("search_down")
        return
    async with aclosing(pipeline.stream(question, history, context, trace)) as events:
        async for event in events:
            yield event


def _pipeline(settings: AnswerSettingsVersion | None, matcher: Matcher | None, trace: Trace | None) -> AnswerPipeline:
    retriever = HybridRetriever()
    watched = retriever if trace is None else TracedRetriever(retriever, trace)
    return pipeline_over(watched, settings, matcher=matcher, trace=trace)


def pipeline_over(
    retriever: Retriever,
    settings: AnswerSettingsVersion | None = None,
    *,
    matcher: Matcher | None = None,
    trace: Trace | None = None,
) -> AnswerPipeline:
    """Return the product's pipeline over another retriever: one that is watched, for a measurement.

    Reads the database. Without ``settings`` the active version holds.
    """
    chosen = settings or active_settings()
    directory = party_directory()
    model = get_language_model(chosen.model)
    if model is not None and trace is not None:
        model = TracedModel(model, trace)
    embedder = get_embedder().name
    steering = replace(chosen.pipeline_settings(embedder), offer_seconds=django_settings.OFFER_MILLISECONDS / 1000)
    return AnswerPipeline(
        retriever,
        directory,
        steering,
        statistics=CorpusStatistics(),
        matcher=matcher or RuleMatcher(),
        shelf=RuleShelf(),
        rewriter=_rewriter(model, chosen),
        writer=_writer(model, directory, chosen),
        follow_ups=FollowUps(directory, steering, SectionOutline(), _ROOM),
        offload=run_search,
        versions=_versions(chosen, model, embedder),
        election_day=django_settings.ELECTION_DAY,
    )


def _versions(settings: AnswerSettingsVersion, model: LanguageModel | None, embedder: str) -> dict[str, str]:
    """What a turn records, so that its answer can be made again; the rules add their release."""
    return {
        "settings": settings.name,
        "settings_digest": settings.digest,
        "index": index_version(),
        "embedder": embedder,
        "model": model.name if model else "",
    }


def _rewriter(model: LanguageModel | None, settings: AnswerSettingsVersion) -> ModelRewriter | None:
    """The model's rewriter where one may rewrite; else the pipeline's own does, which needs none."""
    if model is None or not settings.rewrites:
        return None
    return ModelRewriter(model, run_search, prompts=settings.writer.prompts, seconds=settings.limits.rewrite_seconds)


def _writer(
    model: LanguageModel | None, directory: PartyDirectory, settings: AnswerSettingsVersion
) -> ModelWriter | None:
    """The model's side, None where no model may be asked."""
    if model is None:
        return None
    embedder = get_embedder()

    async def embed(text: str) -> Vectors:
        return await run_search(lambda: embedder.embed_passages([text])[0])

    limits = settings.writer_settings(embedder.name, model_deadlines())
    return ModelWriter(model, directory, embed=embed, settings=limits)
