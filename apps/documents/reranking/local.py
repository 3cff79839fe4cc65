"""The default reranker: looks inside the passages, at sentences and neighbouring words. No model of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
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
# Sentences whose words are kept: many questions find the same ones.
_TEXTS_KEPT: Final = 8_000


class LocalReranker:
    """Fused score + best sentence + share of the question's words in two sentences + word pairs kept together."""

    name = "local"

    def rerank(self, asked: Asked, passages: Sequence[Passage]) -> list[Passage]:
        """Return all passages, best first."""
        return ordered_by(passages, [passage.scores.fused + _bonus(asked, passage) for passage in passages])


@dataclass(frozen=True, slots=True)
class _Read:
    """A text's folded words in order, the stems among them, and the words long enough to be compounds."""

    words: tuple[str, ...]
    stems: frozenset[str]
    long: tuple[tuple[str, str], ...]

    def terms(self, weights: Mapping[str, float], parts: tuple[str, ...]) -> set[str]:
        """Return the terms that some word is, begins with or ends with: "Rentenniveau" holds "rent" and "niveau"."""
        found = {stem for stem in self.stems if stem in weights}
        for word, stem in self.long:
            if stem not in found and (word.startswith(parts) or stem.endswith(parts)):
                found.update(term for term in parts if word.startswith(term) or stem.endswith(term))
        return found


def _bonus(asked: Asked, passage: Passage) -> float:
    language = passage.source.language
    spans = [(sentence.start, sentence.end) for sentence in passage.sentences] or [(0, len(passage.text))]
    context, *sentences = (
        _read(text, language) for text in (passage.context, *(passage.text[start:end] for start, end in spans))
    )
    words = [word for read in (context, *sentences) for word in read.words]
    parts = tuple(term for term in asked.weights if len(term) >= _SHORTEST_PART)
    terms = [read.terms(asked.weights, parts) for read in sentences]
    covered = _coverage(context.terms(asked.weights, parts), terms, asked.weights)
    return SENTENCE * _best_sentence(asked.vector, passage) + asked.spread * (
        COVERAGE * covered + NEIGHBOURS * _pairs_kept(_read(asked.text, language).words, words)
    )


def _best_sentence(vector: Vectors | None, passage: Passage) -> float:
    """Return the best sentence's cosine; the passage's own where sentences have no vectors."""
    rows = passage.vectors
    if vector is None or rows is None or rows.shape[1] != len(vector):
        return passage.scores.cosine or 0.0
    return float(np.max(rows @ vector))


def _coverage(above: Set[str], sentences: Sequence[Set[str]], weights: Mapping[str, float]) -> float:
    """Return the share of the question's weight that two neighbouring sentences hold under their headings, 0 to 1."""
    whole = sum(weights.values())
    if not whole:
        return 0.0
    windows = [left | right for left, right in pairwise(sentences)] or sentences
    return max(sum(weights[term] for term in window | above) for window in windows) / whole


@lru_cache(maxsize=64)
def _reader(language: str) -> SearchAnalyser:
    return SearchAnalyser(language)


@lru_cache(maxsize=_TEXTS_KEPT)
def _read(text: str, language: str) -> _Read:
    words = tuple(_reader(language).words(text))
    stems = {word: _stem(word, language) for word in words}
    long = tuple((word, stem) for word, stem in stems.items() if len(word) >= _SHORTEST_COMPOUND)
    return _Read(words, frozenset(stems.values()), long)


@lru_cache(maxsize=100_000)
def _stem(word: str, language: str) -> str:
    return next(iter(_reader(language).terms(word, frozenset())), word)


def _pairs_kept(question: Sequence[str], words: Sequence[str]) -> float:
    """Return the share of the question's neighbouring words that stand together in the passage, 0 to 1."""
    asked = set(pairwise(question))
    return len(asked & set(pairwise(words))) / len(asked) if asked else 0.0
