"""Answers a question from the corpus: joins search, rules, parties and settings to the pipeline of ``rag``."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from django.conf import settings as django_settings

from apps.answering.caching import Recording, cache_key, cached_events
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
from apps.rag.events import Decided, Event, Failed
from apps.rag.followup_model import ModelWording
from apps.rag.followups import FollowUps, Room
from apps.rag.generation import ModelWriter
from apps.rag.model_types import LanguageModel
from apps.rag.pipeline import AnswerPipeline
from apps.rag.protocols import Matcher, Retriever, Vectors
from apps.rag.rewriting.by_model import ModelRewriter
from apps.rag.tracing import Trace, TracedModel, TracedRetriever
from apps.rag.types import AnswerContext, HistoryTurn, Question
from apps.rag.understanding import PartyDirectory, asked_parties

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
    may_be_cached: bool = False,
) -> AsyncGenerator[Event, None]:
    """Yield the events of one turn; the last is Done or Failed. Raises nothing but cancellation.

    ``settings`` is another version than the active one, for the desk's bench and for evaluation; ``matcher`` asks
    other rules than the live ones. ``trace`` is told what the events do not carry: searches, prompts, drafts. Readers'
    turns have neither; their first questions ``may_be_cached``.
    """
    asked = Asked(question, context, settings, matcher, trace, may_be_cached and not history)
    _ROOM.wait(asked)
    try:
        async with aclosing(_events(asked, history)) as events:
            async for event in events:
                if not isinstance(event, Decided):
                    _ROOM.has_found(asked)
                yield event
    finally:
        _ROOM.has_found(asked)


async def _events(asked: Asked, history: Sequence[HistoryTurn]) -> AsyncGenerator[Event, None]:
    try:
        begun = await run_search(partial(_begun, asked))
    except Exception as error:
        logger.error("The answer could not begin: %s", type(error).__name__)
        yield Failed("search_down")
        return
    if begun.kept is not None:
        for event in begun.kept:
            yield event
        return
    recording = begun.recording
    async with aclosing(begun.pipeline.stream(asked.question, history, asked.context, asked.trace)) as events:
        async for event in events:
            yield recording.take(event) if recording else event
    if recording and recording.is_worth_keeping:
        await run_search(recording.store)


# Each is itself: two readers may ask the same.
@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question on its way into the pipeline; see ``answer_stream``."""

    question: Question
    context: AnswerContext
    settings: AnswerSettingsVersion | None
    matcher: Matcher | None
    trace: Trace | None
    may_be_cached: bool


@dataclass(frozen=True, slots=True)
class Begun:
    """What answers a question: events that were ``kept`` of another turn, or a pipeline and who takes it down."""

    pipeline: AnswerPipeline
    recording: Recording | None = None
    kept: Sequence[Event] | None = None


def _begun(asked: Asked) -> Begun:
    chosen = asked.settings or active_settings()
    versions = _versions(chosen)
    retriever = HybridRetriever(versions["index"])
    watched = retriever if asked.trace is None else TracedRetriever(retriever, asked.trace)
    pipeline = _pipeline(watched, chosen, versions, asked.matcher, asked.trace)
    # An order that was drawn for one reader is no other's.
    is_drawn = bool(asked.context.party_draw) and _compares(asked)
    is_plain = not is_drawn and asked.settings is None and asked.matcher is None and asked.trace is None
    if not (asked.may_be_cached and is_plain and chosen.cache_seconds and django_settings.ANSWER_CACHE):
        return Begun(pipeline)
    key = cache_key(asked.question, asked.context, versions)
    return Begun(pipeline, Recording(key, chosen.cache_seconds), cached_events(key))


def _compares(asked: Asked) -> bool:
    """Say whether a question, or what editors ask for it, names several parties."""
    directory = party_directory()
    return any(len(asked_parties(text, directory)) > 1 for text in (asked.question.text, *asked.context.sub_queries))


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
    return _pipeline(retriever, chosen, _versions(chosen), matcher, trace)


def _pipeline(
    retriever: Retriever,
    settings: AnswerSettingsVersion,
    versions: Mapping[str, str],
    matcher: Matcher | None,
    trace: Trace | None,
) -> AnswerPipeline:
    directory = party_directory()
    model = get_language_model(settings.model)
    if model is not None and trace is not None:
        model = TracedModel(model, trace)
    embedder = get_embedder().name
    steering = replace(settings.pipeline_settings(embedder), offer_seconds=django_settings.OFFER_MILLISECONDS / 1000)
    return AnswerPipeline(
        retriever,
        directory,
        steering,
        statistics=CorpusStatistics(versions["index"]),
        matcher=matcher or RuleMatcher(),
        shelf=RuleShelf(),
        rewriter=_rewriter(model, settings),
        writer=_writer(model, directory, settings),
        follow_ups=FollowUps(directory, steering, SectionOutline(), _ROOM, ModelWording(model) if model else None),
        offload=run_search,
        versions=versions,
        election_day=django_settings.ELECTION_DAY,
    )


def _versions(settings: AnswerSettingsVersion) -> dict[str, str]:
    """What a turn records, so that its answer can be made again; the rules add their release."""
    model = get_language_model(settings.model)
    return {
        "settings": settings.name,
        "settings_digest": settings.digest,
        "index": index_version(),
        "embedder": get_embedder().name,
        "model": model.name if model else "",
        "prompts": settings.writer.prompts.names if model else "",
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
