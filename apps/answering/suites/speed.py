"""How soon an answer begins: alone, and with many readers at once."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import cycle, islice, product
from typing import Final

import numpy as np
from django.utils import timezone

from apps.answering.readiness import warm_up
from apps.answering.services import answer_stream
from apps.answering.suites.corpora import PROGRAMMES, index_programmes, own_files
from apps.answering.suites.crowd import Crowd, site
from apps.core.suites import Figure, SuiteContext, SuiteResult, bench
from apps.documents.embedding import vectors_cached
from apps.documents.models import Party
from apps.rag.events import Done, Failed, Notice, Sentence
from apps.rag.types import AnswerContext, Outcome, Question

_QUESTIONS: Final = 66
_READERS: Final = 150
_READERS_PER_SECOND: Final = 5.0
# Own words, as readers ask: whole sentences, headings, and half sentences.
_ASKED: Final = (
    "Was will {party} bei der Rente ändern?",
    "Wie hoch soll der Mindestlohn nach dem Willen von {party} sein?",
    "Was plant {party} gegen steigende Mieten?",
    "Welche Klimaziele nennt {party}?",
    "Wie steht {party} zur Migration?",
    "Soll Deutschland laut {party} weiter Waffen an die Ukraine liefern?",
    "{party} Renteneintrittsalter",
    "Fordert {party} einen höheren Mindestlohn?",
    "Wie will {party} mehr Wohnungen bauen?",
    "Was sagt {party} zum Ausbau der erneuerbaren Energien?",
    "Welche Regeln für Asyl schlägt {party} vor?",
    "Unterstützt {party} die Ukraine?",
)


@bench("answer", needs_data=True, needs_database=True)
def bench_answer(context: SuiteContext) -> SuiteResult:
    """First sentence of answers over the programmes of 2025: alone, and on a served page (--option documents=3)."""
    with own_files():
        with vectors_cached():
            index_programmes(context, at_most=int(context.options.get("documents", len(PROGRAMMES))))
        # Outside the cache: a reader's question is new to the embedder.
        warm_up()
        questions = _questions()
        alone = asyncio.run(_read_alone(questions))
        context.say("alone: done")
        with site() as port:
            crowd = Crowd(port, readers=int(context.options.get("readers", _READERS)), per_second=_READERS_PER_SECOND)
            together = asyncio.run(crowd.read(questions))
    figures: dict[str, Figure] = {
        "first_sentence_p50_ms": _percentile([turn.first_ms for turn in alone], 50),
        "first_sentence_p95_ms": _percentile([turn.first_ms for turn in alone], 95),
        "whole_p95_ms": _percentile([turn.whole_ms for turn in alone], 95),
        "answered_ratio": sum(turn.is_answered for turn in alone) / len(alone),
        "load_first_sentence_p95_ms": _percentile([visit.first_ms for visit in together if not visit.has_failed], 95),
        "load_errors": sum(visit.has_failed for visit in together),
        "load_open": crowd.most_open,
    }
    stages = {stage: [turn.stages.get(stage, 0.0) for turn in alone] for stage in alone[0].stages}
    notes = [
        f"{stage}: p50 {_percentile(v, 50):.0f} ms, p95 {_percentile(v, 95):.0f} ms" for stage, v in stages.items()
    ]
    problems = Counter(visit.problem for visit in together if visit.has_failed)
    notes += [f"failed {count} times: {problem}" for problem, count in problems.most_common(3)]
    return SuiteResult(n=len(questions), figures=figures, notes=notes)


@dataclass(slots=True)
class _Turn:
    """One reader's turn, in milliseconds since the question was sent."""

    first_ms: float = 0.0
    whole_ms: float = 0.0
    is_answered: bool = False
    stages: dict[str, float] = field(default_factory=dict)


def _questions() -> list[str]:
    names = list(Party.objects.order_by("order").values_list("short_name", flat=True))
    return [asked.format(party=name) for name, asked in islice(cycle(product(names, _ASKED)), _QUESTIONS)]


async def _read_alone(questions: Sequence[str]) -> list[_Turn]:
    return [await _read(question) for question in questions]


async def _read(question: str) -> _Turn:
    """Ask one question and note when the first words come."""
    turn = _Turn()
    start = time.perf_counter()
    asked = answer_stream(question=Question(question), history=(), context=AnswerContext(now=timezone.localtime()))
    async with aclosing(asked) as events:
        async for event in events:
            if isinstance(event, Sentence | Notice) and not turn.first_ms:
                turn.first_ms = (time.perf_counter() - start) * 1000
            if isinstance(event, Done):
                turn.is_answered = event.outcome is Outcome.ANSWERED
                turn.stages = dict(event.timings)
            if isinstance(event, Failed):
                turn.first_ms = turn.first_ms or (time.perf_counter() - start) * 1000
    turn.whole_ms = (time.perf_counter() - start) * 1000
    return turn


def _percentile(values: Sequence[float], percent: float) -> float:
    return float(np.percentile(values, percent)) if values else 0.0
