"""The index over the vectors: one per dimension, made by a migration for 384 and by reembed for any other."""

from __future__ import annotations

import re
from typing import Final

from django.db import connection

_NAME: Final = re.compile(r"chunk_vector_(\d+)")
# pgvector indexes half-precision vectors up to this length.
MOST_DIMENSIONS: Final = 4_000


def vector_index_dimensions() -> set[int]:
    """Return the dimensions that have an index."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexname FROM pg_indexes WHERE tablename = 'documents_chunk' AND schemaname = 'public'")
        matches = [_NAME.fullmatch(name) for (name,) in cursor.fetchall()]
    return {int(match.group(1)) for match in matches if match}


def vector_index_create(dimensions: int) -> None:
    """Build the index for one dimension and drop those of others; nothing where it stands already.

    Vectors longer than pgvector can index are searched without one: exact, and slow in a large corpus.
    """
    present = vector_index_dimensions()
    with connection.cursor() as cursor:
        if dimensions not in present and dimensions <= MOST_DIMENSIONS:
            cursor.execute("SET maintenance_work_mem = '512MB'")
            cursor.execute(
                f"CREATE INDEX chunk_vector_{int(dimensions)} ON documents_chunk"
                f" USING hnsw ((vector::halfvec({int(dimensions)})) halfvec_cosine_ops)"
                f" WITH (m = 16, ef_construction = 100) WHERE vector_dims(vector) = {int(dimensions)}"
            )
            cursor.execute("RESET maintenance_work_mem")
        for other in present - {dimensions}:
            cursor.execute(f"DROP INDEX chunk_vector_{int(other)}")
