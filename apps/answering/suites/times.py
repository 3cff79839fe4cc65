"""Sixty questions on the demo that hang on a time: which days are meant, which source answers, which sources differ.

``times.json`` says of each question the time that it names as days of a reader in Berlin on 30 November 2026 (null
where it names none), the documents that may lead the answer, and those that contradict each other, the newest first
(false where none does, null where naming some is neither wanted nor wrong). Questions with an even place were looked at
while the rules were made; figures with ``held_out`` are of the others alone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from io import StringIO
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.core.management import call_command
from django.test import override_settings

from apps.answering.services import answer_stream
from apps.answering.suites.corpora import own_files
from apps.core.suites import Figure, SuiteContext, SuiteResult, suite
from apps.documents.embedding import vectors_cached
from apps.documents.management.commands.demo_documents import FOLDER
from apps.rag.events import Decided, Event, Notice, Sentence
from apps.rag.time_frames import TimeFrame
from apps.rag.types import AnswerContext, NoticeKind, Question
from apps.rules.management.commands.demo_rules import FOLDER as RULES
from apps.rules.models import ProtectedTerm

_FILE: Final = Path(__file__).with_name("times.json")
NOW: Final = datetime(2026, 11, 30, 12, tzinfo=ZoneInfo("Europe/Berlin"))
ELECTION: Final = date(2027, 2, 28)


@dataclass(frozen=True, slots=True)
class TimeVerdict:
    """What one answer got right. ``conflict`` is None where none is expected, ``made_up`` says that one was named."""

    frame: bool
    source: bool
    conflict: bool | None
    made_up: bool


@suite("times", needs_data=False, needs_database=True)
def times(context: SuiteContext) -> SuiteResult:
    """Sixty questions that hang on a time: right days, right source first, contradictions of sources named."""
    cases = json.loads(_FILE.read_text(encoding="utf-8"))
    with own_files(), vectors_cached(), override_settings(ELECTION_DAY=ELECTION):
        call_command("demo_documents", verbosity=0, stdout=StringIO())
        _store_people()
        verdicts = asyncio.run(_answered(cases, context))
    held_out = verdicts[1::2]
    figures = {**_figures(verdicts), **{f"held_out_{name}": each for name, each in _figures(held_out).items()}}
    return SuiteResult(n=len(cases), figures=figures)


def _figures(verdicts: Sequence[TimeVerdict]) -> dict[str, Figure]:
    expected = [verdict.conflict for verdict in verdicts if verdict.conflict is not None]
    return {
        "frame_right": sum(verdict.frame for verdict in verdicts) / len(verdicts),
        "source_right": sum(verdict.source for verdict in verdicts) / len(verdicts),
        "conflict_named": sum(expected) / len(expected) if expected else 1.0,
        "conflicts_expected": len(expected),
        "conflicts_made_up": sum(verdict.made_up for verdict in verdicts),
    }


def _store_people() -> None:
    """The demo's people without its rules: a rule would hand over the documents that search has to find."""
    rows = json.loads((RULES / "protected_terms.json").read_text(encoding="utf-8"))
    ProtectedTerm.objects.bulk_create(ProtectedTerm(name=row["name"], aliases=row["aliases"]) for row in rows)


async def _answered(cases: Sequence[Mapping[str, Any]], context: SuiteContext) -> list[TimeVerdict]:
    titles = _titles()
    verdicts = []
    for place, case in enumerate(cases):
        asked = AnswerContext(now=NOW, locale=case["language"])
        stream = answer_stream(question=Question(case["question"], case["language"]), history=[], context=asked)
        events = [event async for event in stream]
        verdict = judge_times(case, events, titles)
        verdicts.append(verdict)
        is_looked_at = place % 2 == 0 or context.options.get("all")
        if is_looked_at and (
            verdict.made_up or not (verdict.frame and verdict.source and verdict.conflict is not False)
        ):
            context.say(f"{case['question']} {verdict}")
    return verdicts


def judge_times(case: Mapping[str, Any], events: Sequence[Event], titles: Mapping[str, str]) -> TimeVerdict:
    """Compare one answer with what is expected of it; ``titles`` are the demo's documents by their short names."""
    decided = next(event for event in events if isinstance(event, Decided))
    frames = [frame for each in decided.understood for frame in each.times]
    sentences = [event for event in events if isinstance(event, Sentence)]
    first = sentences[0].citations[0].source.title if sentences else ""
    conflicts = [
        [passage.source.title for passage in event.nearest]
        for event in events
        if isinstance(event, Notice) and event.kind is NoticeKind.CONFLICT
    ]
    expected = case["conflict"]
    return TimeVerdict(
        frame=[_days(frame) for frame in frames] == ([case["frame"]] if case["frame"] else []),
        source=first in {titles[slug] for slug in case["documents"]},
        conflict=_is_named([titles[slug] for slug in expected], conflicts) if expected else None,
        made_up=expected is False and bool(conflicts),
    )


def _is_named(expected: Sequence[str], conflicts: Sequence[Sequence[str]]) -> bool:
    """Say whether the newer document was named first, beside one of the older ones."""
    return any(newer == expected[0] and older in expected[1:] for newer, older in (pair[:2] for pair in conflicts))


def _days(frame: TimeFrame) -> dict[str, str]:
    first, last = (day.isoformat() if day else "" for day in (frame.first, frame.last))
    return {"kind": frame.kind.value, "sense": frame.sense.value, "first": first, "last": last}


def _titles() -> dict[str, str]:
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    stories = [story for entry in manifest["documents"] for story in (entry, *entry.get("items", ()))]
    return {story["slug"]: story["title"] for story in stories}
