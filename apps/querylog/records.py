"""How a turn's events are kept: plain JSON that a page can be drawn from for as long as the turn lives."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from typing import TypedDict

from apps.rag.events import Notice, Sentence
from apps.rag.types import Citation, Passage, Source


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


class NoticeRecord(TypedDict):
    """One shown notice; ``nearest`` are documents to look at, never citations."""

    type: str
    kind: str
    code: str
    text: str
    choices: list[str]
    subjects: list[str]
    nearest: list[CitationRecord]


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
    )


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


def published_on(record: SourceRecord) -> date | None:
    """Return the date of a stored source."""
    return date.fromisoformat(record["published"]) if record["published"] else None
