"""The SQL of search, apart from the code that runs it. Every value is a parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from apps.documents.querysets import HELD_BACK
from apps.rag.protocols import Vectors

K1: Final = 1.2
B: Final = 0.75

# Milliseconds for one search: no question may keep the database busy until nobody waits for its answer any more.
LONGEST: Final = 6_000
# For this transaction: the graph is walked on until enough rows have passed the filter, at most so many rows.
SETTINGS: Final = (
    "SELECT set_config('statement_timeout', %(longest)s::text, true),"
    " set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', '120', true),"
    " set_config('hnsw.max_scan_tuples', '20000', true)"
)

_SHARE: Final = f"""asked.weight * posting.frequency * {K1 + 1}
        / (posting.frequency + {K1} * ({1 - B} + {B} * posting.length / asked.mean_length))"""
# A party's name counts where no party speaks: its own documents say "we".
_BM25: Final = f"""
    SELECT posting.chunk_id, sum({_SHARE}) AS bm25, coalesce(sum({_SHARE}) FILTER (WHERE asked.is_name), 0) AS named
    FROM unnest(%(terms)s::int[], %(weights)s::float8[], %(means)s::float8[], %(names)s::bool[])
        AS asked (term_id, weight, mean_length, is_name)
    JOIN documents_posting posting USING (term_id)
"""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a search may find: a query of version ids (column `version`), and languages of chunks.

    `values` are the parameters of both, by name.
    """

    versions: str
    values: Mapping[str, Any]

    has_languages: bool

    @classmethod
    def of(cls, versions: str, values: Sequence[Any], languages: Sequence[str]) -> Scope:
        """Name the parameters of a compiled QuerySet, so that they mix with those of search."""
        names = [f"scope_{number}" for number in range(len(values))]
        named = versions % tuple(f"%({name})s" for name in names)
        parameters = dict(zip(names, values, strict=True)) | {"languages": list(languages)}
        return cls(named, parameters, bool(languages))

    def chunks(self) -> str:
        """Return a query of all chunk ids inside."""
        return (
            f"SELECT indexed.chunk_id FROM documents_indexedchunk indexed JOIN ({self.versions}) allowed"
            f" ON allowed.version = indexed.version_id"
            f" WHERE {self._spoken('indexed')} AND {_quotable('indexed.chunk_id')}"
        )

    def admits(self, table: str) -> str:
        """Return a condition on one row, looked at row by row.

        As a scalar subquery: a join would make the planner read the whole scope before the first row is ranked.
        """
        return (
            f"(SELECT true FROM ({self.versions}) allowed WHERE allowed.version = {table}.version_id LIMIT 1)"
            f" AND {self._spoken(table)} AND {_quotable('chunk.id' if table == 'chunk' else f'{table}.chunk_id')}"
        )

    def _spoken(self, table: str) -> str:
        return f"{table}.language = ANY(%(languages)s)" if self.has_languages else "true"


def _quotable(chunk_id: str) -> str:
    """Leave out what waits for an editor: a handful of ids, read once from an index of their own."""
    held = ", ".join(f"'{state}'" for state in HELD_BACK)
    return f"{chunk_id} NOT IN (SELECT held.id FROM documents_chunk held WHERE held.review IN ({held}))"


def scope_size(scope: Scope) -> str:
    """Return a statement that counts the chunks inside, up to `most`. Parameters: `most`, and the scope's own."""
    return f"SELECT count(*) FROM ({scope.chunks()} LIMIT %(most)s) AS inside"


def vector_text(vector: Vectors) -> str:
    """Return a vector as pgvector reads it, in full float32 precision."""
    return "[" + ",".join(f"{value:.9g}" for value in vector.tolist()) + "]"


def candidates(scope: Scope, *, dimensions: int, is_small: bool) -> str:
    """Return the statement for both lists and both scores; without a vector where `dimensions` is 0.

    Parameters: terms, weights, means, names, listed, vector, and the scope's own.
    """
    by_words = _small_by_words(scope) if is_small else _broad_by_words(scope)
    if not dimensions:
        by_vector = "SELECT NULL::bigint AS chunk_id WHERE false"
    else:
        by_vector = _small_by_vector(dimensions) if is_small else _broad_by_vector(scope, dimensions)
    # Whatever one search found gets the other's score as well, exactly.
    return f"""
WITH {by_words}, by_vector AS MATERIALIZED ({by_vector})
{_scored(dimensions, "chunk.id IN (SELECT chunk_id FROM by_vector)", "chunk.id IN (SELECT chunk_id FROM by_words)")}
FROM (SELECT chunk_id FROM by_words UNION SELECT chunk_id FROM by_vector) found
{_FACTS}
"""


