"""Small corpora for the search tests, stored as indexing would store them."""

from __future__ import annotations

import hashlib
from datetime import date
from typing import Any

from apps.documents.embedding import embedded_text, get_embedder
from apps.documents.models import Chunk, Collection, Document, DocumentVersion, Party, Section
from apps.documents.search.postings import chunks_index_terms
from apps.rag.types import SearchFilters, SearchQuery

TODAY = date(2026, 2, 1)


def collection(slug: str = "programme", **fields: Any) -> Collection:
    made, _ = Collection.objects.get_or_create(slug=slug, defaults={"name": slug, **fields})
    return made


def party(slug: str, short_name: str, *aliases: str) -> Party:
    made, _ = Party.objects.get_or_create(
        slug=slug, defaults={"name": f"Partei {short_name}", "short_name": short_name, "aliases": list(aliases)}
    )
    return made


def document(
    *texts: str,
    title: str = "",
    shelf: Collection | None = None,
    context: str = "",
    language: str = "de",
    needs_review: bool = False,
    **fields: Any,
) -> Document:
    """Store one document whose chunks are the given texts, embedded and with their words indexed."""
    made = Document.objects.create(title=title, collection=shelf or collection(), language=language, **fields)
    whole = "\n\n".join(texts)
    checksum = hashlib.sha256(f"{made.pk}{whole}".encode()).hexdigest()
    version = DocumentVersion.objects.create(
        document=made, number=1, filename="a.txt", checksum=checksum, text=whole, needs_review=needs_review
    )
    section = Section.objects.create(
        version=version, order=0, start=0, end=len(whole), path=[context] if context else []
    )
    chunks, position = [], 0
    for order, text in enumerate(texts):
        chunks.append(
            Chunk(
                document=made,
                version=version,
                section=section,
                order=order,
                text=text,
                context=context,
                start=position,
                end=position + len(text),
                token_count=len(text.split()),
                language=language,
                content_hash=hashlib.sha256(f"{context}\n{text}".encode()).hexdigest(),
                vector=get_embedder().embed_passages([embedded_text(context, text)])[0],
                embedding_model=get_embedder().name,
                sentence_spans=[[0, len(text)]],
                sentence_vectors=get_embedder().embed_passages([text]).astype("float16").tobytes(),
            )
        )
        position += len(text) + 2
    chunks_index_terms([chunk.pk for chunk in Chunk.objects.bulk_create(chunks)])
    made.current_version = version
    made.status = Document.Status.READY
    made.save()
    return made


def asking(text: str, **fields: Any) -> SearchQuery:
    """A reader's search; the fields are those of the filters, except for preferred parties, wanted time and top_k."""
    query = {key: fields.pop(key) for key in ("preferred_party_slugs", "wanted", "top_k") if key in fields}
    return SearchQuery(text=text, filters=SearchFilters(**{"on": TODAY, **fields}), **query)
