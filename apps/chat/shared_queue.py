"""Places and waiting turns of all web processes, kept in Valkey: one script decides, so nobody takes a place twice.

A place and a waiting turn are leases. A process that was killed renews none of them, and what it held comes free.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as ValkeyConnectionError
from redis.exceptions import RedisError
from redis.retry import Retry

from apps.core.valkey import valkey_url

logger = logging.getLogger(__name__)

LEASE_SECONDS: Final = 8.0
_ANSWER_SECONDS: Final = 0.5
# So long nobody asks again after it did not answer: a reader must not wait for it each time.
_PAUSE_SECONDS: Final = 5.0
ADMITTED: Final = -1

# Time is the server's, the only clock that all processes share. Who waits comes by when they came, and gets in while
# there are more free places than turns before them: those are kept for the others, whichever process asks first.
_SCRIPT: Final = """
local open, queue, alive = KEYS[1], KEYS[2], KEYS[3]
local limit, leaving, held, waiting = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local function number(value) return string.format('%.0f', value) end
local lease = number(now + ARGV[2])
local at = 5
local function following() at = at + 1; return ARGV[at] end
local function leave(id) redis.call('ZREM', queue, id); redis.call('ZREM', alive, id) end

for _ = 1, leaving do
  local id = following()
  redis.call('ZREM', open, id)
  leave(id)
end
redis.call('ZREMRANGEBYSCORE', open, '-inf', number(now))
for _, id in ipairs(redis.call('ZRANGEBYSCORE', alive, '-inf', number(now))) do leave(id) end
for _ = 1, held do
  local id = following()
  leave(id)
  redis.call('ZADD', open, lease, id)
end

local ids = {}
for each = 1, waiting do
  local id, age = following(), following()
  ids[each] = id
  if not redis.call('ZSCORE', open, id) then
    redis.call('ZADD', queue, 'NX', number(now - age), id)
    redis.call('ZADD', alive, lease, id)
  end
end
local free = limit - redis.call('ZCARD', open)
local before = {}
for each, id in ipairs(ids) do
  local rank = redis.call('ZRANK', queue, id)
  if not rank then
    before[each] = -1
  elseif rank < free then
    leave(id)
    redis.call('ZADD', open, lease, id)
    free = free - 1
    before[each] = -1
  else
    before[each] = rank
  end
end
return {redis.call('ZCARD', open), redis.call('ZCARD', queue), before}
"""


@dataclass(frozen=True, slots=True)
class Counted:
    """What all processes hold together."""

    open: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the queue says: for each turn that waits, how many are before it, or ADMITTED."""

    counted: Counted
    before: tuple[int, ...]


class SharedQueue:
    """The queue of one installation, by default that of the settings' database. Any thread may ask."""

    def __init__(self, url: str, *, lease: float = LEASE_SECONDS, name: str = "") -> None:
        self.lease = lease
        self._name = name
        # One try more where a connection was lost since the last time; none where the server hangs.
        retry = Retry(NoBackoff(), 1, supported_errors=(ValkeyConnectionError,))
        client = Redis.from_url(
            url, socket_timeout=_ANSWER_SECONDS, socket_connect_timeout=_ANSWER_SECONDS, retry=retry
        )
        self._script = client.register_script(_SCRIPT)
        self._silent_until = 0.0
        self._is_silent = False

    def ask(
        self,
        leaving: Sequence[str] = (),
        held: Sequence[str] = (),
        waiting: Sequence[tuple[str, float]] = (),
    ) -> Verdict | None:
        """Take away who leaves, renew who holds a place, let in whose turn it is; None: Valkey does not answer.

        ``waiting`` are ids, in their order, and for how many seconds each has waited.
        """
        if time.monotonic() < self._silent_until:
            return None
        aged = [part for key, age in waiting for part in (key, int(age * 1e6))]
        numbers = [settings.CHAT_MAX_OPEN_STREAMS, int(self.lease * 1e6), len(leaving), len(held), len(waiting)]
        try:
            found = self._script(keys=self.keys(), args=[*numbers, *leaving, *held, *aged])
        except (RedisError, OSError) as error:
            self._silent(error)
            return None
        if self._is_silent:
            self._is_silent = False
            logger.warning("Open answers are counted over all processes again: Valkey answers.")
        is_open, is_waiting, before = cast(tuple[int, int, list[int]], found)
        return Verdict(Counted(is_open, is_waiting), tuple(before))

    def keys(self) -> list[str]:
        """Return the names in Valkey, in one slot of a cluster: installations that share one do not share readers."""
        name = self._name or settings.DATABASES["default"]["NAME"]
        return [f"wegweiser:{{{name}}}:{part}" for part in ("open", "queue", "alive")]

    def _silent(self, error: Exception) -> None:
        self._silent_until = time.monotonic() + _PAUSE_SECONDS
        if not self._is_silent:
            self._is_silent = True
            logger.warning(
                "Each process counts its open answers alone: Valkey does not answer (%s).", type(error).__name__
            )


def shared_queue() -> SharedQueue | None:
    """Return the queue in the broker's Valkey, None where the broker is another program."""
    url = valkey_url()
    return SharedQueue(url) if url else None
