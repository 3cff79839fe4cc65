"""The part of a report on what was found: every passage with its ranks, what was read of it, and the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Final

from apps.answering.bench.report import FoundRow, PassageRow, SentenceRow, VerdictRow
from apps.rag.events import Sentence
from apps.rag.judging import Reading
from apps.rag.parts import Parts
from apps.rag.reading import Evidence, ReadSentence
from apps.rag.retrieving import Found
from apps.rag.types import Passage
from apps.rag.verdicts import Verdict

_MOST_SENTENCES: Final = 12


def found_rows(parts: Parts, quotable: Sequence[Passage], shown: Sequence[Sentence]) -> tuple[FoundRow, ...]:
    """Return one row for each thing that was looked for; ``quotable`` are all passages in the turn's order."""
    numbers = {passage.chunk_id: number for number, passage in enumerate(quotable, 1)}
    cited = {citation.chunk_id for sentence in shown for citation in sentence.citations}
    texts = {sentence.text for sentence in shown}
    return tuple(_found_row(reading, numbers, cited, texts) for reading in parts.readings)


def _found_row(reading: Reading, numbers: Mapping[int, int], cited: set[int], shown: set[str]) -> FoundRow:
    found, evidence = reading.found, reading.evidence
    return FoundRow(
        text=found.sub.text,
        party=found.sub.party.name if found.sub.party else "",
        was_searched=found.was_searched,
        passages=tuple(
            _passage_row(passage, place, numbers.get(passage.chunk_id, 0), is_cited=passage.chunk_id in cited)
            for place, passage in _placed(found)
        ),
        sentences=tuple(_sentence_row(each, evidence, numbers, shown) for each in _best(evidence.sentences)),
        words=tuple(evidence.coverage.words),
        verdict=_verdict_row(reading.verdict),
    )


def _placed(found: Found) -> Iterator[tuple[str, Passage]]:
    for place, passages in (
        ("rule", found.desk),
        ("search", found.passages),
        ("elsewhere", found.elsewhere),
        ("aside", found.aside),
    ):
        for passage in passages:
            yield place, passage


def _best(sentences: Iterable[ReadSentence]) -> list[ReadSentence]:
    return sorted(sentences, key=lambda each: -each.score)[:_MOST_SENTENCES]


def _passage_row(passage: Passage, place: str, number: int, *, is_cited: bool) -> PassageRow:
    source, scores = passage.source, passage.scores
    return PassageRow(
        number=number,
        place=place,
        chunk=passage.chunk_id,
        uuid=source.uuid,
        version=source.version,
        start=passage.start,
        end=passage.end,
        title=source.title,
        kind=source.kind,
        party=source.party_name,
        publisher=source.publisher,
        published=source.published.isoformat() if source.published else "",
        collection=source.collection_slug,
        language=source.language,
        heading=" › ".join(passage.heading_path),
        page_from=passage.page_from,
        page_to=passage.page_to,
        tokens=passage.token_count,
        text=passage.text,
        reason=passage.reason,
        cosine=_rounded(scores.cosine),
        cosine_rank=scores.cosine_rank,
        bm25=_rounded(scores.bm25),
        bm25_rank=scores.bm25_rank,
        fused=round(scores.fused, 4),
        fused_rank=scores.fused_rank,
        reranked=round(scores.reranked, 4),
        recency=round(scores.recency, 4),
        party_bonus=round(scores.party_bonus, 4),
        is_cited=is_cited,
    )


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(float(score), 4)


def _sentence_row(each: ReadSentence, evidence: Evidence, numbers: Mapping[int, int], shown: set[str]) -> SentenceRow:
    return SentenceRow(
        text=each.text,
        language=each.passage.source.language,
        passage=numbers.get(each.passage.chunk_id, 0),
        score=round(float(each.score), 4),
        cosine=round(float(each.cosine), 4),
        coverage=round(float(evidence.coverage.share(each.matches)), 3),
        has_type=each.has_type,
        is_quotable=each.is_quotable,
        is_shown=each.text in shown,
    )


def _verdict_row(verdict: Verdict) -> VerdictRow:
    return VerdictRow(
        outcome=verdict.outcome.value,
        refusal=verdict.refusal.value if verdict.refusal else "",
        probability=round(verdict.probability, 4),
        missing=verdict.missing,
        features={name: round(float(value), 4) for name, value in verdict.features.items() if isfinite(value)},
    )
