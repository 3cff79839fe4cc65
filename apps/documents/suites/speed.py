"""Speed of search over 10,000 and 100,000 synthetic chunks, and how many of the nearest the vector index finds."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

import numpy as np

from apps.core.suites import SuiteContext, SuiteResult, bench
from apps.documents.embedding import embedder_replaced
from apps.documents.search.candidates import find_candidates
from apps.documents.search.searching import search
from apps.documents.suites.synthetic import DIMENSIONS, SyntheticCorpus, store_synthetic
from apps.rag.protocols import Vectors
from apps.rag.types import SearchFilters, SearchQuery

_ON: Final = date(2026, 1, 1)
_QUESTIONS: Final = 200
_TERMS: Final = 5
_NEAREST: Final = 10
_FILTERS: Final = {
    "all": SearchFilters(on=_ON),
    "10pct": SearchFilters(on=_ON, collection_slugs=("tenth",)),
    "half_pct": SearchFilters(on=_ON, party_slugs=("half",)),
}


@dataclass(slots=True)
class _KnownQuestions:
    """An embedder that costs nothing: the bench is about search, the model's time is known (embedded.md)."""

    vectors: dict[str, Vectors] = field(default_factory=dict)
    name: str = "synthetic"
    dimensions: int = DIMENSIONS
    cosine_spread: float = 0.03

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return np.vstack([self.embed_question(text) for text in texts])

    def embed_question(self, text: str) -> Vectors:
        return self.vectors[text]

    def count_tokens(self, text: str) -> int:
        return len(text.split())


@bench("retrieval", needs_database=True)
def retrieval(context: SuiteContext) -> SuiteResult:
    """Hybrid search at 10,000 and 100,000 synthetic chunks; recall of its vector part under filters."""
    sizes = [int(size) for size in context.options.get("sizes", "10000,100000").split(",")]
    figures: dict[str, float | int] = {}
    for size in sizes:
        rng = np.random.default_rng(size)
        started = time.perf_counter()
        corpus = store_synthetic(size, rng)
        context.say(f"Stored and indexed {size} chunks in {time.perf_counter() - started:.0f} s.")
        questions = _questions(corpus, rng)
        label = f"{size // 1000}k"
        with embedder_replaced(questions):
            figures |= _timings(label, list(questions.vectors))
            figures |= {
                f"vector_{name}_recall" if size == max(sizes) else f"vector_{label}_{name}_recall": _recall(
                    corpus, name, questions
                )
                for name in _FILTERS
            }
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    notes = [f"Load of the machine (1, 5, 15 minutes): {load}", "Without the embedding of the question."]
    return SuiteResult(n=_QUESTIONS * len(sizes), figures=figures, notes=notes)


def _questions(corpus: SyntheticCorpus, rng: np.random.Generator) -> _KnownQuestions:
    """Five words by their frequency in text (the 100 most frequent stand for stop words), a vector near a cluster."""
    asked = _KnownQuestions()
    shares = 1 / np.arange(1, len(corpus.words) + 1)
    shares[:100] = 0
    for centre in rng.integers(len(corpus.centres), size=_QUESTIONS):
        words = rng.choice(len(corpus.words), size=_TERMS, replace=False, p=shares / shares.sum())
        vector = corpus.centres[centre] + rng.standard_normal(DIMENSIONS).astype(np.float32) / np.sqrt(DIMENSIONS)
        asked.vectors[" ".join(corpus.words[word] for word in words)] = vector / np.linalg.norm(vector)
    return asked


def _timings(label: str, texts: Sequence[str]) -> dict[str, float]:
    figures: dict[str, float] = {}
    for name, filters in _FILTERS.items():
        search(SearchQuery(texts[0], filters))
        taken = []
        for text in texts:
            started = time.perf_counter()
            search(SearchQuery(text, filters))
            taken.append((time.perf_counter() - started) * 1000)
        prefix = f"hybrid_{label}" if name == "all" else f"hybrid_{label}_{name}"
        figures |= {
            f"{prefix}_p50_ms": float(np.quantile(taken, 0.5)),
            f"{prefix}_p95_ms": float(np.quantile(taken, 0.95)),
        }
    return figures


def _recall(corpus: SyntheticCorpus, name: str, questions: _KnownQuestions) -> float:
    """Return which share of the ten nearest inside the filter the search finds, against all cosines."""
    inside = {"all": np.ones(len(corpus.vectors), bool), "10pct": corpus.ten_percent, "half_pct": corpus.half_percent}
    ids = np.flatnonzero(inside[name])
    found = 0
    for vector in questions.vectors.values():
        nearest = set(ids[np.argsort(-(corpus.vectors[ids] @ vector), kind="stable")[:_NEAREST]] + 1)
        near = [one for one in find_candidates([], vector, _FILTERS[name]) if one.cosine_rank is not None]
        found += len(nearest & {one.chunk_id for one in near if one.cosine_rank and one.cosine_rank <= _NEAREST})
    return found / (_NEAREST * len(questions.vectors))
