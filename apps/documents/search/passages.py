"""Makes passages of chunk ids: text, source, sentences. Called for the few that may be quoted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from apps.documents.models import Chunk
from apps.documents.search.keeping import keep_all, kept_by_version
from apps.documents.search.superseding import superseded_on, superseding_lines
from apps.rag.fusion import Fused
from apps.rag.protocols import Vectors
from apps.rag.types import Passage, PassageScores, PassageSentence, Source

# What a passage is made of. Everything else costs more to fetch and to put into objects than the search itself.
_CHUNK: Final = (
    *("text", "start", "end", "context", "page_from", "page_to", "token_count", "language", "sentence_spans"),
    *("document_id", "version_id", "section_id"),
)
_DOCUMENT: Final = (
    *("uuid", "title", "kind", "publisher", "author", "published", "address"),
    *("collection_id", "party_id", "superseded_by_id"),
)
_READ: Final = (
    *_CHUNK,
    *(f"document__{name}" for name in _DOCUMENT),
    *("document__collection__slug", "document__party__slug", "document__party__short_name"),
    *("document__superseded_by__published", "document__superseded_by__valid_from"),
    *("version__number", "section__path"),
)
# About twenty kilobytes each, most of it the vectors of their sentences.
_read_passages: Final = kept_by_version(1_000)


def load_passages(fused: Sequence[Fused], *, has_vectors: bool = True, index: str = "") -> list[Passage]:
    """Return the passages in the order given, each text once.

    One query; none for what is kept under ``index`` (see ``keeping``). A chunk that went in the meantime is left out.
    Without ``has_vectors`` the sentences come without theirs: for passages that nobody compares with the question.
    """
    if not fused:
        return []
    keys = [(item.candidate.chunk_id, has_vectors) for item in fused]
    unscored = keep_all(_read_passages, index, keys, lambda new: _read([chunk_id for chunk_id, _ in new], has_vectors))
    return [
        replace(passage, scores=item.scores, reason=_reason(item))
        for passage, item in zip(unscored, fused, strict=True)
        if passage is not None
    ]


def _read(chunk_ids: Sequence[int], has_vectors: bool) -> Iterator[Passage | None]:
    chunks = (
        Chunk.objects.quotable()
        .filter(id__in=chunk_ids)
        .select_related("document__collection", "document__party", "document__superseded_by", "version", "section")
        .only(*_READ, *(("sentence_vectors",) if has_vectors else ()))
        .order_by()
        .in_bulk()
    )
    newer = superseding_lines({chunk.document_id: chunk.document for chunk in chunks.values()}.values())
    for chunk_id in chunk_ids:
        chunk = chunks.get(chunk_id)
        yield _passage(chunk, newer, has_vectors=has_vectors) if chunk else None


def _passage(chunk: Chunk, newer: Mapping[int, tuple[str, ...]], *, has_vectors: bool) -> Passage:
    """Return the passage without scores, which each search has of its own."""
    return Passage(
        chunk_id=chunk.pk,
        source=_source(chunk, newer.get(chunk.document_id, ())),
        text=chunk.text,
        start=chunk.start,
        end=chunk.end,
        context=chunk.context,
        heading_path=tuple(chunk.section.path),
        page_from=chunk.page_from,
        page_to=chunk.page_to,
        token_count=chunk.token_count,
        scores=PassageScores(),
        sentences=tuple(PassageSentence(start, end) for start, end in chunk.sentence_spans),
        vectors=_vectors(chunk) if has_vectors else None,
    )


def _source(chunk: Chunk, newer: tuple[str, ...]) -> Source:
    document = chunk.document
    return Source(
        uuid=str(document.uuid),
        version=chunk.version.number,
        title=document.title,
        kind=document.kind,
        language=chunk.language,
        publisher=document.publisher,
        author=document.author,
        party_slug=document.party.slug if document.party else "",
        party_name=document.party.short_name if document.party else "",
        published=document.published,
        address=document.address,
        collection_slug=document.collection.slug,
        superseded_by=newer,
        superseded_on=superseded_on(document),
    )


def _vectors(chunk: Chunk) -> Vectors | None:
    """One row for each sentence, not to be written to; None where their number does not fit the spans."""
    stored, count = bytes(chunk.sentence_vectors or b""), len(chunk.sentence_spans)
    if not stored or not count or len(stored) % (2 * count):
        return None
    vectors = np.frombuffer(stored, dtype=np.float16).reshape(count, -1).astype(np.float32)
    # Passages are kept: other turns read the same rows.
    vectors.setflags(write=False)
    return vectors


def _reason(fused: Fused) -> str:
    """Say in stable words, without the reader's, why the passage is there; the page translates the codes."""
    scores = fused.scores
    found = []
    if scores.cosine_rank is not None:
        found.append(f"vector:{scores.cosine_rank}")
    if scores.bm25_rank is not None:
        found.append(f"words:{scores.bm25_rank}")
    if scores.party_bonus:
        found.append("party")
    if scores.recency > 0:
        found.append("recent")
    if scores.recency < 0:
        found.append("outdated")
    return " ".join(found)
