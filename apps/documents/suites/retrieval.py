"""Retrieval quality on public German data sets: one configuration, the production search, fresh index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np

from apps.core.intervals import wilson
from apps.core.suites import SuiteContext, SuiteResult, suite
from apps.documents.embedding import get_embedder, vectors_cached
from apps.documents.search.searching import SHORTLIST, Ranked, rank, rerank
from apps.documents.suites.corpora import READERS, Corpus, CorpusQuestion
from apps.documents.suites.storing import StoredCorpus, sentences_embed, store_corpus
from apps.rag.types import SearchFilters, SearchQuery

_ON: Final = date(2026, 1, 1)
_MISSED: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class _Found:
    """One result as the figures need it: its document and its span."""

    key: str
    start: int
    end: int


@suite("retrieval:xquad-de", needs_database=True)
def xquad_de(context: SuiteContext) -> SuiteResult:
    """XQuAD German: 1,190 questions, each of 240 paragraphs a document."""
    return _measured("xquad-de", context)


@suite("retrieval:amt24", needs_database=True)
def amt24(context: SuiteContext) -> SuiteResult:
    """A citizens' service: 191 questions on 930 pages, a page is found by its best chunk."""
    return _measured("amt24", context)


@suite("retrieval:legalquad", needs_database=True)
def legalquad(context: SuiteContext) -> SuiteResult:
    """LegalQuAD: 200 questions on long judgments; a passage that overlaps the span of the answer counts."""
    return _measured("legalquad", context)


@suite("retrieval:wahl-o-mat", needs_database=True)
def wahl_o_mat(context: SuiteContext) -> SuiteResult:
    """Reasons of eight parties on 38 theses; the question names the party in words."""
    return _measured("wahl-o-mat", context)


def _measured(name: str, context: SuiteContext) -> SuiteResult:
    with vectors_cached():
        corpus = READERS[name](context)
        stored = store_corpus(corpus, context)
        context.say(f"Indexed {stored.chunks} chunks of {len(corpus.documents)} documents.")
        ranked = [rank(SearchQuery(question.text, SearchFilters(on=_ON))) for question in corpus.questions]
        sentences_embed({item.candidate.chunk_id for one in ranked for item in one.fused[:SHORTLIST]})
        ranks = _ranks(corpus, stored, ranked)
        version = {"embedder_model": get_embedder().name, "chunks": str(stored.chunks)}
    figures: dict[str, float | int] = {}
    notes: list[str] = []
    for group in dict.fromkeys(question.group for question in corpus.questions):
        prefix = f"{group}_" if group else ""
        part = np.array([rank for rank, asked in zip(ranks, corpus.questions, strict=True) if asked.group == group])
        figures |= {f"{prefix}{figure}": measure(part) for figure, measure in _FIGURES.items()}
        notes += _notes(prefix, part)
    return SuiteResult(n=len(ranks), figures=figures, notes=notes, version=version)


def _ranks(corpus: Corpus, stored: StoredCorpus, ranked: Sequence[Ranked]) -> list[int]:
    """Return the rank of each question's answer: the reranked shortlist first, then the rest in fused order."""
    spans = _spans(ranked)
    ranks = []
    for question, one in zip(corpus.questions, ranked, strict=True):
        best = [passage.chunk_id for passage in rerank(one)]
        rest = [item.candidate.chunk_id for item in one.fused[SHORTLIST:]]
        found = [_Found(stored.keys[spans[chunk_id][0]], *spans[chunk_id][1:]) for chunk_id in [*best, *rest]]
        ranks.append(_rank(question, found))
    return ranks


def _spans(ranked: Sequence[Ranked]) -> dict[int, tuple[str, int, int]]:
    from apps.documents.models import Chunk

    wanted = {item.candidate.chunk_id for one in ranked for item in one.fused}
    rows = Chunk.objects.filter(id__in=wanted).values_list("id", "document__uuid", "start", "end")
    return {chunk_id: (str(document), start, end) for chunk_id, document, start, end in rows}


def _rank(question: CorpusQuestion, found: Sequence[_Found]) -> int:
    """Return the rank from 1: of the document, or of the passage where a span is asked for."""
    if question.span is None:
        keys = list(dict.fromkeys(one.key for one in found))
        return keys.index(question.key) + 1 if question.key in keys else _MISSED
    start, end = question.span
    for rank_, one in enumerate(found, 1):
        if one.key == question.key and one.start < end and start < one.end:
            return rank_
    return _MISSED


def _hit(at: int) -> Callable[[np.ndarray], float]:
    return lambda ranks: float((ranks <= at).mean())


_FIGURES: Final[dict[str, Callable[[np.ndarray], float]]] = {
    "hit_at_1": _hit(1),
    "hit_at_5": _hit(5),
    "hit_at_10": _hit(10),
    "mrr_at_10": lambda ranks: float(np.where(ranks <= 10, 1 / ranks, 0).mean()),
    "ndcg_at_10": lambda ranks: float(np.where(ranks <= 10, 1 / np.log2(ranks + 1.0), 0).mean()),
}


def _notes(prefix: str, ranks: np.ndarray) -> list[str]:
    """Return 95 % intervals: Wilson's for shares, bootstrap over questions for means; and both halves."""
    notes = []
    resampled = np.random.default_rng(0).choice(ranks, size=(2_000, len(ranks)))
    for figure, measure in _FIGURES.items():
        if figure.startswith("hit"):
            low, high = wilson(measure(ranks), len(ranks))
        else:
            low, high = np.quantile([measure(sample) for sample in resampled], (0.025, 0.975))
        notes.append(f"{prefix}{figure}: 95 % interval {low:.3f} to {high:.3f}")
    middle = len(ranks) // 2
    halves = [f"hit@1 {_FIGURES['hit_at_1'](half):.3f}" for half in (ranks[:middle], ranks[middle:])]
    return [*notes, f"{prefix or 'all '}first half {halves[0]}, second half {halves[1]}"]
