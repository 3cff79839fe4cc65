"""Values that were computed lately: each once, also when several threads ask for it at the same time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import Future
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Lately(Generic[Key, Value]):
    """Keeps the values of the ``most`` keys that were asked for last; safe in threads.

    ``lru_cache`` is not enough: the searches of one turn run side by side, none would find the other's result, and
    each would compute it. Here the later ones wait for the first, and share its error.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, Future[Value]] = OrderedDict()

    def get(self, key: Key, compute: Callable[[], Value]) -> Value:
        """Return the value of ``key``. An error is raised to all that wait, and not kept."""
        return self.get_all([key], lambda _keys: [compute()])[0]

    def get_all(self, keys: Iterable[Key], compute: Callable[[Sequence[Key]], Iterable[Value]]) -> list[Value]:
        """Return one value for each key, in their order; ``compute`` gets those that nobody has computed yet.

        No two wait for each other: whoever has keys to compute does that before it waits for others'.
        """
        wanted = list(keys)
        mine: dict[Key, Future[Value]] = {}
        futures: list[Future[Value]] = []
        with self._lock:
            for key in wanted:
                future = self._kept.get(key)
                if future is None:
                    future = mine[key] = self._kept[key] = Future()
                self._kept.move_to_end(key)
                futures.append(future)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        if mine:
            self._fill(mine, compute)
        return [future.result() for future in futures]

    def forget(self) -> None:
        """Keep nothing of what was computed so far."""
        with self._lock:
            self._kept.clear()

    def _fill(self, mine: dict[Key, Future[Value]], compute: Callable[[Sequence[Key]], Iterable[Value]]) -> None:
        try:
            for future, value in zip(mine.values(), compute(list(mine)), strict=True):
                future.set_result(value)
        except BaseException as error:
            with self._lock:
                for key, future in mine.items():
                    if self._kept.get(key) is future:
                        del self._kept[key]
            for future in mine.values():
                if not future.done():
                    future.set_exception(error)
            raise
