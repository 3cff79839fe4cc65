"""System check: the index must have been made by the embedder that reads the questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connection

from apps.documents.embedding import get_embedder
from apps.documents.embedding.endpoint import EmbeddingError
from apps.documents.search.vector_index import MOST_DIMENSIONS, vector_index_dimensions

_HINT = "Run manage.py reembed, or set EMBEDDER and EMBEDDER_MODEL back to what they were."


@register(Tags.database)
def check_embedder(app_configs: Any, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Refuse vectors of another model: their cosines with a question mean nothing, and nobody would notice."""
    if "default" not in (databases or []) or not _has_index():
        return []
    embedder = get_embedder()
    strangers = sorted(_models() - {embedder.name})
    if strangers:
        found = ", ".join(strangers)
        return [
            Error(
                f"The index holds vectors of {found}, but questions are read by {embedder.name}.",
                hint=_HINT,
                id="documents.E001",
            )
        ]
    try:
        dimensions = embedder.dimensions
    except EmbeddingError as error:
        return [Warning(f"{error} Its dimension could not be compared with the index.", id="documents.W001")]
    if dimensions not in vector_index_dimensions() and dimensions <= MOST_DIMENSIONS:
        return [
            Error(
                f"There is no vector index for the {dimensions} dimensions of {embedder.name}.",
                hint=_HINT,
                id="documents.E002",
            )
        ]
    return []


def _has_index() -> bool:
    """Say whether the tables are there: migrate runs this check before it has made them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('documents_posting') IS NOT NULL")
        return bool(cursor.fetchone()[0])


def _models() -> set[str]:
    """Return the first and the last name of an embedding model: two index look-ups, whatever the size."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT min(embedding_model), max(embedding_model) FROM documents_chunk WHERE vector IS NOT NULL"
        )
        return {name for name in cursor.fetchone() if name}
