"""The doorkeeper of this process: one thread that asks the shared queue for all turns here, so no reader waits for it.

What it cannot ask it decides alone: a question is never lost because the queue is down.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import Final, Protocol
from uuid import uuid4

from django.conf import settings

from apps.chat.shared_queue import ADMITTED, LEASE_SECONDS, Counted, SharedQueue, Verdict

logger = logging.getLogger(__name__)

# How soon a place that came free in another process is seen here, while somebody waits.
_LOOK_SECONDS: Final = 0.25


class Comer(Protocol):
    """A turn that wants a place."""

    def move(self, before: int) -> None:
        """Hear how many are before it, or ADMITTED; called on the doorkeeper's thread."""


class Doorkeeper:
    """Knows who holds a place here and who waits. Its methods never wait, but ``counted``, which asks once."""

    def __init__(self, queue: SharedQueue | None) -> None:
        self._queue = queue
        self._renew = (queue.lease if queue else LEASE_SECONDS) / 3
        self._changed = threading.Condition()
        self._held: dict[Comer, str] = {}
        self._waiting: dict[Comer, tuple[str, float]] = {}
        self._leaving: list[str] = []
        self._unwritten: set[str] = set()
        self._is_asked = False
        self._renewed = 0.0
        self._name = uuid4().hex
        self._number = 0
        self._thread: threading.Thread | None = None

    def come(self, comer: Comer, waited: float = 0.0) -> None:
        """Put a turn into the queue as if it had come ``waited`` seconds ago; it hears at once what is before it."""
        with self._changed:
            self._waiting[comer] = (self._key(), time.monotonic() - waited)
            self._ask()

    def take(self, comer: Comer) -> None:
        """Give a turn a place, whether or not there is room."""
        with self._changed:
            self._held[comer] = key = self._key()
            self._unwritten.add(key)
            self._ask()

    def leave(self, comer: Comer) -> None:
        """Take a turn out of the queue or free its place. A second time does nothing."""
        with self._changed:
            key = self._held.pop(comer, "") or self._waiting.pop(comer, ("", 0.0))[0]
            if key:
                self._leaving.append(key)
                self._ask()

    def counted_here(self) -> Counted:
        """Return what this process holds."""
        with self._changed:
            return Counted(len(self._held), len(self._waiting))

    def counted(self) -> Counted:
        """Return what all processes hold; only this one where the queue does not answer."""
        verdict = self._queue.ask() if self._queue else None
        return verdict.counted if verdict else self.counted_here()

    def _key(self) -> str:
        # By the time of two who came at once goes what they are called.
        self._number += 1
        return f"{self._name}:{self._number:09}"

    def _ask(self) -> None:
        self._is_asked = True
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._keep, name="doorkeeper", daemon=True)
            self._thread.start()
        self._changed.notify()

    def _keep(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_asked, self._patience())
                self._is_asked = False
                leaving, self._leaving = self._leaving, []
                held = self._due()
                waiting = dict(self._waiting)
            try:
                self._look(leaving, held, waiting)
            except Exception:
                logger.exception("The doorkeeper stumbled; it goes on.")
                time.sleep(_LOOK_SECONDS)

    def _patience(self) -> float | None:
        if self._waiting:
            return _LOOK_SECONDS
        return max(0.0, self._renewed + self._renew - time.monotonic()) if self._held else None

    def _due(self) -> list[str]:
        """Return the places to write: the new ones, and all from time to time. Nobody holds any: none are due."""
        if time.monotonic() >= self._renewed + self._renew:
            self._renewed = time.monotonic()
            self._unwritten.clear()
            return list(self._held.values())
        due = [key for key in self._held.values() if key in self._unwritten]
        self._unwritten.clear()
        return due

    def _look(self, leaving: list[str], held: list[str], waiting: dict[Comer, tuple[str, float]]) -> None:
        now = time.monotonic()
        verdict = None
        if self._queue:
            verdict = self._queue.ask(leaving, held, [(key, now - came) for key, came in waiting.values()])
        with self._changed:
            self._apply(waiting, verdict or self._alone(waiting))

    def _alone(self, waiting: dict[Comer, tuple[str, float]]) -> Verdict:
        """Decide for this process only; its places are written down as soon as the queue answers again."""
        self._unwritten.update(self._held.values())
        free = settings.CHAT_MAX_OPEN_STREAMS - len(self._held)
        # Who left meanwhile is in nobody's way.
        still = sorted((each for each in waiting if each in self._waiting), key=lambda each: waiting[each][1])
        admitted = max(0, min(free, len(still)))
        before = {comer: ADMITTED if rank < admitted else rank - admitted for rank, comer in enumerate(still)}
        self._unwritten.update(self._waiting[comer][0] for comer in still[:admitted])
        return Verdict(Counted(0, 0), tuple(before.get(comer, 0) for comer in waiting))

    def _apply(self, waiting: dict[Comer, tuple[str, float]], verdict: Verdict) -> None:
        for comer, before in zip(waiting, verdict.before, strict=True):
            # Who left while we asked has said so: the next look takes them out.
            if comer in self._waiting:
                if before == ADMITTED:
                    self._held[comer] = self._waiting.pop(comer)[0]
                comer.move(before)
