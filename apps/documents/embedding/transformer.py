"""Embeddings from a sentence-transformers model on this machine, when the package is installed."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from django.core.exceptions import ImproperlyConfigured

from apps.documents.embedding.texts import QUESTION_CHARACTERS, readable, readable_passages, unit_rows
from apps.rag.protocols import Vectors


class TransformerEmbedder:
    """Loads on first use; E5 models are told what they read."""

    cosine_spread = 0.1

    def __init__(self, *, model: str) -> None:
        self.name = f"sentence-transformers/{model}"
        self._path = model
        self._lock = threading.Lock()
        self._model: Any = None
        self._passage_prefix, self._question_prefix = ("passage: ", "query: ") if "e5" in model.casefold() else ("", "")
        if "e5" in model.casefold():
            self.cosine_spread = 0.03

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                try:
                    from sentence_transformers import SentenceTransformer
                except ImportError as error:
                    raise ImproperlyConfigured(
                        "EMBEDDER=sentence-transformers needs the package sentence-transformers. Install it first."
                    ) from error
                self._model = SentenceTransformer(self._path)
            return self._model

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return int(self._loaded().get_sentence_embedding_dimension())

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text."""
        ready = [self._passage_prefix + text for text in readable_passages(texts)]
        if not ready:
            return np.empty((0, self.dimensions), dtype=np.float32)
        return unit_rows(self._loaded().encode(ready, batch_size=16, show_progress_bar=False))

    def embed_question(self, text: str) -> Vectors:
        """Return the unit vector of a question, cut at 600 characters."""
        ready = self._question_prefix + readable(text, limit=QUESTION_CHARACTERS)
        vector: Vectors = unit_rows(self._loaded().encode([ready], show_progress_bar=False))[0]
        return vector

    def count_tokens(self, text: str) -> int:
        """Return the tokens of the model's own tokeniser, without special ones."""
        return len(self._loaded().tokenizer.encode(text, add_special_tokens=False))
