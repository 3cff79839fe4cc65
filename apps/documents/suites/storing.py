"""Stores a suite's corpus as indexing would, without upload and parsing in a child process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from apps.core.suites import SuiteContext
from apps.documents.chunking import chunk_document
from apps.documents.embedding import embedded_text, get_embedder
from apps.documents.indexing.storing import chunk_of
from apps.documents.models import Chunk, Collection, Document, DocumentVersion, Party
from apps.documents.search import chunks_index_terms
from apps.documents.sectioning import section_document
from apps.documents.suites.corpora import Corpus, CorpusDocument
from apps.documents.versions import sections_write

_EMBEDDED_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class StoredCorpus:
    """Which document's key stands behind each public uuid."""

    keys: Mapping[str, str]
    chunks: int


def store_corpus(corpus: Corpus, context: SuiteContext) -> StoredCorpus:
    """Store, embed and index every document; sentences get their vectors later (``sentences_embed``)."""
    shelf = Collection.objects.create(slug="suite", name="suite")
    parties = {
        party.slug: Party.objects.create(
            slug=party.slug, name=party.short_name, short_name=party.short_name, aliases=list(party.aliases)
        )
        for party in corpus.parties
    }
    keys: dict[str, str] = {}
    chunks: list[Chunk] = []
    for source in corpus.documents:
        document = Document.objects.create(title=source.title, collection=shelf, party=parties.get(source.party_slug))
        chunks += _stored_chunks(source, document)
        keys[str(document.uuid)] = source.key
    for start in range(0, len(chunks), _EMBEDDED_AT_ONCE):
        part = chunks[start : start + _EMBEDDED_AT_ONCE]
        rows = get_embedder().embed_passages([embedded_text(chunk.context, chunk.text) for chunk in part])
        for chunk, row in zip(part, rows, strict=True):
            chunk.vector = row
        if start // _EMBEDDED_AT_ONCE % 10 == 9:
            context.say(f"Embedded {start + len(part)} of {len(chunks)} chunks.")
    Chunk.objects.bulk_create(chunks, batch_size=500)
    chunks_index_terms([chunk.pk for chunk in chunks])
    return StoredCorpus(keys, len(chunks))


def sentences_embed(chunk_ids: Iterable[int]) -> None:
    """Give these chunks the vectors of their sentences.

    Indexing does so for every chunk. A suite does it for those that some question brings to the shortlist: no other
    sentence vector is ever read, so that the figures are the same for a tenth of the time.
    """
    for chunk in Chunk.objects.filter(id__in=list(chunk_ids)).only("text", "sentence_spans").iterator(200):
        texts = [chunk.text[start:end] for start, end in chunk.sentence_spans]
        rows = get_embedder().embed_passages(texts)
        Chunk.objects.filter(pk=chunk.pk).update(sentence_vectors=rows.astype(np.float16).tobytes())


def _stored_chunks(source: CorpusDocument, document: Document) -> Iterator[Chunk]:
    text = section_document(source.parsed)
    version = DocumentVersion.objects.create(
        document=document, number=1, filename=source.key[:255], checksum=f"{document.pk:064d}", text=text.text
    )
    sections = sections_write(version, text)
    spans = chunk_document(text, title=source.title, count_tokens=get_embedder().count_tokens, language="de")
    for order, span in enumerate(spans):
        chunk = chunk_of(span, order, version, sections[span.section].pk)
        chunk.embedding_model = get_embedder().name
        yield chunk
    Document.objects.filter(pk=document.pk).update(current_version=version, status=Document.Status.READY)
