"""The queue of turns before the limit of open answers: first come, first served, and everybody is told their place.

The limit and the queue hold for all web processes together (apps/chat/shared_queue.py).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from types import TracebackType
from typing import Final, Self

from django.conf import settings

from apps.chat.doorkeeping import Doorkeeper
from apps.chat.shared_queue import ADMITTED, Counted, shared_queue

# A stream lives a minute: who has waited so long is asked to come back.
LONGEST_SECONDS: Final = 30.0
_TELL_SECONDS: Final = 2.0
_doorkeeper = Doorkeeper(shared_queue())


class BusyError(Exception):
    """There was no room in time. The question is kept, nobody has answered it."""


def open_runs() -> int:
    """Return how many turns this process is answering now."""
    return _doorkeeper.counted_here().open


def waiting_runs() -> int:
    """Return how many turns wait for their place in this process."""
    return _doorkeeper.counted_here().waiting


def has_room() -> bool:
    """Say whether a turn may begin at once."""
    return _has_room(_doorkeeper.counted())


def may_wait() -> bool:
    """Say whether a turn may begin, if need be after waiting; asked before a question is stored."""
    counted = _doorkeeper.counted()
    return _has_room(counted) or counted.waiting < settings.CHAT_MAX_WAITING


def _has_room(counted: Counted) -> bool:
    return counted.open < settings.CHAT_MAX_OPEN_STREAMS and not counted.waiting


class Place:
    """A turn's place. It is given back, or its turn taken out of the queue, at the end of the ``with``."""

    def __init__(self, *, at_once: bool = False, waited: float = 0.0, doorkeeper: Doorkeeper | None = None) -> None:
        self._is_at_once = at_once
        # Who comes back through another process keeps the place in the queue; nobody gains more than a whole wait.
        self._waited = min(max(waited, 0.0), LONGEST_SECONDS)
        self._doorkeeper = doorkeeper or _doorkeeper
        self._before: int | None = None
        self._loop = asyncio.get_running_loop()
        self._moved = asyncio.Event()

    def __enter__(self) -> Self:
        if self._is_at_once:
            self._before = ADMITTED
            self._doorkeeper.take(self)
        else:
            self._doorkeeper.come(self, self._waited)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_back()

    def give_back(self) -> None:
        """Leave. A second time does nothing."""
        self._doorkeeper.leave(self)

    def move(self, before: int) -> None:
        """Hear from the doorkeeper how many are before this turn."""
        if before != self._before:
            self._before = before
            # A loop that ended has nobody who listens.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._moved.set)

    async def waits(self) -> AsyncGenerator[int, None]:
        """Yield how many turns are before this one, whenever that may have changed; end with the place taken.

        Raises BusyError after LONGEST_SECONDS.
        """
        deadline = self._loop.time() + LONGEST_SECONDS
        if self._before is None:
            await self._moved.wait()
        while (before := self._before) != ADMITTED:
            if self._loop.time() >= deadline:
                raise BusyError
            yield before or 0
            self._moved.clear()
            if self._before == before:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._moved.wait(), _TELL_SECONDS)
