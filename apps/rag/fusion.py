"""Joins what words and vectors found into one order: cosine plus a small weight times BM25, plus bonuses. Pure.

No normalising per question (quality.md): BM25 is an idf mass itself, so that a long question with many rare matches
gets much lexical weight and a short topic little, while reciprocal ranks and min-max blow a weak match up to 1.
Only how far a passage stands behind the nearest is bounded: see NEAREST.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from apps.rag.types import PassageScores, WantedTime

# BM25 points per spread of the cosines. Cosines of e5 spread by 0.03 within a question: 0.003 per point. Another
# embedder's spread takes its place, which is the same rule as (cosine - mean) / spread + 0.1 * BM25.
LEXICAL_PER_SPREAD: Final = 0.1
# Behind so many nearest ones a cosine only says "not near": how much farther is chance, and would outweigh a passage
# that words find at once. Measured on long judgments, where it lifts hit@10 by two points; 15 to 30 are alike.
NEAREST: Final = 30
# A document of yesterday gains half a spread over one that is many half-lives old.
RECENCY_PER_SPREAD: Final = 0.5
# What a newer document supersedes stands behind it, even where its words fit better.
SUPERSEDED_PER_SPREAD: Final = 1.5
# Where reports of a time are asked for, others only help out.
OUTSIDE_PER_SPREAD: Final = 2.0
# A party's own words gain this over what others write, when the question names the party or the caller prefers it.
PARTY_PER_SPREAD: Final = 0.5
ANY_TIME: Final = WantedTime()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that words or vectors found. Both scores are exact, whichever search found it.

    ``cosine`` is None for a chunk without a vector and ``bm25`` is 0 without a common term. ``lexical_weight`` and
    ``half_life_days`` are its collection's, ``superseded_on`` is when a newer document came out.
    """

    chunk_id: int
    document_id: int
    content_hash: str
    cosine: float | None
    bm25: float
    cosine_rank: int | None = None
    bm25_rank: int | None = None
    party_slug: str = ""
    lexical_weight: float = 1.0
    published: date | None = None
    half_life_days: int | None = None
    superseded_on: date | None = None


@dataclass(frozen=True, slots=True)
class Fused:
    """A candidate with every score that made its rank."""

    candidate: Candidate
    scores: PassageScores


def recency(published: date | None, half_life_days: int | None, on: date) -> float:
    """Return 1 for a document of the day and half of it after each half-life; 0 where age does not matter."""
    if published is None or not half_life_days:
        return 0.0
    return float(0.5 ** (max(0, (on - published).days) / half_life_days))


def timeliness(item: Candidate, on: date, wanted: WantedTime) -> float:
    """Return what a document's time gives it, in spreads: more for the new, less for the superseded.

    Both are measured on the day whose state is asked for. What came out later is not old, but not wanted either.
    """
    as_of = wanted.as_of or on
    value = 0.0
    if item.published is None or item.published <= as_of:
        value += (
            0.0 if wanted.wants_earlier else RECENCY_PER_SPREAD * recency(item.published, item.half_life_days, as_of)
        )
    if item.superseded_on is not None and item.superseded_on <= as_of:
        value += RECENCY_PER_SPREAD if wanted.wants_earlier else -SUPERSEDED_PER_SPREAD
    if not wanted.is_of_period(item.published):
        value -= OUTSIDE_PER_SPREAD
    return value


def fuse(
    candidates: Iterable[Candidate],
    *,
    spread: float,
    on: date,
    preferred_party_slugs: Collection[str] = (),
    wanted: WantedTime = ANY_TIME,
) -> list[Fused]:
    """Return the candidates best first, each text once.

    ``spread`` is by how much the embedder's cosines differ within a question. Ties go to the lower chunk id, so that
    the order is always the same.
    """
    listed = list(candidates)
    floor = _floor(listed)
    scored = [
        (item, *_score(item, floor, spread, spread * timeliness(item, on, wanted), preferred_party_slugs))
        for item in listed
    ]
    scored.sort(key=lambda entry: (-entry[1], entry[0].chunk_id))
    return _ranked(scored)


def _floor(candidates: Iterable[Candidate]) -> float:
    """Return the cosine of the last that counts as near."""
    nearest = sorted((item.cosine for item in candidates if item.cosine is not None), reverse=True)[:NEAREST]
    return nearest[-1] if nearest else 0.0


def _score(
    item: Candidate, floor: float, spread: float, age_bonus: float, preferred: Collection[str]
) -> tuple[float, float, float]:
    """Return the fused score, its share of time and its share of party preference."""
    party_bonus = PARTY_PER_SPREAD * spread if item.party_slug and item.party_slug in preferred else 0.0
    # A chunk that has no vector yet counts as just not near, not as the opposite of the question.
    cosine = floor if item.cosine is None else max(floor, item.cosine)
    lexical = LEXICAL_PER_SPREAD * spread * item.lexical_weight * item.bm25
    return cosine + lexical + age_bonus + party_bonus, age_bonus, party_bonus


def _ranked(scored: Sequence[tuple[Candidate, float, float, float]]) -> list[Fused]:
    seen: set[str] = set()
    ranked: list[Fused] = []
    for item, fused, age_bonus, party_bonus in scored:
        if item.content_hash and item.content_hash in seen:
            continue
        seen.add(item.content_hash)
        scores = PassageScores(
            cosine=item.cosine,
            bm25=item.bm25 or None,
            cosine_rank=item.cosine_rank,
            bm25_rank=item.bm25_rank,
            fused=fused,
            fused_rank=len(ranked) + 1,
            reranked=fused,
            recency=age_bonus,
            party_bonus=party_bonus,
        )
        ranked.append(Fused(item, scores))
    return ranked
