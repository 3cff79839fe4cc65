"""Gives stored chunks the vectors of the configured embedder. Called by the command reembed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from django.db.models import Q, QuerySet

from apps.documents.embedding import embedded_text, get_embedder
from apps.documents.embedding.texts import text_key
from apps.documents.models import Chunk
from apps.documents.search.vector_index import vector_index_create

_BATCH = 32


def foreign_chunks(*, everything: bool = False) -> QuerySet[Chunk]:
    """Return the chunks whose vectors are missing or another model's; with `everything` all of them."""
    chunks = Chunk.objects.order_by("id")
    if everything:
        return chunks
    return chunks.filter(Q(vector__isnull=True) | ~Q(embedding_model=get_embedder().name))


def chunks_reembed(chunk_ids: list[int]) -> Iterator[int]:
    """Embed these chunks and their sentences anew, batch by batch; yield how many are done.

    Each batch is stored before the next begins: a run that was stopped goes on where it ended.
    """
    for start in range(0, len(chunk_ids), _BATCH):
        part = list(Chunk.objects.filter(id__in=chunk_ids[start : start + _BATCH]).order_by("id"))
        _embed(part)
        fields = ["vector", "embedding_model", "content_hash", "sentence_vectors"]
        Chunk.objects.bulk_update(part, fields)
        yield min(start + _BATCH, len(chunk_ids))


def vector_index_fit() -> None:
    """Make the index fit the configured embedder's dimension."""
    vector_index_create(get_embedder().dimensions)


def _embed(chunks: list[Chunk]) -> None:
    embedder = get_embedder()
    texts = [embedded_text(chunk.context, chunk.text) for chunk in chunks]
    sentences = [chunk.text[start:end] for chunk in chunks for start, end in chunk.sentence_spans]
    rows = embedder.embed_passages(texts)
    sentence_rows = embedder.embed_passages(sentences).astype(np.float16)
    position = 0
    for chunk, text, row in zip(chunks, texts, rows, strict=True):
        chunk.vector = row
        chunk.embedding_model = embedder.name
        chunk.content_hash = text_key(embedder.name, text)
        after = position + len(chunk.sentence_spans)
        chunk.sentence_vectors = sentence_rows[position:after].tobytes()
        position = after
