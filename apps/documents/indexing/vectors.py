"""The vectors of one version: taken over from what did not change, found from a run that was killed, or computed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np

from apps.documents.models import Chunk, DocumentVersion, EmbeddedText
from apps.rag.protocols import Embedder, Vectors

BATCH = 16


class VectorStore:
    """Gives each text its vector and asks the embedder only for texts that it has not seen in this document."""

    def __init__(self, version: DocumentVersion, embedder: Embedder) -> None:
        self.embedder = embedder
        self._version = version
        self._known: dict[str, Vectors] = {}
        self._take_over()

    def text_hash(self, text: str) -> str:
        """Return the key of a text under this model, in hexadecimal."""
        return hashlib.sha256(f"{self.embedder.name}\0{text}".encode()).hexdigest()

    def embed(self, texts: Sequence[str], tell: Callable[[float], None] | None = None) -> Vectors:
        """Return one row per text. After each call of the embedder the new vectors are stored, then ``tell`` is
        called with the share that is done, 0 to 1.
        """
        keys = [self.text_hash(text) for text in texts]
        missing = [(key, text) for key, text in dict(zip(keys, texts, strict=True)).items() if key not in self._known]
        for start in range(0, len(missing), BATCH):
            self._compute(missing[start : start + BATCH])
            if tell:
                tell(min(1.0, (start + BATCH) / len(missing)))
        if not keys:
            return np.empty((0, self.embedder.dimensions), dtype=np.float32)
        return np.vstack([self._known[key] for key in keys])

    def _compute(self, batch: Sequence[tuple[str, str]]) -> None:
        rows = np.asarray(self.embedder.embed_passages([text for _, text in batch]), dtype=np.float32)
        self._known.update((key, row) for (key, _), row in zip(batch, rows, strict=True))
        EmbeddedText.objects.bulk_create(
            [
                EmbeddedText(version=self._version, text_hash=key, vector=row.tobytes())
                for (key, _), row in zip(batch, rows, strict=True)
            ],
            ignore_conflicts=True,
        )

    def _take_over(self) -> None:
        """Learn the vectors of the current version's chunks and sentences, and those of an unfinished run."""
        same_model = Chunk.objects.filter(document=self._version.document_id, embedding_model=self.embedder.name)
        for chunk in same_model.iterator(chunk_size=200):
            rows = np.frombuffer(chunk.sentence_vectors, dtype=np.float16)
            if chunk.sentence_spans and rows.size:
                for (start, end), row in zip(
                    chunk.sentence_spans, rows.reshape(len(chunk.sentence_spans), -1), strict=True
                ):
                    self._known[self.text_hash(chunk.text[start:end])] = row.astype(np.float32)
            if chunk.vector is not None:
                self._known[chunk.content_hash] = np.asarray(chunk.vector, dtype=np.float32)
        paid = EmbeddedText.objects.filter(version=self._version).values_list("text_hash", "vector")
        self._known.update((key, np.frombuffer(vector, dtype=np.float32)) for key, vector in paid.iterator())
