"""Leaves a server alone that keeps failing. Django-free; the clock is an argument."""

from __future__ import annotations

import time
from collections.abc import Callable


class CircuitBreaker:
    """Closed until ``failures`` in a row; then open for ``pause`` seconds, after which one request may try.

    Lives in one process: each learns for itself that a server is down.
    """

    def __init__(self, *, failures: int = 3, pause: float = 30.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = failures
        self._pause = pause
        self._clock = clock
        self._failures = 0
        self._open_until = 0.0

    def allows(self) -> bool:
        """Say whether a request may go out; letting one try after the pause keeps the others waiting."""
        if self._failures < self._limit:
            return True
        now = self._clock()
        if now < self._open_until:
            return False
        self._open_until = now + self._pause
        return True

    def succeeded(self) -> None:
        """Close the circuit."""
        self._failures = 0

    def failed(self) -> None:
        """Count a failure; open the circuit when it is one too many."""
        self._failures += 1
        if self._failures >= self._limit:
            self._open_until = self._clock() + self._pause
