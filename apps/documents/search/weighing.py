"""Reads a question as search terms with their weight in this corpus. Called once per search."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import connection
from django.db.models import Sum

from apps.documents.models import CorpusChange
from apps.documents.search.keeping import keep, kept_by_version
from apps.documents.search.vocabulary import analyser, known_words, words_asked_for

_MOST_TERMS: Final = 64
_read_questions: Final = kept_by_version(256)


@dataclass(frozen=True, slots=True)
class WeighedTerm:
    """A term of the question that the corpus has.

    ``weight`` is its inverse document frequency times its count in the question; ``mean_length`` is that of the
    chunks of its language, in terms. ``is_name`` marks a party's name that only counts where no party speaks.
    """

    number: int
    text: str
    weight: float
    mean_length: float
    is_name: bool = False


@dataclass(frozen=True, slots=True)
class _Size:
    chunks: int
    length: int


def weigh_question(text: str, names: str = "", index: str = "") -> Sequence[WeighedTerm]:
    """Return the terms of a question, read in every language of the corpus: a name may stand in any of them.

    `names` are party names that were cut out of it. Document frequencies are those of the whole corpus, whatever the
    filters: a narrow search ranks by the same weights, and what somebody may not see cannot be told from what is
    missing. Three queries; none where that is kept (see ``keeping``).
    """
    return keep(_read_questions, index, (text, names), lambda: _weighed(text, names))


def _weighed(text: str, names: str) -> Sequence[WeighedTerm]:
    sizes = _corpus_sizes()
    asked = {language: words_asked_for(f"{text}\n{names}", language) for language in sizes}
    known = known_words(asked)
    words = {language: analyser(language).terms(text, known.get(language, frozenset())) for language in sizes}
    named = {language: analyser(language).terms(names, known.get(language, frozenset())) for language in sizes}
    weighed = []
    for number, language, term, frequency in _frequencies({one: words[one] + named[one] for one in sizes}):
        is_name = term not in words[language]
        count = named[language][term] if is_name else words[language][term]
        weight = _idf(sizes[language], frequency) * count
        weighed.append(WeighedTerm(number, term, weight, _mean(sizes[language]), is_name))
    # A question of 500 characters has fewer; this only bounds what a hostile one costs.
    return tuple(sorted(weighed, key=lambda term: (-term.weight, term.number))[:_MOST_TERMS])


def _corpus_sizes() -> dict[str, _Size]:
    rows = CorpusChange.objects.values_list("language").annotate(Sum("chunks"), Sum("length")).order_by("language")
    return {language: _Size(chunks, length) for language, chunks, length in rows if chunks > 0}


def _idf(size: _Size, frequency: int) -> float:
    return math.log(1 + (size.chunks - frequency + 0.5) / (frequency + 0.5))


def _mean(size: _Size) -> float:
    return max(1.0, size.length / size.chunks)


def _frequencies(counts: Mapping[str, Counter[str]]) -> list[tuple[int, str, str, int]]:
    """Return number, language, text and document frequency of the terms that some chunk has. One query."""
    asked = [(language, list(terms)) for language, terms in counts.items() if terms]
    if not asked:
        return []
    condition = " OR ".join(["(language = %s AND text = ANY(%s))"] * len(asked))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, language, text, (SELECT count(*) FROM documents_posting WHERE term_id = term.id)"
            f" FROM documents_term term WHERE {condition}",
            [value for pair in asked for value in pair],
        )
        return [row for row in cursor.fetchall() if row[3]]
