"""What the retrieval knows about itself, under the fixed names: shown on the desk, kept with the turn."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from apps.rag.aspects import coverage_ratio
from apps.rag.calibration import confidence_of
from apps.rag.desk import RuleMatch
from apps.rag.events import Retrieved
from apps.rag.parts import Parts
from apps.rag.requerying import Requery
from apps.rag.settings import PipelineSettings
from apps.rag.types import AnswerContext, Passage, SearchFilters, Signals
from apps.rag.verdicts import Sufficiency

# The one that asks most of the reader's attention comes first.
_WEIGHTIEST = (Sufficiency.CONFLICT, Sufficiency.GAP, Sufficiency.CAVEAT, Sufficiency.ANSWER, Sufficiency.REFUSE)


def retrieved(
    parts: Parts, requery: Requery | None, rule: RuleMatch | None, context: AnswerContext, settings: PipelineSettings
) -> Retrieved:
    """Return the event that hands on what was found and judged."""
    passages = parts.passages
    filters = SearchFilters(context.now.date(), context.includes_desk, context.party_slugs)
    signals = signals_of(passages, parts, filters, settings, rule=rule, requery=requery)
    return Retrieved(passages, signals, parts.use)


def signals_of(
    passages: Sequence[Passage],
    parts: Parts,
    filters: SearchFilters,
    settings: PipelineSettings,
    *,
    rule: RuleMatch | None = None,
    requery: Requery | None = None,
) -> Signals:
    """Return the signals about ``passages``, what was judged of them, and the second search if there was one."""
    covered = parts.covered
    return Signals(
        confidence_score=confidence_of(parts, settings.embedder),
        source_diversity={
            "domains": sorted({_domain(passage) for passage in passages} - {""}),
            "timestamps": sorted({p.source.published.isoformat() for p in passages if p.source.published}),
            "kinds": sorted({passage.source.kind for passage in passages}),
            "parties": sorted({passage.source.party_slug for passage in passages} - {""}),
        },
        coverage_signals={
            "question_aspects_covered": [each.text for each in covered if each.is_covered],
            "question_aspects_missing": [each.text for each in covered if not each.is_covered],
            "coverage_ratio": coverage_ratio(covered),
        },
        retrieval_metadata={
            "embedding_model": settings.embedder,
            "chunk_size": max((passage.token_count for passage in passages), default=0),
            "top_k": settings.top_k,
            "reranker_applied": any(passage.scores.reranked for passage in passages),
            "filters": {"on": filters.on.isoformat(), "party_slugs": list(filters.party_slugs)},
            "rule": _rule(rule),
            "requeried": dict(requery.record) if requery else None,
        },
        recommendation=_recommendation(parts).value,
    )


def _recommendation(parts: Parts) -> Sufficiency:
    """What to do with the question as a whole: it is refused only where nothing of it is answered."""
    outcomes = {reading.verdict.outcome for reading in parts.readings}
    answers = outcomes - {Sufficiency.REFUSE}
    if answers and len(outcomes) > len(answers) and Sufficiency.CONFLICT not in answers:
        return Sufficiency.CAVEAT
    return next((each for each in _WEIGHTIEST if each in outcomes), Sufficiency.REFUSE)


def _rule(rule: RuleMatch | None) -> dict[str, object] | None:
    if rule is None or rule.winner is None:
        return None
    hit = rule.winner
    return {"uid": hit.uid, "version": hit.version, "release": rule.release, "stage": hit.stage, "score": hit.score}


def _domain(passage: Passage) -> str:
    return urlsplit(passage.source.address).hostname or passage.source.publisher
