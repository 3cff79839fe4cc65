"""How many tokens all processes together may use in a day. Kept in Valkey, in memory where there is none."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final, Protocol

from redis.asyncio import Redis
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

_KEY: Final = "wegweiser:answer-tokens:{day}"
_KEPT: Final = timedelta(days=3)
_SECONDS: Final = 0.5


class TokenStore(Protocol):
    """Counts the tokens of a day over all processes."""

    async def add(self, day: date, tokens: int) -> int:
        """Add ``tokens`` (0 to ask) and return the day's sum; raise OSError when it cannot be reached."""


class ValkeyStore:
    """A counter per day in the broker's Valkey. It connects anew each time: a turn asks once."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def add(self, day: date, tokens: int) -> int:
        """Add and return the day's sum."""
        key = _KEY.format(day=day.isoformat())
        try:
            async with Redis.from_url(self._url, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS) as valkey:
                total = int(await valkey.incrby(key, tokens))
                await valkey.expire(key, _KEPT)
                return total
        except RedisError as error:
            raise OSError("Valkey does not answer.") from error


class TokenBudget:
    """The day's budget. ``spent`` never waits: what a reader used counts even if they leave.

    Without the store, this process counts for itself: it may then use up to the whole budget alone.
    """

    def __init__(self, per_day: int, today: Callable[[], date], store: TokenStore | None = None) -> None:
        self._per_day = per_day
        self._today = today
        self._store = store
        self._day = today()
        self._known = 0
        self._pending = 0

    def spent(self, tokens: int) -> None:
        """Count tokens of a reply."""
        self._turn_over()
        self._pending += tokens

    async def allows(self) -> bool:
        """Say whether the day's budget has room; tell the store what was spent since."""
        self._turn_over()
        pending, self._pending = self._pending, 0
        self._known += pending
        if self._store is not None:
            try:
                self._known = await self._store.add(self._day, pending)
            except OSError:
                logger.warning("The token budget is counted by each process alone: Valkey does not answer.")
        return self._known < self._per_day

    def _turn_over(self) -> None:
        today = self._today()
        if today != self._day:
            self._day, self._known, self._pending = today, 0, 0
