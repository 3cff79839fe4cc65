"""Looks for canaries wherever the product writes: every table, log files, the queue, pages and files that go out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import connection

from apps.core.valkey import valkey_url

_WORD: Final = re.compile(r"\w{6,}")
_LARGEST_FILE: Final = 200_000_000
# Where the database and the queue keep their own files: their contents are searched through them.
_NOT_READ: Final = frozenset({"postgres", "pgdata", "valkey", "data"})
# Tables that hold readers' masked words, and therefore loose canaries for as long as the question lives.
WITH_WORDS: Final = frozenset({
    "querylog_turn",
    "querylog_answerfeedback",
    "querylog_sentencereport",
    "querylog_sourcereport",
    "answering_cachedanswer",
    "topics_querytext",
    "chat_sharedanswer",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Leak:
    """A canary that came to light: where, how often, and whether it was one that had to be masked."""

    place: str
    count: int
    is_masked_kind: bool


def found_in(text: str, wanted: Collection[str]) -> int:
    """Return how many canaries stand in a text, in any case, alone or at the beginning of a longer word."""
    words = {match.lower() for match in _WORD.findall(text)}
    # "Quorbadigostraße" and "quorbadigo" are the same secret: the word itself is twelve letters.
    return sum(word in wanted or (word.startswith("quor") and word[:12] in wanted) for word in words)


def leaks_in(place: str, texts: Iterable[str], masked: Collection[str], loose: Collection[str]) -> Iterator[Leak]:
    """Yield what stands in some texts that come from one place."""
    hits: Counter[bool] = Counter()
    for text in texts:
        hits[True] += found_in(text, masked)
        hits[False] += found_in(text, loose) if loose else 0
    for is_masked, count in hits.items():
        if count:
            yield Leak(place, count, is_masked)


def leaks_in_tables(masked: Collection[str], loose: Collection[str]) -> Iterator[Leak]:
    """Search every row of every table; loose canaries only where readers' words have no business."""
    for table in tables():
        allowed = frozenset[str]() if table in WITH_WORDS else loose
        yield from leaks_in(f"table {table}", rows_of(table), masked, allowed)


def tables() -> list[str]:
    """Return the names of all tables of the database, whoever made them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")
        return [name for (name,) in cursor.fetchall()]


def rows_of(table: str) -> Iterator[str]:
    """Each row as text; what is stored as bytes is read as letters too."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
        while rows := cursor.fetchmany(500):
            for row in rows:
                yield " ".join(_as_text(value) for value in row)


def _as_text(value: Any) -> str:
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode("latin-1")
    return str(value)


def leaks_in_files(since: float, masked: Collection[str], loose: Collection[str]) -> Iterator[Leak]:
    """Search what was written under var/ and in the media folder since a moment: logs, caches, exports."""
    for folder in {Path(settings.VAR_DIR), Path(settings.MEDIA_ROOT)}:
        for path in _written(folder, since):
            texts = [path.read_bytes().decode("latin-1")]
            yield from leaks_in(f"file {path.relative_to(folder)}", texts, masked, loose)


def _written(folder: Path, since: float) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if _NOT_READ & {part.lower() for part in path.relative_to(folder).parts[:-1]} or not path.is_file():
            continue
        facts = path.stat()
        if facts.st_mtime >= since and facts.st_size <= _LARGEST_FILE:
            yield path


def leaks_in_queue(masked: Collection[str], loose: Collection[str]) -> Iterator[Leak]:
    """Search what waits for workers, where the queue is a Redis or Valkey."""
    address = valkey_url()
    if not address:
        return
    import redis

    client = redis.Redis.from_url(address)
    yield from leaks_in("queue", _queued(client), masked, loose)


def _queued(client: Any) -> Iterator[str]:
    for key in client.scan_iter():
        kind = client.type(key)
        values = client.lrange(key, 0, -1) if kind == b"list" else client.hvals(key) if kind == b"hash" else []
        values = [client.get(key)] if kind == b"string" else values
        yield from ((value or b"").decode("latin-1") for value in values)
