"""A sentence-transformers cross-encoder on this machine, when the package is installed."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import Any

from apps.documents.embedding.texts import embedded_text
from apps.documents.reranking.types import Asked, Reranker, ordered_by
from apps.rag.types import Passage

logger = logging.getLogger(__name__)


class CrossEncoderReranker:
    """Loads on first use; a model that cannot be loaded or fails leaves the order to the fallback."""

    def __init__(self, *, model: str, fallback: Reranker, encoder: Any = None) -> None:
        self.name = f"cross-encoder/{model}"
        self._path = model
        self._fallback = fallback
        self._encoder = encoder
        self._lock = threading.Lock()

    def _loaded(self) -> Any:
        with self._lock:
            if self._encoder is None:
                from sentence_transformers import CrossEncoder

                self._encoder = CrossEncoder(self._path)
            return self._encoder

    def rerank(self, asked: Asked, passages: Sequence[Passage]) -> list[Passage]:
        """Return all passages, best first."""
        if not passages:
            return []
        pairs = [(asked.text, embedded_text(passage.context, passage.text)) for passage in passages]
        try:
            scores = [float(score) for score in self._loaded().predict(pairs, show_progress_bar=False)]
        except Exception:
            logger.exception("The cross-encoder failed; the local reranker takes over.")
            return self._fallback.rerank(asked, passages)
        return ordered_by(passages, scores)
