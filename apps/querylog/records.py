"""How a turn's events are kept: plain JSON that a page can be drawn from for as long as the turn lives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import NotRequired, TypedDict

from apps.rag.desk import DeskLink
from apps.rag.events import Decided, Notice, Restart, Sentence
from apps.rag.time_frames import TimeFrame
from apps.rag.types import Citation, NoticeKind, Passage, Signals, Source


class SourceRecord(TypedDict):
    """A cited document as it was called when it was cited."""

    uuid: str
    version: int
    title: str
    kind: str
    language: str
    publisher: str
    author: str
    party_slug: str
    party_name: str
    published: str
    address: str


class CitationRecord(TypedDict):
    """One numbered citation; number, uuid, version, start and end make the link."""

    number: int
    source: SourceRecord
    start: int
    end: int
    page: int | None
    heading_path: list[str]


class SentenceRecord(TypedDict):
    """One shown sentence."""

    type: str
    text: str
    citations: list[CitationRecord]
    group: str
    is_quote: bool
    is_more: bool
    language: str


class LinkRecord(TypedDict):
    """An article that the desk recommended, as it was called then."""

    address: str
    title: str
    teaser: str
    picture: str


class NoticeRecord(TypedDict):
    """One shown notice; ``nearest`` are documents to look at, never citations.

    ``links``, ``signed`` and ``as_of`` are missing from notices that were stored before there were rules. ``evidence``
    are the chunks behind follow-up questions.
    """

    type: str
    kind: str
    code: str
    text: str
    choices: list[str]
    subjects: list[str]
    nearest: list[CitationRecord]
    links: NotRequired[list[LinkRecord]]
    signed: NotRequired[str]
    as_of: NotRequired[str]
    evidence: NotRequired[list[int]]


class ReferenceRecord(TypedDict):
    """What the reader said, what it stood for, and the number of the turn that said so."""

    said: str
    means: str
    turn: int


class RewritingRecord(TypedDict):
    """How the stand-alone query came about. ``reason`` is a code; everything else is readers' words, masked."""

    reason: str
    references: list[ReferenceRecord]
    choices: list[str]
    sub_queries: list[str]
    turns_used: list[int]


class TimeRecord(TypedDict):
    """A time that a query names, its days as ISO dates ("" where an end is open); ``kind`` and ``sense`` are codes."""

    said: str
    first: str
    last: str
    kind: str
    sense: str


class UnderstoodRecord(TypedDict):
    """What was read out of one query: parties and people by name, times, what is searched once: a reader's words."""

    query: str
    language: str
    parties: list[str]
    aspects: list[str]
    searched: list[str]
    people: NotRequired[list[str]]
    times: NotRequired[list[TimeRecord]]


def source_record(source: Source) -> SourceRecord:
    return SourceRecord(
        uuid=source.uuid,
        version=source.version,
        title=source.title,
        kind=source.kind,
        language=source.language,
        publisher=source.publisher,
        author=source.author,
        party_slug=source.party_slug,
        party_name=source.party_name,
        published=source.published.isoformat() if source.published else "",
        address=source.address,
    )


def citation_record(citation: Citation) -> CitationRecord:
    return CitationRecord(
        number=citation.number,
        source=source_record(citation.source),
        start=citation.start,
        end=citation.end,
        page=citation.page,
        heading_path=list(citation.heading_path),
    )


def sentence_record(sentence: Sentence) -> SentenceRecord:
    return SentenceRecord(
        type="sentence",
        text=sentence.text,
        citations=[citation_record(citation) for citation in sentence.citations],
        group=sentence.group,
        is_quote=sentence.is_quote,
        is_more=sentence.is_more,
        language=sentence.language,
    )


def notice_record(notice: Notice) -> NoticeRecord:
    return NoticeRecord(
        type="notice",
        kind=notice.kind.value,
        code=notice.code,
        text=notice.text,
        choices=list(notice.choices),
        subjects=list(notice.subjects),
        nearest=[
            CitationRecord(
                number=0,
                source=source_record(passage.source),
                start=passage.start,
                end=passage.end,
                page=passage.page_from,
                heading_path=list(passage.heading_path),
            )
            for passage in notice.nearest
        ],
        links=[link_record(link) for link in notice.links],
        signed=notice.signed,
        as_of=notice.as_of.isoformat() if notice.as_of else "",
        evidence=list(notice.evidence),
    )


def shown_after(
    shown: Sequence[SentenceRecord | NoticeRecord], event: Sentence | Notice | Restart
) -> list[SentenceRecord | NoticeRecord]:
    """Return what stands on the page after one more event."""
    match event:
        case Sentence():
            return [*shown, sentence_record(event)]
        case Notice():
            return [*shown, notice_record(event)]
    sentences = [item for item in shown if item["type"] == "sentence"]
    # What the desk says itself never was in doubt.
    desk = [item for item in shown if item["type"] == "notice" and item.get("kind") == NoticeKind.DESK]
    return [*desk, *sentences[: event.kept]]


def rewriting_record(decided: Decided) -> RewritingRecord:
    return RewritingRecord(
        reason=decided.reason,
        references=[ReferenceRecord(said=each.said, means=each.means, turn=each.turn) for each in decided.references],
        choices=list(decided.choices),
        sub_queries=list(decided.sub_queries),
        turns_used=list(decided.turns_used),
    )


def understood_records(decided: Decided) -> list[UnderstoodRecord]:
    queries = decided.sub_queries or (decided.query,)
    return [
        UnderstoodRecord(
            query=query,
            language=each.language,
            parties=[party.name for party in each.parties],
            aspects=[aspect.text for aspect in each.aspects],
            searched=[sub.text for sub in each.sub_questions],
            people=list(each.people),
            times=[_time_record(frame) for frame in each.times],
        )
        for query, each in zip(queries, decided.understood, strict=False)
    ]


def _time_record(frame: TimeFrame) -> TimeRecord:
    return TimeRecord(
        said=frame.said,
        first=frame.first.isoformat() if frame.first else "",
        last=frame.last.isoformat() if frame.last else "",
        kind=frame.kind.value,
        sense=frame.sense.value,
    )


def link_record(link: DeskLink) -> LinkRecord:
    return LinkRecord(address=link.address, title=link.title, teaser=link.teaser, picture=link.picture)


def passage_record(passage: Passage) -> dict[str, object]:
    """Return what reproduces a passage: address, scores and reason, without its text and vectors."""
    return {
        "chunk": passage.chunk_id,
        "uuid": passage.source.uuid,
        "version": passage.source.version,
        "start": passage.start,
        "end": passage.end,
        "scores": asdict(passage.scores),
        "reason": passage.reason,
    }


def signals_record(signals: Signals | None) -> dict[str, object]:
    if signals is None:
        return {}
    return {
        "confidence_score": signals.confidence_score,
        "source_diversity": dict(signals.source_diversity),
        "coverage_signals": dict(signals.coverage_signals),
        "retrieval_metadata": dict(signals.retrieval_metadata),
        "recommendation": signals.recommendation,
    }


def share(value: object) -> float | None:
    """Return a signal as its column takes it: 0 to 1, None where it is no number. An odd one must cost no answer."""
    if not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return min(1.0, max(0.0, float(value)))


def published_on(record: SourceRecord) -> date | None:
    """Return the date of a stored source."""
    return date.fromisoformat(record["published"]) if record["published"] else None
