"""Cuts a text into chunks, embeds what is new, and swaps the document's chunks in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from django.db import transaction

from apps.documents.chunking import ChunkSize, ChunkSpan, chunk_document
from apps.documents.embedding import embedded_text
from apps.documents.indexing.vectors import VectorStore
from apps.documents.models import Chunk, Collection, Document, DocumentVersion, EmbeddedText
from apps.documents.parsing.types import ParsingError
from apps.documents.search.postings import chunks_index_terms
from apps.documents.sectioning import SectionedDocument
from apps.documents.suspicion import Decisions, StoredSuspicion, review_of, suspicions


class OvertakenError(Exception):
    """The document waits for another version by now, or for none."""


def pending_document(version: DocumentVersion) -> Document:
    """Return the document, locked until the transaction ends. Raises OvertakenError when it has moved on."""
    document = Document.objects.select_for_update(of=("self",)).filter(pk=version.document_id).first()
    if document is None or document.pending_version_id != version.pk:
        raise OvertakenError
    return document


def store_chunks(
    version: DocumentVersion, text: SectionedDocument, vectors: VectorStore, tell: Callable[[float], None]
) -> None:
    """Make ``version`` the current one. Until the last transaction the old chunks are searched."""
    document, collection = version.document, version.document.collection
    spans = chunk_document(
        text,
        title=document.title,
        count_tokens=vectors.embedder.count_tokens,
        size=ChunkSize(collection.section_limit, collection.window, collection.overlap),
        language=document.language or "de",
        embed=vectors.embed if collection.chunking == Collection.Chunking.SEMANTIC else None,
    )
    if not spans:
        raise ParsingError("no_text", "No text was found in the file.")
    vectors.embed(list(_texts(spans)), tell)
    suspected = suspicions(text.text, spans, document.language or "de")
    with transaction.atomic():
        document = pending_document(version)
        decided = chunk_decisions(document.chunks.exclude(review=Chunk.Review.FREE))
        Chunk.objects.filter(document=document).delete()
        sections = dict(version.sections.values_list("order", "pk"))
        chunks = [chunk_of(span, order, version, sections[span.section]) for order, span in enumerate(spans)]
        for chunk, found in zip(chunks, suspected, strict=True):
            _judged(_embedded(chunk, vectors), found, decided)
        Chunk.objects.bulk_create(chunks, batch_size=200)
        EmbeddedText.objects.filter(version__document=document).delete()
        _finish(document, version)
        # Last: it holds a lock that other workers wait for until commit.
        chunks_index_terms([chunk.pk for chunk in chunks])


def _texts(spans: list[ChunkSpan]) -> Iterator[str]:
    for span in spans:
        yield embedded_text(span.context, span.text)
        for start, end in span.sentences:
            yield span.text[start:end]


def chunk_decisions(chunks: Iterable[Chunk]) -> Decisions:
    """Return what editors have decided on the suspicious passages of these chunks."""
    keys: dict[str, set[str]] = {Chunk.Review.APPROVED: set(), Chunk.Review.KEPT_OUT: set()}
    for chunk in chunks:
        keys.get(chunk.review, set()).update(key for _start, _end, _kinds, key in chunk.suspicions)
    return Decisions(frozenset(keys[Chunk.Review.APPROVED]), frozenset(keys[Chunk.Review.KEPT_OUT]))


def chunk_of(span: ChunkSpan, order: int, version: DocumentVersion, section_id: int) -> Chunk:
    """Return a chunk that is neither stored nor embedded yet."""
    return Chunk(
        document_id=version.document_id,
        version=version,
        section_id=section_id,
        order=order,
        text=span.text,
        context=span.context,
        start=span.start,
        end=span.end,
        page_from=span.page_from,
        page_to=span.page_to,
        token_count=span.token_count,
        language=span.language[:8],
        sentence_spans=[list(sentence) for sentence in span.sentences],
    )


def _embedded(chunk: Chunk, vectors: VectorStore) -> Chunk:
    embedded = embedded_text(chunk.context, chunk.text)
    sentences = vectors.embed([chunk.text[start:end] for start, end in chunk.sentence_spans])
    chunk.content_hash = vectors.text_hash(embedded)
    chunk.vector = vectors.embed([embedded])[0]
    chunk.embedding_model = vectors.embedder.name
    chunk.sentence_vectors = sentences.astype(np.float16).tobytes()
    return chunk


def _judged(chunk: Chunk, found: Sequence[StoredSuspicion], decided: Decisions) -> Chunk:
    chunk.suspicions = list(found)
    chunk.review = review_of(found, decided)
    return chunk


def _finish(document: Document, version: DocumentVersion) -> None:
    DocumentVersion.objects.filter(pk=version.pk).update(was_current=True)
    document.current_version = version
    document.pending_version = None
    document.status = Document.Status.READY
    document.reason_code = document.reason = ""
    document.progress = 100
    document.save()