def chosen(*, dimensions: int) -> str:
    """Return the statement for both scores of given chunks, in the columns of `candidates`.

    Parameters: chunks, terms, weights, means, names, vector.
    """
    return f"""
WITH found AS MATERIALIZED (SELECT unnest(%(chunks)s::bigint[]) AS chunk_id),
matched AS MATERIALIZED ({_BM25} JOIN found USING (chunk_id) GROUP BY posting.chunk_id)
{_scored(dimensions, "false", "false")}
FROM found
{_FACTS}
"""


_FACTS: Final = """JOIN documents_chunk chunk ON chunk.id = found.chunk_id
JOIN documents_document document ON document.id = chunk.document_id
JOIN documents_collection shelf ON shelf.id = document.collection_id
LEFT JOIN documents_party party ON party.id = document.party_id
LEFT JOIN documents_document newer ON newer.id = document.superseded_by_id
LEFT JOIN matched ON matched.chunk_id = chunk.id"""


# A newer document without a date has always been there.
_SUPERSEDED: Final = (
    "CASE WHEN newer.id IS NOT NULL"
    " THEN coalesce(greatest(newer.published, newer.valid_from), document.published, '0001-01-01'::date) END"
)


def _scored(dimensions: int, is_near: str, is_worded: str) -> str:
    """Return the columns of a candidate; the cosine is NULL without a vector of as many dimensions."""
    cosine = (
        f"CASE WHEN vector_dims(chunk.vector) = {dimensions} THEN 1 - (chunk.vector <=> %(vector)s::vector) END"
        if dimensions
        else "NULL::float8"
    )
    return f"""SELECT chunk.id, chunk.document_id, chunk.content_hash, {cosine},
    coalesce(matched.bm25 - CASE WHEN document.party_id IS NULL THEN 0 ELSE matched.named END, 0),
    {is_near}, {is_worded},
    coalesce(party.slug, ''), shelf.lexical_weight, document.published, shelf.recency_half_life_days, {_SUPERSEDED}"""


def _small_by_words(scope: Scope) -> str:
    return f"""scope AS MATERIALIZED ({scope.chunks()}),
matched AS MATERIALIZED ({_BM25} JOIN scope USING (chunk_id) GROUP BY posting.chunk_id),
by_words AS MATERIALIZED (SELECT chunk_id FROM matched ORDER BY bm25 DESC, chunk_id LIMIT %(listed)s)"""


def _broad_by_words(scope: Scope) -> str:
    return f"""matched AS MATERIALIZED ({_BM25} GROUP BY posting.chunk_id),
by_words AS MATERIALIZED (
    SELECT best.chunk_id FROM (SELECT chunk_id FROM matched ORDER BY bm25 DESC, chunk_id) best
    WHERE (
        SELECT true FROM documents_indexedchunk indexed
        WHERE indexed.chunk_id = best.chunk_id AND {scope.admits("indexed")}
    ) LIMIT %(listed)s
)"""


def _small_by_vector(dimensions: int) -> str:
    return f"""
    SELECT scope.chunk_id FROM scope JOIN documents_chunk chunk ON chunk.id = scope.chunk_id
    WHERE vector_dims(chunk.vector) = {dimensions}
    ORDER BY chunk.vector <=> %(vector)s::vector, scope.chunk_id LIMIT %(listed)s"""


def _broad_by_vector(scope: Scope, dimensions: int) -> str:
    return f"""
    SELECT chunk.id AS chunk_id FROM documents_chunk chunk
    WHERE vector_dims(chunk.vector) = {dimensions} AND {scope.admits("chunk")}
    ORDER BY chunk.vector::halfvec({dimensions}) <=> %(vector)s::halfvec({dimensions}) LIMIT %(listed)s"""
