"""Whose names stand in the sources: people of the news, who may be asked about. Used where questions are masked."""

from __future__ import annotations

from typing import Final

from django.db import connection

from apps.documents.models import CorpusChange, Document
from apps.documents.search.vocabulary import analyser

# So many chunks with the surname are read for the whole name.
_MOST_READ: Final = 400
_STANDS: Final = """
SELECT EXISTS (
    SELECT 1 FROM (
        SELECT posting.chunk_id FROM documents_posting AS posting
        JOIN documents_term AS term ON term.id = posting.term_id
        WHERE term.text = ANY(%(stems)s) LIMIT %(most)s
    ) AS found JOIN documents_chunk AS chunk ON chunk.id = found.chunk_id
    WHERE strpos(chunk.text, %(name)s) > 0 AND chunk.review IN ('free', 'approved')
)
"""


def stands_in_sources(name: str) -> bool:
    """Say whether a name of several words stands in the sources just so. Three queries at most."""
    words = name.split()
    if len(words) < 2:
        return False
    if Document.objects.filter(author__contains=name).exists():
        return True
    languages = CorpusChange.objects.order_by().values_list("language", flat=True).distinct()
    stems = {stem for language in languages for stem in analyser(language).terms(words[-1], frozenset())}
    with connection.cursor() as cursor:
        cursor.execute(_STANDS, {"stems": sorted(stems), "name": name, "most": _MOST_READ})
        row = cursor.fetchone()
    return bool(row and row[0])
