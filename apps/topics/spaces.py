"""The vectors of texts as arrays: stored as float16, compared in the centred space of one embedder."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from apps.topics.modelling.types import Matrix
from apps.topics.modelling.vectors import centred, mean_of
from apps.topics.models import Asked, Topic, VectorSpace


def packed(vector: Matrix) -> bytes:
    """Return a text's vector as it is stored."""
    return np.asarray(vector, dtype=np.float16).tobytes()


def unpacked(rows: Iterable[bytes | memoryview]) -> Matrix:
    """Return stored texts' vectors as rows of float32."""
    found = [np.frombuffer(row, dtype=np.float16) for row in rows]
    return np.stack(found).astype(np.float32) if found else np.zeros((0, 1), dtype=np.float32)


def packed_centre(centre: Matrix) -> bytes:
    return np.asarray(centre, dtype=np.float32).tobytes()


def centres(topics: Iterable[Topic]) -> Matrix:
    """Return the topics' centres as rows."""
    found = [np.frombuffer(topic.centre, dtype=np.float32) for topic in topics]
    return np.stack(found) if found else np.zeros((0, 1), dtype=np.float32)


def space_of(embedder: str) -> VectorSpace | None:
    """Return the frozen space of an embedder; None before its first run."""
    return VectorSpace.objects.filter(embedder=embedder).exclude(mean=b"").first()


def space_held(embedder: str) -> VectorSpace | None:
    """Return the space as it is now and keep it so until the transaction ends: a full run moves its middle."""
    return VectorSpace.objects.select_for_update().filter(embedder=embedder).exclude(mean=b"").first()


def in_space(vectors: Matrix, space: VectorSpace, dimensions: int | None = None) -> Matrix:
    """Return the rows centred on the space's mean; only the first so many dimensions, where they are given."""
    return centred(vectors[:, :dimensions], np.frombuffer(space.mean, dtype=np.float32)[:dimensions])


def space_freeze(*, embedder: str, vectors: Matrix) -> VectorSpace:
    """Freeze the mean of these vectors as the middle of the embedder's space: what was measured from it is so anew."""
    space, _ = VectorSpace.objects.update_or_create(
        embedder=embedder, defaults={"mean": mean_of(vectors).tobytes(), "texts": len(vectors), "fitted_at": None}
    )
    Asked.objects.filter(text__embedder=embedder, is_measured=True).update(is_measured=False)
    return space
