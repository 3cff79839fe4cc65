"""What searches have read of the sources is kept while the sources stay the same.

Everything here is kept under an index version (apps/answering/index_version.py), which the database counts up with
every change of documents, passages, parties and links. Whoever reads the version first and the sources after it never
keeps old content under a new version. Without a version nothing is kept, and neither is what a transaction under way
has read: it may be rolled back. Sections are not watched: they are written once, with their version.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Final, TypeVar

from django.db import connection

from apps.core.lately import Lately

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

_all: Final[list[Lately[Any, Any]]] = []


def kept_by_version(most: int) -> Lately[Any, Any]:
    """Return a place for the ``most`` values that were asked for last; each part of the search has its own."""
    _all.append(Lately(most))
    return _all[-1]


def forget() -> None:
    """Read everything anew: for tests, whose databases count the same versions again."""
    for each in _all:
        each.forget()


def keep(place: Lately[Any, Any], index: str, key: Hashable, read: Callable[[], Value]) -> Value:
    """Return what ``read`` returns, kept under ``key`` and the index version ``index``."""
    value: Value = place.get((index, key), read) if _may_keep(index) else read()
    return value


def keep_all(
    place: Lately[Any, Any], index: str, keys: Iterable[Key], read: Callable[[Sequence[Key]], Iterable[Value]]
) -> list[Value]:
    """Return one value for each key, in their order; ``read`` gets those that are not kept."""
    if not _may_keep(index):
        return list(read(list(keys)))
    return place.get_all([(index, key) for key in keys], lambda pairs: read([key for _, key in pairs]))


def _may_keep(index: str) -> bool:
    return bool(index) and not connection.in_atomic_block
