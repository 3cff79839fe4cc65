"""What the retrieval knows about itself, under the fixed names. First form: nothing follows from it yet."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from apps.rag.desk import RuleMatch
from apps.rag.reading import Evidence
from apps.rag.settings import PipelineSettings
from apps.rag.types import Passage, SearchFilters, Signals
from apps.rag.verdicts import Verdict


def signals_of(
    passages: Sequence[Passage],
    read: Sequence[tuple[Evidence, Verdict]],
    filters: SearchFilters,
    settings: PipelineSettings,
    rule: RuleMatch | None = None,
) -> Signals:
    """Return the signals about ``passages`` and what was read of them."""
    words = [word for evidence, _ in read[:1] for word in evidence.coverage.words]
    missing = set(words)
    for evidence, _ in read:
        missing &= set(evidence.coverage.missing(*(sentence.matches for sentence in evidence.sentences)))
    covered = [word for word in words if word not in missing]
    return Signals(
        confidence_score=_confidence([verdict for _, verdict in read]),
        source_diversity={
            "domains": sorted({_domain(passage) for passage in passages} - {""}),
            "timestamps": sorted({p.source.published.isoformat() for p in passages if p.source.published}),
            "kinds": sorted({passage.source.kind for passage in passages}),
            "parties": sorted({passage.source.party_slug for passage in passages} - {""}),
        },
        coverage_signals={
            "question_aspects_covered": covered,
            "question_aspects_missing": [word for word in words if word in missing],
            "coverage_ratio": len(covered) / len(words) if words else 1.0,
        },
        retrieval_metadata={
            "embedding_model": settings.embedder,
            "chunk_size": max((passage.token_count for passage in passages), default=0),
            "top_k": settings.top_k,
            "reranker_applied": any(passage.scores.reranked for passage in passages),
            "filters": {"on": filters.on.isoformat(), "party_slugs": list(filters.party_slugs)},
            "rule": _rule(rule),
        },
        recommendation="answer" if any(verdict.refusal is None for _, verdict in read) else "refuse",
    )


def _confidence(verdicts: Sequence[Verdict]) -> float:
    """The weakest of the answers that are given; where none is, the strongest of those that are not."""
    given = [verdict.probability for verdict in verdicts if verdict.refusal is None]
    return min(given) if given else max((verdict.probability for verdict in verdicts), default=0.0)


def _rule(rule: RuleMatch | None) -> dict[str, object] | None:
    if rule is None or rule.winner is None:
        return None
    hit = rule.winner
    return {"uid": hit.uid, "version": hit.version, "release": rule.release, "stage": hit.stage, "score": hit.score}


def _domain(passage: Passage) -> str:
    return urlsplit(passage.source.address).hostname or passage.source.publisher
