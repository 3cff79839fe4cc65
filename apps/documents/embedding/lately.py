"""The vectors of the last questions: each is computed once, also when several threads ask for it at the same time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future

from apps.rag.protocols import Vectors


class LatelyEmbedded:
    """Keeps the newest ``most`` vectors; safe in threads.

    ``lru_cache`` is not enough: the searches of one turn run side by side, none would find the other's result, and
    each would compute it. Here the later ones wait for the first, and share its error.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, Future[Vectors]] = OrderedDict()

    def get(self, key: Hashable, compute: Callable[[], Vectors]) -> Vectors:
        """Return the vector of ``key``, not to be written to. An error is raised to all that wait, and not kept."""
        with self._lock:
            known = self._kept.get(key)
            mine: Future[Vectors] = known or Future()
            self._kept[key] = mine
            self._kept.move_to_end(key)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        if known is None:
            self._fill(key, mine, compute)
        return mine.result()

    def _fill(self, key: Hashable, mine: Future[Vectors], compute: Callable[[], Vectors]) -> None:
        try:
            vector = compute()
            vector.setflags(write=False)
            mine.set_result(vector)
        except BaseException as error:
            with self._lock:
                if self._kept.get(key) is mine:
                    del self._kept[key]
            mine.set_exception(error)
