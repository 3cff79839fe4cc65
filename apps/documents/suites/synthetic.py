"""A corpus without meaning for speed: Zipf words, clustered vectors, written by COPY into a throw-away database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
from django.db import connection

from apps.core.suites import MissingDataError
from apps.documents.models import Collection, Document, DocumentVersion, Party, Section, Term
from apps.documents.search.vocabulary import analyser
from apps.rag.protocols import Vectors

VOCABULARY: Final = 60_000
WORDS_PER_CHUNK: Final = 100  # about 80 distinct terms
CHUNKS_PER_DOCUMENT: Final = 50
DIMENSIONS: Final = 384
_CLUSTERS: Final = 400
_ZIPF: Final = 1.0
_TABLES: Final = "documents_posting, documents_indexedchunk, documents_chunk, documents_corpuschange"


@dataclass(frozen=True, slots=True)
class SyntheticCorpus:
    """What was stored: unit vectors (chunks, 384) by chunk id - 1, words by frequency, chunks of each filter.

    Every 200th document speaks for the party `half`, every 10th stands in the collection `tenth`.
    """

    vectors: Vectors
    words: Sequence[str]
    centres: Vectors
    half_percent: np.ndarray
    ten_percent: np.ndarray


def pseudo_words(count: int) -> list[str]:
    """Return distinct words of consonants and vowels, none of them cut as a compound."""
    syllables = [consonant + vowel for consonant in "bdfgklmnprtvz" for vowel in "aeiou"]
    base = len(syllables)
    return [
        syllables[number % base] + syllables[number // base % base] + syllables[number // base**2 % base]
        for number in range(count)
    ]


def store_synthetic(chunks: int, rng: np.random.Generator) -> SyntheticCorpus:
    """Replace the whole corpus by `chunks` synthetic ones; refuse any but a throw-away database."""
    if not str(connection.settings_dict["NAME"]).startswith(("measure_", "test_")):
        raise MissingDataError("This bench fills the database with synthetic text. Run it without --live.")
    _empty()
    versions = _documents(-(-chunks // CHUNKS_PER_DOCUMENT))
    words = pseudo_words(VOCABULARY)
    terms = _terms(words)
    shares = 1 / np.arange(1, VOCABULARY + 1) ** _ZIPF
    drawn = rng.choice(VOCABULARY, size=(chunks, WORDS_PER_CHUNK), p=shares / shares.sum())
    centres = _unit(rng.standard_normal((_CLUSTERS, DIMENSIONS)).astype(np.float32))
    noise = rng.standard_normal((chunks, DIMENSIONS)).astype(np.float32) / np.sqrt(DIMENSIONS)
    # Whole numbers are quick to write; a cosine does not care about length.
    whole = np.rint(_unit(centres[rng.integers(_CLUSTERS, size=chunks)] + 0.8 * noise) * 2_000).astype(np.int32)
    _write_chunks(versions, words, drawn, whole)
    _write_postings(versions, terms, drawn)
    _finish()
    numbers = np.arange(chunks) // CHUNKS_PER_DOCUMENT
    return SyntheticCorpus(_unit(whole.astype(np.float32)), words, centres, numbers % 200 == 0, numbers % 10 == 0)


def _unit(rows: Vectors) -> Vectors:
    unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def _run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _empty() -> None:
    """Foreign keys and the vector index go while millions of rows come; the database is thrown away afterwards."""
    _run(f"TRUNCATE {_TABLES}, documents_term, documents_word CASCADE")
    _run("DROP INDEX IF EXISTS chunk_vector_384")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conrelid::regclass, conname FROM pg_constraint WHERE contype = 'f' AND conrelid IN"
            " ('documents_posting'::regclass, 'documents_indexedchunk'::regclass)"
        )
        for table, name in cursor.fetchall():
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
    Document.objects.update(current_version=None, status=Document.Status.QUEUED)
    Document.objects.all().delete()
    Collection.objects.all().delete()
    Party.objects.all().delete()


def _documents(count: int) -> list[tuple[int, int, int]]:
    """Return document, version and section id of each document."""
    rest = Collection.objects.create(slug="rest", name="rest")
    tenth = Collection.objects.create(slug="tenth", name="tenth")
    half = Party.objects.create(slug="half", name="Halbprozentpartei", short_name="HPP")
    documents = Document.objects.bulk_create(
        Document(
            title=f"Quelle {number}",
            collection=tenth if number % 10 == 0 else rest,
            party=half if number % 200 == 0 else None,
            published=date(2025, 1, 1),
        )
        for number in range(count)
    )
    versions = DocumentVersion.objects.bulk_create(
        DocumentVersion(document=document, number=1, filename="a", checksum=f"{document.pk:064d}")
        for document in documents
    )
    sections = Section.objects.bulk_create(Section(version=one, order=0, start=0, end=1) for one in versions)
    for document, version in zip(documents, versions, strict=True):
        document.current_version = version
        document.status = Document.Status.READY
    Document.objects.bulk_update(documents, ["current_version", "status"], batch_size=500)
    return [(one.document_id, one.pk, section.pk) for one, section in zip(versions, sections, strict=True)]


def _terms(words: Sequence[str]) -> np.ndarray:
    """Store the term of each word; return their numbers, shape (words,)."""
    stems = [next(iter(analyser("de").terms(word, frozenset())), word) for word in words]
    Term.objects.bulk_create([Term(language="de", text=stem) for stem in dict.fromkeys(stems)], batch_size=5_000)
    numbers = dict(Term.objects.values_list("text", "id"))
    return np.array([numbers[stem] for stem in stems])


def _write_chunks(
    versions: Sequence[tuple[int, int, int]], words: Sequence[str], drawn: np.ndarray, whole: np.ndarray
) -> None:
    columns = (
        'id, document_id, version_id, section_id, "order", text, context, start, "end", token_count, language,'
        " content_hash, vector, embedding_model, sentence_spans, sentence_vectors"
    )
    with connection.cursor() as cursor, cursor.copy(f"COPY documents_chunk ({columns}) FROM STDIN") as copy:
        for number, row in enumerate(drawn):
            document, version, section = versions[number // CHUNKS_PER_DOCUMENT]
            text = " ".join([words[index] for index in row])
            vector = str(whole[number].tolist()).replace(" ", "")
            fields = (
                f"{number + 1}\t{document}\t{version}\t{section}\t{number % CHUNKS_PER_DOCUMENT}\t{text}\t\t0\t1\t130"
                f"\tde\t{number}\t{vector}\tsynthetic\t[[0,{len(text)}]]\t\\\\x\n"
            )
            copy.write(fields)


def _write_postings(versions: Sequence[tuple[int, int, int]], terms: np.ndarray, drawn: np.ndarray) -> None:
    with connection.cursor() as cursor:
        with cursor.copy("COPY documents_indexedchunk (chunk_id, version_id, language, length) FROM STDIN") as copy:
            for number in range(len(drawn)):
                version = versions[number // CHUNKS_PER_DOCUMENT][1]
                copy.write(f"{number + 1}\t{version}\tde\t{WORDS_PER_CHUNK}\n")
        with cursor.copy("COPY documents_posting (term_id, chunk_id, frequency, length) FROM STDIN") as copy:
            for lines in _posting_lines(terms, drawn):
                copy.write(lines)


def _posting_lines(terms: np.ndarray, drawn: np.ndarray) -> Iterator[str]:
    for number, row in enumerate(terms[drawn]):
        distinct, counts = np.unique(row, return_counts=True)
        yield "".join(
            f"{term}\t{number + 1}\t{count}\t{WORDS_PER_CHUNK}\n"
            for term, count in zip(distinct.tolist(), counts.tolist(), strict=True)
        )


def _finish() -> None:
    from apps.documents.search.vector_index import vector_index_create

    vector_index_create(DIMENSIONS)
    for table in (*_TABLES.split(", "), "documents_term", "documents_document"):
        _run(f"VACUUM ANALYZE {table}")
