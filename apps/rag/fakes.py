"""Stand-ins with the same interface as the real things, for tests and for a try without any model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from apps.language.stemming import stem
from apps.language.tokenising import tokenise
from apps.rag.protocols import Vectors

_DIMENSIONS: Final = 384


class HashEmbedder:
    """A deterministic embedder without a model: the sum of one fixed random direction per stem.

    Texts that share words are near, others about orthogonal. It knows no synonyms.
    """

    name = "fake/hash"
    dimensions = _DIMENSIONS
    cosine_spread = 0.1

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text; raise ValueError for an empty one."""
        if not texts:
            return np.empty((0, _DIMENSIONS), dtype=np.float32)
        return np.vstack([self.embed_question(text) for text in texts])

    def embed_question(self, text: str) -> Vectors:
        """Return the unit vector of a text; raise ValueError for an empty one."""
        if not text.strip():
            raise ValueError("An empty text has no vector.")
        words = [stem(token.folded, "de") for token in tokenise(text)] or [text]
        total = np.stack([_direction(word) for word in words]).sum(axis=0, dtype=np.float64)
        vector: Vectors = (total / np.linalg.norm(total)).astype(np.float32)
        return vector

    def count_tokens(self, text: str) -> int:
        """Return the number of words."""
        return len(tokenise(text))


@lru_cache(maxsize=50_000)
def _direction(word: str) -> Vectors:
    seed = int.from_bytes(hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(_DIMENSIONS).astype(np.float32)
