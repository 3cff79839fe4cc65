"""Everything the pipeline said about one question, as plain JSON in the order it was said, in the log's own shapes.

A trace is a list of objects. ``type`` names the event in small letters, ``at`` is in milliseconds after the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from datetime import date, datetime
from enum import Enum

from apps.querylog.records import (
    notice_record,
    passage_record,
    rewriting_record,
    sentence_record,
    signals_record,
)
from apps.querylog.rule_records import rule_record, use_record
from apps.rag.events import Decided, Done, Event, Failed, Notice, Restart, Retrieved, Sentence
from apps.rag.types import NoticeKind, Outcome, Passage

Json = object
TraceItem = dict[str, Json]


@dataclass(frozen=True, slots=True)
class TimedEvent:
    """An event and how many milliseconds after the question it came."""

    event: Event
    at: float


def trace_of(events: Iterable[TimedEvent]) -> list[TraceItem]:
    """Return what is stored of a turn's events."""
    return [
        {"type": type(each.event).__name__.lower(), "at": round(each.at, 1), **_fields(each.event)} for each in events
    ]


def outcome_of(events: Sequence[TimedEvent]) -> Outcome:
    """Return how a turn ended; one that has no end failed."""
    last = events[-1].event if events else None
    return last.outcome if isinstance(last, Done) else Outcome.FAILED


def shown_items(trace: Iterable[TraceItem]) -> list[TraceItem]:
    """Return what of a stored trace stands on a reader's page at the end, as ``remembering.shown_of`` does."""
    shown: list[TraceItem] = []
    for item in trace:
        if item["type"] in ("sentence", "notice"):
            shown.append(item)
        elif item["type"] == "restart":
            desk = [each for each in shown if each.get("kind") == NoticeKind.DESK]
            sentences = [each for each in shown if each["type"] == "sentence"]
            shown = [*desk, *sentences[: int(str(item["kept"]))]]
    return shown


def _fields(event: Event) -> TraceItem:
    match event:
        case Decided():
            said: Mapping[str, Json] = {
                "decision": event.decision,
                "query": event.query,
                "release": event.rule.release if event.rule else None,
                "versions": event.versions,
                "rule": rule_record(event.rule) if event.rule else {},
                **rewriting_record(event),
            }
        case Retrieved():
            said = {
                "passages": [_passage(passage) for passage in event.passages],
                "signals": signals_record(event.signals),
                "use": use_record(event.use) if event.use else {},
            }
        case Sentence():
            said = {**sentence_record(event), "quotes": [each.quote for each in event.citations]}
        case Notice():
            said = {**notice_record(event)}
        case Restart():
            said = {"kept": event.kept, "reason": event.reason}
        case Done():
            said = {"outcome": event.outcome, "timings": event.timings, "writing": event.writing}
        case Failed():
            said = {"code": event.code, "versions": event.versions}
        case _:
            said = asdict(event) if is_dataclass(event) else {}
    return {name: plain(value) for name, value in said.items() if name != "type"}


def _passage(passage: Passage) -> TraceItem:
    source = passage.source
    return {
        **passage_record(passage),
        "title": source.title,
        "party": source.party_name,
        "kind": source.kind,
        "heading": " › ".join(passage.heading_path),
        "beginning": " ".join(passage.text[:400].split())[:200],
    }


def plain(value: Json) -> Json:
    """Return a value as JSON has it: enums by value, dates as texts, tuples and sets as lists."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
