"""How rare the corpus finds the words of a question."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from django.db.models import Count, IntegerField, OuterRef, Subquery, Sum

from apps.documents.models import CorpusChange, Posting, Term
from apps.documents.search.keeping import keep, kept_by_version
from apps.documents.search.retriever import run_search

_read_terms: Final = kept_by_version(256)


class CorpusStatistics:
    """Implements ``rag.protocols.TermStatistics`` over the word index.

    What it reads is kept under the index version ``index``; "" keeps nothing.
    """

    def __init__(self, index: str = "") -> None:
        self._index = index

    async def idf(self, terms: Sequence[str], language: str) -> Mapping[str, float]:
        """Return ``corpus_idf``, on a search thread."""
        return await run_search(lambda: corpus_idf(terms, language, self._index))


def corpus_idf(terms: Sequence[str], language: str, index: str = "") -> Mapping[str, float]:
    """Return the BM25 idf of each search term in the corpus, the highest for a term it lacks; {} if it is empty."""
    return keep(_read_terms, index, (tuple(terms), language), lambda: _corpus_idf(terms, language))


def _corpus_idf(terms: Sequence[str], language: str) -> dict[str, float]:
    chunks = CorpusChange.objects.filter(language=language).aggregate(total=Sum("chunks"))["total"] or 0
    if chunks <= 0:
        return {}
    counted = Posting.objects.filter(term=OuterRef("pk")).order_by().values("term").annotate(total=Count("chunk"))
    rows = Term.objects.filter(language=language, text__in=terms).annotate(
        frequency=Subquery(counted.values("total"), output_field=IntegerField())
    )
    frequencies = {text: frequency or 0 for text, frequency in rows.values_list("text", "frequency")}
    return {
        term: math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5))
        for term, frequency in ((term, frequencies.get(term, 0)) for term in terms)
    }
