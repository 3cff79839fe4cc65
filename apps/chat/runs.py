"""Answers that are being made in this process, apart from who looks at them: a reader may leave and come back."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Final
from weakref import WeakKeyDictionary

from django.db import DatabaseError
from django.utils import timezone

from apps.chat.running import in_database, reread
from apps.chat.streams import followed, rendered, whole_answer
from apps.chat.viewing import Viewer
from apps.core.streaming import ServerSentEvent
from apps.querylog.models import Turn
from apps.querylog.services import turn_unwatched_seconds, turns_gone

logger = logging.getLogger(__name__)

# So long an answer goes on without anybody who looks at it: a phone changes its network in that time.
RESUME_SECONDS: Final = 10.0
# A conversation may be deleted through another process: so often we look whether our turns are still there.
_LOOK_SECONDS: Final = 1.0
# Tabs, and connections that broke off unnoticed: so many streams of one turn are open here at once.
MOST_LOOKS: Final = 8
_runs: dict[int, Run] = {}
_looks: Counter[int] = Counter()
_lookouts: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Task[None]] = WeakKeyDictionary()


class Run:
    """One turn being answered by a task of its own; its events are kept until it is over, for those who come back."""

    def __init__(self, turn: Turn, viewer: Viewer) -> None:
        self.turn_id = turn.pk
        self.loop = asyncio.get_running_loop()
        self.events: list[ServerSentEvent] = []
        self.is_over = False
        self._changed = asyncio.Event()
        self._readers = 0
        self._leaving: asyncio.Task[None] | None = None
        waited = (timezone.now() - turn.created_at).total_seconds()
        self._task = self.loop.create_task(self._answer(viewer, waited))
        self._task.add_done_callback(self._end)
        if self.loop not in _lookouts or _lookouts[self.loop].done():
            _lookouts[self.loop] = self.loop.create_task(_look_out(self.loop))

    async def _answer(self, viewer: Viewer, waited: float) -> None:
        async with aclosing(rendered(self.turn_id, viewer, waited)) as events:
            async for event in events:
                self.events.append(replace(event, id=str(len(self.events) + 1)))
                self._tell()

    def _end(self, task: asyncio.Task[None]) -> None:
        self.is_over = True
        if _runs.get(self.turn_id) is self:
            del _runs[self.turn_id]
        if self._leaving:
            self._leaving.cancel()
        if not task.cancelled() and task.exception() is not None:
            # Without its message: a database quotes the row that it refused, and so the reader.
            logger.error("A turn broke off: %s", type(task.exception()).__name__)
        self._tell()

    def cancel(self) -> None:
        """Break the answer off."""
        self._task.cancel()

    async def end(self) -> None:
        """Break the answer off, and return when that is stored."""
        self.cancel()
        await asyncio.wait({self._task})

    def _tell(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def follow(self, seen: int) -> AsyncGenerator[ServerSentEvent, None]:
        """Yield the events after the first ``seen``, then those that come. Without readers the run ends soon."""
        self._readers += 1
        if self._leaving:
            self._leaving.cancel()
            self._leaving = None
        try:
            while True:
                changed = self._changed
                while seen < len(self.events):
                    seen += 1
                    yield self.events[seen - 1]
                if self.is_over:
                    return
                await changed.wait()
        finally:
            self._readers -= 1
            if not self._readers and not self.is_over:
                self._leaving = self.loop.create_task(self._leave())

    async def _leave(self) -> None:
        """Cancel the run when nobody has looked at it for so long, be it from another process."""
        rest = RESUME_SECONDS
        while rest > 0:
            await asyncio.sleep(rest)
            try:
                rest = RESUME_SECONDS - await in_database(turn_unwatched_seconds, turn_id=self.turn_id)
            except DatabaseError:
                break
        self._task.cancel()


def run_of(turn: Turn, viewer: Viewer) -> Run | None:
    """Return what answers the turn here, begun now where it is new; None where it is over or answered elsewhere."""
    run = _runs.get(turn.pk)
    if run is not None:
        return run if run.loop is asyncio.get_running_loop() else None
    if turn.state != Turn.State.NEW:
        return None
    _runs[turn.pk] = run = Run(turn, viewer)
    return run


async def _look_out(loop: asyncio.AbstractEventLoop) -> None:
    """Break off the answers of turns that were deleted, as long as any is made in this loop."""
    while own := {run.turn_id: run for run in _runs.values() if run.loop is loop}:
        await asyncio.sleep(_LOOK_SECONDS)
        try:
            gone = await in_database(turns_gone, turn_ids=list(own))
        except DatabaseError:
            continue
        for turn_id in gone:
            own[turn_id].cancel()


async def runs_end() -> None:
    """Break off what this process answers, because it ends."""
    own = [run for run in _runs.values() if run.loop is asyncio.get_running_loop()]
    await asyncio.gather(*(run.end() for run in own))


async def turn_events(turn: Turn, viewer: Viewer, seen: int = 0) -> AsyncGenerator[ServerSentEvent, None]:
    """Yield a turn's events after the first ``seen``. A turn is answered once: others follow it or get what is stored.

    Who comes late without saying what they have seen begins with an empty page: their browser may have kept its own.
    Who looks at one turn too many times at once gets nothing: each look asks the database over and over.
    """
    if _looks[turn.pk] >= MOST_LOOKS:
        return
    _looks[turn.pk] += 1
    try:
        async with aclosing(_events(turn, viewer, seen)) as events:
            async for event in events:
                yield event
    finally:
        _looks[turn.pk] -= 1
        if not _looks[turn.pk]:
            del _looks[turn.pk]


async def _events(turn: Turn, viewer: Viewer, seen: int) -> AsyncGenerator[ServerSentEvent, None]:
    if turn.is_over:
        # With all that its page shows: drawing it must ask the database for nothing here.
        stored = await in_database(reread, turn.pk)
        if stored is not None:
            yield whole_answer(stored, viewer)
        return
    is_ours = False
    run = run_of(turn, viewer)
    if run is not None:
        if run.events and not 0 < seen <= len(run.events):
            yield ServerSentEvent("", "restart")
            seen = 0
        async with aclosing(run.follow(min(seen, len(run.events)))) as events:
            async for event in events:
                is_ours = True
                yield event
    if not is_ours:
        async for event in followed(turn.pk, viewer):
            yield event
