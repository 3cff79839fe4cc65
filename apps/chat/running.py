"""Runs a turn: takes the pipeline's events, stores each at once and hands on what is shown."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import Any, TypeVar

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from apps.answering.services import answer_stream
from apps.chat.builder import RANDOM, queries_behind
from apps.chat.history import history_before
from apps.chat.shown import DRAW
from apps.chat.waiting import Place
from apps.querylog.models import Turn
from apps.querylog.services import turn_claim, turn_interrupt, turn_record, turn_watch
from apps.rag.events import Event, Failed
from apps.rag.types import AnswerContext, HistoryTurn, Question

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
FOLLOW_SECONDS = 0.4
FOLLOW_LONGEST = 60.0
# Writes of many open streams share a few connections.
_writers = ThreadPoolExecutor(max_workers=4, thread_name_prefix="turn")


class TurnGoneError(Exception):
    """The turn was deleted while it was answered: nothing is stored any more, and nobody is told."""


async def in_database(work: Callable[..., Result], *args: Any, **kwargs: Any) -> Result:
    """Run one piece of database work on a writer thread and give its connection back."""

    def call() -> Result:
        try:
            return work(*args, **kwargs)
        finally:
            connection.close()

    return await asyncio.get_running_loop().run_in_executor(_writers, call)


def reread(turn_id: int) -> Turn | None:
    """Return a turn with everything that a page shows of it: drawing it asks the database for nothing more."""
    rows = Turn.objects.select_related("conversation", "handover", "feedback", "share")
    # Without an order, which takes longer to write down than the row to fetch.
    return next(iter(rows.prefetch_related("sentence_reports").filter(pk=turn_id).order_by()), None)


def _watch(turn_id: int) -> Turn | None:
    turn_watch(turn_id=turn_id)
    return reread(turn_id)


def _load(turn_id: int) -> tuple[Turn, list[HistoryTurn]]:
    turn = reread(turn_id)
    if turn is None:
        raise TurnGoneError
    return turn, history_before(turn)


async def run_turn(turn_id: int, locale: str) -> AsyncGenerator[tuple[Turn, Event], None]:
    """Answer a new turn and yield each event after it was stored; yield nothing when somebody else answers it.

    The caller holds its place (apps/chat/waiting.py). Ends as interrupted when it is cancelled, wherever that happens.
    """
    claim = asyncio.ensure_future(in_database(turn_claim, turn_id=turn_id))
    try:
        # Shielded: a reader who leaves now must not leave a turn behind that runs for ever.
        if await asyncio.shield(claim):
            async with aclosing(_answer(turn_id, locale)) as events:
                async for turn, event in events:
                    yield turn, event
    except TurnGoneError:
        return
    except (GeneratorExit, asyncio.CancelledError):
        await asyncio.shield(_interrupt(claim, turn_id))
        raise


async def _answer(turn_id: int, locale: str) -> AsyncGenerator[tuple[Turn, Event], None]:
    turn, history = await in_database(_load, turn_id)
    if settings.BUILDER_PARTY_ORDER == RANDOM:
        turn.versions = {DRAW: turn.uuid.hex}
    question = Question(turn.question, turn.language)
    context = AnswerContext(
        now=timezone.localtime(),
        locale=locale,
        wants_offers=True,
        builder_choices=tuple(turn.builder_choices),
        sub_queries=await in_database(queries_behind, turn.question, turn.builder_choices, turn.language)
        if turn.builder_choices
        else (),
        party_draw=turn.versions.get(DRAW, ""),
    )
    try:
        stream = answer_stream(question=question, history=history, context=context, may_be_cached=True)
        async with aclosing(stream) as events:
            async for event in events:
                await _record(turn, event)
                yield turn, event
        if not turn.is_over:
            yield turn, await _fail(turn, "ended_early")
    except TurnGoneError:
        raise
    except Exception as error:
        # Without its message: a database quotes the row that it refused, and so the reader.
        place = traceback.extract_tb(error.__traceback__)[-1]
        logger.error("A turn failed: %s at %s:%s", type(error).__name__, place.filename, place.lineno)
        yield turn, await _fail(turn, "unexpected")


async def _interrupt(claim: asyncio.Future[bool], turn_id: int) -> None:
    if await claim:
        await in_database(turn_interrupt, turn_id=turn_id)


async def _fail(turn: Turn, code: str) -> Failed:
    event = Failed(code)
    await _record(turn, event)
    return event


async def _record(turn: Turn, event: Event) -> None:
    try:
        await in_database(turn_record, turn=turn, event=event)
    except DatabaseError:
        if await in_database(Turn.objects.filter(pk=turn.pk).exists):
            raise
        raise TurnGoneError from None


async def answer_whole(turn_id: int, locale: str) -> None:
    """Answer a turn to its end, for pages without scripts."""
    with Place(at_once=True):
        async with aclosing(run_turn(turn_id, locale)) as events:
            async for _ in events:
                pass


async def follow_turn(turn_id: int) -> AsyncGenerator[Turn, None]:
    """Yield a turn that runs elsewhere whenever it has changed, until it is over or deleted.

    Each look is noted, so that the process which answers it goes on.
    """
    deadline = asyncio.get_running_loop().time() + FOLLOW_LONGEST
    seen = -1
    while True:
        turn = await in_database(_watch, turn_id)
        if turn is None:
            return
        if len(turn.shown) != seen or turn.is_over:
            seen = len(turn.shown)
            yield turn
        if turn.is_over or asyncio.get_running_loop().time() > deadline:
            return
        await asyncio.sleep(FOLLOW_SECONDS)
