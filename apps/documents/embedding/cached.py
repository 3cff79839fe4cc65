"""Vectors kept by content hash, so that a suite embeds its corpus once and not at every run."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from apps.rag.protocols import Embedder, Vectors

_LOOKUP: Final = 500
_BATCH: Final = 32


class CachedEmbedder:
    """An embedder with a memory: one SQLite file per model, in WAL mode, safe for several processes at once.

    SQLite is a cache here and nothing else: deleting the file costs time, never data. Suites use it; readers'
    questions never go through it, since their text must not stay on disk, not even as a hash.
    """

    def __init__(self, inner: Embedder, folder: Path) -> None:
        self.inner = inner
        self.name = inner.name
        self.cosine_spread: float = getattr(inner, "cosine_spread", 0.1)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{hashlib.sha256(inner.name.encode()).hexdigest()[:16]}.sqlite3"
        self._lock = threading.Lock()
        self._file = sqlite3.connect(path, timeout=60, check_same_thread=False, isolation_level=None)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=NORMAL")
        self._file.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")

    @property
    def dimensions(self) -> int:
        """Return the inner embedder's dimension."""
        return self.inner.dimensions

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text, from the cache where it is known; new rows are stored batch by batch."""
        keys = [_key("passage", text) for text in texts]
        known = self._stored(keys)
        missing = [index for index, key in enumerate(keys) if key not in known]
        for start in range(0, len(missing), _BATCH):
            part = missing[start : start + _BATCH]
            rows = self.inner.embed_passages([texts[index] for index in part])
            known |= self._store([keys[index] for index in part], rows)
        if not keys:
            return np.empty((0, self.dimensions), dtype=np.float32)
        return np.vstack([known[key] for key in keys])

    def embed_question(self, text: str) -> Vectors:
        """Return the unit vector of a question, from the cache where it is known."""
        key = _key("question", text)
        known = self._stored([key])
        if key not in known:
            known = self._store([key], self.inner.embed_question(text)[np.newaxis])
        return known[key]

    def count_tokens(self, text: str) -> int:
        """Return the inner embedder's count."""
        return self.inner.count_tokens(text)

    def _stored(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        found: dict[bytes, Vectors] = {}
        wanted = list(set(keys))
        for start in range(0, len(wanted), _LOOKUP):
            part = wanted[start : start + _LOOKUP]
            marks = ",".join("?" * len(part))
            with self._lock:
                rows = self._file.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", part).fetchall()
            found |= {key: np.frombuffer(vector, dtype=np.float32) for key, vector in rows}
        return found

    def _store(self, keys: Sequence[bytes], rows: Vectors) -> dict[bytes, Vectors]:
        fresh = {key: np.asarray(row, dtype=np.float32) for key, row in zip(keys, rows, strict=True)}
        with self._lock:
            self._file.execute("BEGIN IMMEDIATE")
            self._file.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?)", [(key, row.tobytes()) for key, row in fresh.items()]
            )
            self._file.execute("COMMIT")
        return fresh


def _key(mode: str, text: str) -> bytes:
    return hashlib.sha256(f"{mode}\0{text}".encode("utf-8", "surrogatepass")).digest()
