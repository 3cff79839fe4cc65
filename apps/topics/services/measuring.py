"""Measures how close the sources came to each question, from the passages that its turn names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
from django.db import transaction

from apps.documents.models import Chunk
from apps.topics import spaces
from apps.topics.embedding import passage_embedder
from apps.topics.modelling.closeness import MOST_SAMPLED, closeness, crowding
from apps.topics.modelling.types import Matrix
from apps.topics.modelling.vectors import centred, mean_of
from apps.topics.models import Asked

_AT_ONCE: Final = 5_000
_BATCH: Final = 1_000


@dataclass(frozen=True, slots=True)
class Sources:
    """The passages of a batch by their number: row of ``vectors`` (centred) and of ``crowded``."""

    rows: dict[int, int]
    vectors: Matrix
    crowded: Matrix


def closeness_measure(*, embedder: str, most: int = _AT_ONCE) -> set[date]:
    """Measure the newest questions that nobody has measured yet, once each; return the days that have changed.

    A question that no passage was found for, whose passages are gone, or that a rule of the desk answered has none.
    """
    source = passage_embedder(embedder)
    space = spaces.space_of(embedder)
    if space is None:
        return set()
    waiting = Asked.objects.filter(is_measured=False, text__embedder=embedder).select_related("text", "turn")
    rows = list(waiting.order_by("-pk")[:most])
    sample = _sample(source) if rows else None
    for start in range(0, len(rows), _BATCH):
        part = rows[start : start + _BATCH]
        raw = spaces.unpacked(bytes(row.text.vector) for row in part)
        chunks = [_chunks_of(row) for row in part]
        sources = _sources({key for keys in chunks for key in keys}, source, sample)
        questions = spaces.in_space(raw, space, sources.vectors.shape[1])
        for row, question, keys in zip(part, questions, chunks, strict=True):
            found = [sources.rows[key] for key in keys if key in sources.rows]
            row.closeness = closeness(question, sources.vectors[found], sources.crowded[found]) if found else None
            row.is_measured = True
        with transaction.atomic():
            held = spaces.space_held(embedder)
            # A full run has moved the middle meanwhile: what was measured from the one before is measured again.
            if held is None or held.mean != space.mean:
                break
            Asked.objects.bulk_update(part, ["closeness", "is_measured"], batch_size=_BATCH)
    return {row.day for row in rows}


def _chunks_of(row: Asked) -> list[int]:
    # What a rule of the desk answers does not hang on how well search did.
    if row.turn.rule_uid:
        return []
    return [int(passage["chunk"]) for passage in row.turn.passages if passage.get("chunk")]


def _sample(embedder: str) -> Matrix:
    """Return the vectors of an even sample of all passages, as they are."""
    keys = list(
        Chunk.objects.filter(embedding_model=embedder, vector__isnull=False).order_by("pk").values_list("pk", flat=True)
    )
    places = np.unique(np.linspace(0, max(0, len(keys) - 1), min(MOST_SAMPLED, len(keys))).round().astype(np.int64))
    return _vectors([keys[place] for place in places])[1]


def _sources(keys: set[int], embedder: str, sample: Matrix | None) -> Sources:
    found, vectors = _vectors(sorted(keys), embedder)
    if sample is None or not len(sample) or not found:
        return Sources({}, np.zeros((0, 1), dtype=np.float32), np.zeros(0, dtype=np.float32))
    mean = mean_of(sample)
    middle = centred(vectors, mean)
    return Sources({key: row for row, key in enumerate(found)}, middle, crowding(middle, centred(sample, mean)))


def _vectors(keys: Sequence[int], embedder: str = "") -> tuple[list[int], Matrix]:
    chunks = Chunk.objects.filter(pk__in=keys, vector__isnull=False).order_by("pk")
    if embedder:
        chunks = chunks.filter(embedding_model=embedder)
    rows = list(chunks.values_list("pk", "vector"))
    if not rows:
        return [], np.zeros((0, 1), dtype=np.float32)
    return [pk for pk, _ in rows], np.stack([_array(vector) for _, vector in rows])


def _array(vector: object) -> Matrix:
    return np.asarray(vector.to_numpy() if hasattr(vector, "to_numpy") else vector, dtype=np.float32)
