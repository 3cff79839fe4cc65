"""The default reranker: looks inside the passages, at sentences and neighbouring words. No model of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np

from apps.documents.reranking.types import Asked, ordered_by
from apps.language.searching import SearchAnalyser
from apps.rag.protocols import Vectors
from apps.rag.types import Passage

# Measured on the retrieval suites; flat: half or double of each moves none of them by more than a point.
# The best sentence counts a fifth of the whole passage; more lifts long passages and lowers short ones.
SENTENCE: Final = 0.2
# Both in spreads of the embedder's cosines, for a full match.
COVERAGE: Final = 1.3
NEIGHBOURS: Final = 2.7
_SHORTEST_PART: Final = 4
_SHORTEST_COMPOUND: Final = 8


class LocalReranker:
    """Fused score + best sentence + share of the question's words in two sentences + word pairs kept together."""

    name = "local"

    def rerank(self, asked: Asked, passages: Sequence[Passage]) -> list[Passage]:
        """Return all passages, best first."""
        return ordered_by(passages, [passage.scores.fused + _bonus(asked, passage) for passage in passages])


def _bonus(asked: Asked, passage: Passage) -> float:
    reader = _reader(passage.source.language)
    spans = [(sentence.start, sentence.end) for sentence in passage.sentences] or [(0, len(passage.text))]
    sentences = [reader.words(passage.text[start:end]) for start, end in spans]
    context = reader.words(passage.context)
    words = context + [word for sentence in sentences for word in sentence]
    covered = _coverage(context, sentences, asked.weights, passage.source.language)
    return SENTENCE * _best_sentence(asked.vector, passage) + asked.spread * (
        COVERAGE * covered + NEIGHBOURS * _pairs_kept(reader.words(asked.text), words)
    )


def _best_sentence(vector: Vectors | None, passage: Passage) -> float:
    """Return the best sentence's cosine; the passage's own where sentences have no vectors."""
    rows = [sentence.vector for sentence in passage.sentences if sentence.vector]
    if vector is None or not rows or len(rows[0]) != len(vector):
        return passage.scores.cosine or 0.0
    return float(np.max(np.asarray(rows, dtype=np.float32) @ vector))


def _coverage(
    context: Sequence[str], sentences: Sequence[Sequence[str]], weights: Mapping[str, float], language: str
) -> float:
    """Return the share of the question's weight that two neighbouring sentences hold under their headings, 0 to 1."""
    whole = sum(weights.values())
    if not whole:
        return 0.0
    found = [_terms_in(sentence, weights, language) for sentence in sentences]
    windows = [left | right for left, right in pairwise(found)] or found
    above = _terms_in(context, weights, language)
    return max(sum(weights[term] for term in window | above) for window in windows) / whole


def _terms_in(words: Sequence[str], weights: Mapping[str, float], language: str) -> set[str]:
    """Return the terms that some word is, begins with or ends with: "Rentenniveau" holds "rent" and "niveau"."""
    found: set[str] = set()
    parts = [term for term in weights if len(term) >= _SHORTEST_PART]
    for word in set(words):
        stem = _stem(word, language)
        if stem in weights:
            found.add(stem)
        elif len(word) >= _SHORTEST_COMPOUND:
            found.update(term for term in parts if word.startswith(term) or stem.endswith(term))
    return found


@lru_cache(maxsize=64)
def _reader(language: str) -> SearchAnalyser:
    return SearchAnalyser(language)


@lru_cache(maxsize=100_000)
def _stem(word: str, language: str) -> str:
    return next(iter(_reader(language).terms(word, frozenset())), word)


def _pairs_kept(question: Sequence[str], words: Sequence[str]) -> float:
    """Return the share of the question's neighbouring words that stand together in the passage, 0 to 1."""
    asked = set(pairwise(question))
    return len(asked & set(pairwise(words))) / len(asked) if asked else 0.0
