"""Ranks the shortlist again, 12 to 5. The default needs no download; settings name a cross-encoder or an endpoint."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.documents.reranking.local import LocalReranker
from apps.documents.reranking.types import Asked, Reranker

__all__ = ["Asked", "Reranker", "get_reranker"]


@lru_cache(maxsize=1)
def get_reranker() -> Reranker:
    """Return the reranker of this process; raise ImproperlyConfigured when RERANKER names none."""
    kind = settings.RERANKER
    if kind == "local":
        return LocalReranker()
    if kind == "cross-encoder":
        from apps.documents.reranking.cross_encoder import CrossEncoderReranker

        return CrossEncoderReranker(model=_needed("RERANKER_MODEL"), fallback=LocalReranker())
    if kind == "endpoint":
        from apps.documents.reranking.endpoint import EndpointReranker

        return EndpointReranker(
            url=_needed("RERANKER_URL"),
            model=settings.RERANKER_MODEL,
            api_key=settings.RERANKER_API_KEY,
            fallback=LocalReranker(),
        )
    raise ImproperlyConfigured(f"RERANKER is {kind!r}; it must be local, cross-encoder or endpoint.")


def _needed(name: str) -> str:
    value: str = getattr(settings, name)
    if not value:
        raise ImproperlyConfigured(f"RERANKER={settings.RERANKER} needs {name}.")
    return value
