"""Asks PostgreSQL for candidates: the best by words, the nearest by vector, each with both exact scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import F

from apps.documents.models import Document
from apps.documents.search import statements
from apps.documents.search.keeping import keep, kept_by_version
from apps.documents.search.weighing import WeighedTerm
from apps.rag.fusion import Candidate
from apps.rag.protocols import Vectors
from apps.rag.types import SearchFilters

LISTED: Final = 60
# Up to so many chunks the vectors are compared one by one: exact, and quicker than walking the graph past what a filter
# forbids. Of 100,000 chunks, exact against graph, p50 of a search: 16 and 155 ms for 1,000 in scope, 32 and 85 ms for
# 4,000, 46 and 61 ms for 8,000, 72 and 43 ms for 16,000; below 2,000 the graph misses more than 2 % of the ten nearest.
# A whole corpus without a filter is walked quickly (8,000 chunks: 38 and 9 ms), hence not more.
SMALL_SCOPE: Final = 4_000
_read_sizes: Final = kept_by_version(256)


@dataclass(frozen=True, slots=True)
class _Row:
    chunk_id: int
    document_id: int
    content_hash: str
    cosine: float | None
    bm25: float
    is_near: bool
    is_worded: bool
    party_slug: str
    lexical_weight: float
    published: date | None
    half_life_days: int | None
    superseded_on: date | None


def find_candidates(
    terms: Sequence[WeighedTerm],
    vector: Vectors | None,
    filters: SearchFilters,
    *,
    speaking: tuple[str, ...] = (),
    listed: int = LISTED,
    index: str = "",
) -> list[Candidate]:
    """Return up to twice `listed` chunks inside the filters, in no order.

    `vector` is the question's, None when there is no embedder to ask: then words alone decide. `speaking` are parties
    that the question names: other parties' own words are left out. How many chunks there are inside is kept under
    ``index`` (see ``keeping``).
    """
    scope = _scope(filters, speaking)
    size = keep(_read_sizes, index, (filters, speaking), lambda: _scope_size(scope))
    if not size:
        return []
    dimensions = 0 if vector is None else len(vector)
    statement = statements.candidates(scope, dimensions=dimensions, is_small=size <= SMALL_SCOPE)
    values = {**scope.values, **_asked(terms, vector), "listed": listed, "longest": statements.LONGEST}
    with transaction.atomic(), connection.cursor() as cursor:
        # Both in one message: the settings hold until the transaction ends.
        cursor.execute(f"{statements.SETTINGS}; {statement}", values)
        cursor.nextset()
        return _ranked([_Row(*row) for row in cursor.fetchall()])


def _scope_size(scope: statements.Scope) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statements.scope_size(scope), {**scope.values, "most": SMALL_SCOPE + 1})
        return int(cursor.fetchone()[0])


def score_candidates(terms: Sequence[WeighedTerm], vector: Vectors | None, chunk_ids: Sequence[int]) -> list[Candidate]:
    """Return given chunks with both exact scores, without ranks and in no order.

    The caller has checked who may see them. No index of vectors is asked: this works while one is built anew.
    """
    if not chunk_ids:
        return []
    statement = statements.chosen(dimensions=0 if vector is None else len(vector))
    with connection.cursor() as cursor:
        cursor.execute(statement, {**_asked(terms, vector), "chunks": list(chunk_ids)})
        return _ranked([_Row(*row) for row in cursor.fetchall()])


def _asked(terms: Sequence[WeighedTerm], vector: Vectors | None) -> dict[str, Any]:
    """Return a question's parameters."""
    asked: dict[str, Any] = {
        "terms": [term.number for term in terms],
        "weights": [term.weight for term in terms],
        "means": [term.mean_length for term in terms],
        "names": [term.is_name for term in terms],
    }
    if vector is not None:
        asked["vector"] = statements.vector_text(vector)
    return asked


@lru_cache(maxsize=256)
def _scope(filters: SearchFilters, speaking: tuple[str, ...]) -> statements.Scope:
    documents = Document.objects.within(filters).order_by()
    if speaking:
        documents = documents.spoken_by(speaking)
    versions, values = documents.values(version=F("current_version_id")).query.sql_with_params()
    return statements.Scope.of(versions, values, filters.languages)


def _ranked(rows: Sequence[_Row]) -> list[Candidate]:
    """Give each list its ranks by the exact scores; the graph walks in a slightly other order."""
    near = sorted((row for row in rows if row.is_near), key=lambda row: (-(row.cosine or -1.0), row.chunk_id))
    worded = sorted((row for row in rows if row.is_worded), key=lambda row: (-row.bm25, row.chunk_id))
    near_ranks = {row.chunk_id: rank for rank, row in enumerate(near, 1)}
    word_ranks = {row.chunk_id: rank for rank, row in enumerate(worded, 1)}
    return [
        Candidate(
            chunk_id=row.chunk_id,
            document_id=row.document_id,
            content_hash=row.content_hash,
            cosine=row.cosine,
            bm25=row.bm25,
            cosine_rank=near_ranks.get(row.chunk_id),
            bm25_rank=word_ranks.get(row.chunk_id),
            party_slug=row.party_slug,
            lexical_weight=row.lexical_weight,
            published=row.published,
            half_life_days=row.half_life_days,
            superseded_on=row.superseded_on,
        )
        for row in rows
    ]
