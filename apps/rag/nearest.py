"""Which sentence of a passage says what another sentence says: by meaning, or by shared words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apps.language.sentences import split_sentences
from apps.rag.extracting import QuotedSpan
from apps.rag.protocols import Vectors
from apps.rag.support import support_parts
from apps.rag.types import Passage


def nearest_span(passage: Passage, text: str, vector: Vectors | None, language: str) -> QuotedSpan:
    """Return the sentence of the passage that says it: by meaning, or by shared words where nothing was embedded."""
    spans = [(each.start, each.end) for each in passage.sentences]
    spans = spans or [(each.start, each.end) for each in split_sentences(passage.text, passage.source.language)]
    if not spans:
        return QuotedSpan(passage.chunk_id, passage.start, passage.end)
    rows = passage.vectors
    if vector is not None and rows is not None and len(rows) == len(spans):
        best = int(np.argmax(rows @ vector))
    else:
        idf: dict[str, float] = {}
        shares = [support_parts(passage.text[a:b], language, [text], idf).words for a, b in spans]
        best = int(np.argmax(shares))
    start, end = spans[best]
    return QuotedSpan(passage.chunk_id, passage.start + start, passage.start + end)


def nearest_sentences(cited: Sequence[Passage], vector: Vectors | None) -> frozenset[str]:
    """Return the sentence of each passage that is nearest in meaning; empty where nothing was embedded."""
    if vector is None:
        return frozenset()
    near = {nearest_span(passage, "", vector, passage.source.language): passage for passage in cited}
    return frozenset(passage.text[a.start - passage.start : a.end - passage.start] for a, passage in near.items())


def best_cosine(cited: Sequence[Passage], vector: Vectors | None) -> float | None:
    """Return how near the nearest sentence of the passages is, -1 to 1; None where nothing was embedded."""
    if vector is None:
        return None
    cosines = [float(np.max(passage.vectors @ vector)) for passage in cited if passage.vectors is not None]
    return max(cosines, default=None)
