"""Writes the word index. Called by indexing once a version's chunks are stored, in the same transaction."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import connection, transaction

from apps.documents.embedding.texts import embedded_text
from apps.documents.models import Chunk, CorpusChange
from apps.documents.search.vocabulary import (
    analyser,
    compounds_changed,
    known_words,
    words_add,
    words_asked_for,
)

_BATCH: Final = 200
_LONGEST_TERM: Final = 80
_SMALLINT: Final = 32_767
_CHANGES_KEPT: Final = 200
# Any constant: names the lock on the vocabulary.
_VOCABULARY_LOCK: Final = 7_036_501


@dataclass(frozen=True, slots=True)
class _Text:
    """What of a chunk is searched by words: its context and its text."""

    chunk_id: int
    version_id: int
    language: str
    text: str


def chunks_index_terms(chunk_ids: Sequence[int]) -> None:
    """Index the words of these chunks, and anew those of chunks whose compounds they cut otherwise.

    Call it last in the transaction that stores the chunks: it takes a lock until commit, since two workers that do
    not see each other's words would cut compounds by different vocabularies. Nothing slow may follow. Indexing a
    chunk again replaces its terms; a deleted chunk takes its terms along.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_VOCABULARY_LOCK])
        wanted = set(chunk_ids)
        touched: set[int] = set()
        for batch in _batches(sorted(wanted)):
            touched |= _vocabulary_grow(_texts(batch))
        wanted |= _held(touched - wanted)
        for batch in _batches(sorted(wanted)):
            _replace_terms(_texts(batch))
        _add_up_changes()


def terms_rebuild() -> int:
    """Forget the word index and the vocabulary and index every chunk again; return how many chunks there are."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            # A table with checks that wait for the commit cannot be emptied.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(
                "TRUNCATE documents_posting, documents_indexedchunk, documents_term, documents_word,"
                " documents_corpuschange"
            )
        chunk_ids = list(Chunk.objects.order_by("id").values_list("id", flat=True))
        chunks_index_terms(chunk_ids)
    return len(chunk_ids)


def _batches(chunk_ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(chunk_ids), _BATCH):
        yield chunk_ids[start : start + _BATCH]


def _texts(chunk_ids: Sequence[int]) -> list[_Text]:
    rows = Chunk.objects.filter(id__in=chunk_ids).values_list("id", "version_id", "language", "context", "text")
    return [
        _Text(chunk_id, version_id, language, embedded_text(context, text))
        for chunk_id, version_id, language, context, text in rows
    ]


def _vocabulary_grow(texts: Iterable[_Text]) -> set[int]:
    """Add the words of new texts; return the other chunks whose compounds are cut otherwise from now on."""
    words: dict[str, set[str]] = defaultdict(set)
    for text in texts:
        words[text.language].update(analyser(text.language).words(text.text))
    touched: set[int] = set()
    for language, spoken in words.items():
        changed = compounds_changed(language, words_add(language, spoken))
        touched |= _chunks_with(language, changed)
    return touched


def _chunks_with(language: str, words: Iterable[str]) -> set[int]:
    """Return the indexed chunks that may hold one of these words: those with its stem."""
    stems = sorted({stem for word in words for stem in analyser(language).terms(word, frozenset())})
    if not stems:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT posting.chunk_id FROM documents_term term"
            " JOIN documents_posting posting ON posting.term_id = term.id"
            " WHERE term.language = %s AND term.text = ANY(%s)",
            [language, stems],
        )
        return {chunk_id for (chunk_id,) in cursor.fetchall()}


def _held(chunk_ids: set[int]) -> set[int]:
    """Keep these chunks from being deleted until commit; leave out those that somebody is deleting now.

    Waiting for them would be a deadlock: who replaces a document deletes first and then waits for our lock.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM documents_chunk WHERE id = ANY(%s) FOR KEY SHARE SKIP LOCKED", [sorted(chunk_ids)]
        )
        return {chunk_id for (chunk_id,) in cursor.fetchall()}


def _replace_terms(texts: Sequence[_Text]) -> None:
    asked: dict[str, set[str]] = defaultdict(set)
    for text in texts:
        asked[text.language] |= words_asked_for(text.text, text.language)
    known = known_words(asked)
    counted = {
        text.chunk_id: _storable(analyser(text.language).terms(text.text, known[text.language])) for text in texts
    }
    numbers: dict[str, dict[str, int]] = {}
    for language in asked:
        chunk_terms = [counted[text.chunk_id] for text in texts if text.language == language]
        numbers[language] = _term_numbers(language, {term for terms in chunk_terms for term in terms})
    _write_rows(texts, counted, numbers)


def _storable(terms: Counter[str]) -> Counter[str]:
    kept: Counter[str] = Counter()
    for term, frequency in terms.items():
        kept[term[:_LONGEST_TERM]] += frequency
    return kept


def _term_numbers(language: str, terms: set[str]) -> dict[str, int]:
    """Return the number of each term; the new ones are stored first, without burning numbers for the others."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO documents_term (language, text) SELECT %s, new.text FROM unnest(%s::text[]) AS new(text)"
            " WHERE NOT EXISTS (SELECT 1 FROM documents_term old WHERE old.language = %s AND old.text = new.text)",
            [language, sorted(terms), language],
        )
        cursor.execute(
            "SELECT text, id FROM documents_term WHERE language = %s AND text = ANY(%s)", [language, sorted(terms)]
        )
        return dict(cursor.fetchall())


def _write_rows(
    texts: Sequence[_Text], counted: Mapping[int, Counter[str]], numbers: Mapping[str, Mapping[str, int]]
) -> None:
    chunk_ids = [text.chunk_id for text in texts]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM documents_posting WHERE chunk_id = ANY(%s)", [chunk_ids])
        cursor.execute("DELETE FROM documents_indexedchunk WHERE chunk_id = ANY(%s)", [chunk_ids])
        with cursor.copy("COPY documents_indexedchunk (chunk_id, version_id, language, length) FROM STDIN") as copy:
            for text in texts:
                copy.write_row((text.chunk_id, text.version_id, text.language, _length(counted[text.chunk_id])))
        with cursor.copy("COPY documents_posting (term_id, chunk_id, frequency, length) FROM STDIN") as copy:
            for text in texts:
                terms = counted[text.chunk_id]
                length = _length(terms)
                for term, frequency in terms.items():
                    row = (numbers[text.language][term], text.chunk_id, min(frequency, _SMALLINT), length)
                    copy.write_row(row)


def _length(terms: Counter[str]) -> int:
    return min(terms.total(), _SMALLINT)


def _add_up_changes() -> None:
    if CorpusChange.objects.count() <= _CHANGES_KEPT:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH gone AS (DELETE FROM documents_corpuschange RETURNING language, chunks, length)"
            " INSERT INTO documents_corpuschange (language, chunks, length)"
            " SELECT language, sum(chunks), sum(length) FROM gone GROUP BY language"
        )
