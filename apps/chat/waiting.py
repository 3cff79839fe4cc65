"""The queue of turns before the limit of open answers: first come, first served, and everybody is told their place."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Final

from django.conf import settings

# A stream lives a minute: who has waited so long is asked to come back.
LONGEST_SECONDS: Final = 30.0
_TELL_SECONDS: Final = 2.0


class BusyError(Exception):
    """There was no room in time. The question is kept, nobody has answered it."""


@dataclass(slots=True, eq=False)
class _Waiting:
    loop: asyncio.AbstractEventLoop
    moved: asyncio.Event = field(default_factory=asyncio.Event)


_lock = threading.Lock()
_queue: deque[_Waiting] = deque()
_open = 0


def open_runs() -> int:
    """Return how many turns this process is answering now."""
    return _open


def waiting_runs() -> int:
    """Return how many turns wait for their place in this process."""
    return len(_queue)


def has_room() -> bool:
    """Say whether a turn may begin here at once."""
    return _open < settings.CHAT_MAX_OPEN_STREAMS and not _queue


def may_wait() -> bool:
    """Say whether a turn may begin here, if need be after waiting; asked before a question is stored."""
    return has_room() or len(_queue) < settings.CHAT_MAX_WAITING


def take_place() -> None:
    """Count one more turn that is being answered, whether or not there is room."""
    global _open
    with _lock:
        _open += 1


def give_place_back() -> None:
    """Count one less, and let those who wait look again."""
    global _open
    with _lock:
        _open -= 1
        waiting = list(_queue)
    for each in waiting:
        if not each.loop.is_closed():
            each.loop.call_soon_threadsafe(each.moved.set)


async def places() -> AsyncGenerator[int, None]:
    """Yield how many turns are before this one, whenever that may have changed; end with a place taken.

    Raises BusyError after LONGEST_SECONDS.
    """
    waiting = _Waiting(asyncio.get_running_loop())
    deadline = waiting.loop.time() + LONGEST_SECONDS
    with _lock:
        _queue.append(waiting)
    try:
        while not _take_if_first(waiting):
            if waiting.loop.time() >= deadline:
                raise BusyError
            yield _before(waiting)
            waiting.moved.clear()
            try:
                await asyncio.wait_for(waiting.moved.wait(), _TELL_SECONDS)
            except TimeoutError:
                continue
    finally:
        with _lock:
            if waiting in _queue:
                _queue.remove(waiting)


def _take_if_first(waiting: _Waiting) -> bool:
    global _open
    with _lock:
        if _queue[0] is not waiting or _open >= settings.CHAT_MAX_OPEN_STREAMS:
            return False
        _queue.popleft()
        _open += 1
    return True


def _before(waiting: _Waiting) -> int:
    with _lock:
        return _queue.index(waiting)
