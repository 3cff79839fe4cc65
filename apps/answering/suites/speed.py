"""How soon an answer begins: alone, and with many readers at once."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import cycle, islice, product
from typing import Final

import numpy as np
from django.utils import timezone

from apps.answering.language_models import language_model_replaced
from apps.answering.readiness import warm_up
from apps.answering.services import answer_stream
from apps.answering.suites.corpora import PROGRAMMES, index_programmes, own_files
from apps.answering.suites.crowd import Crowd, Visit
from apps.answering.suites.serving import serving
from apps.core.suites import Figure, SuiteContext, SuiteResult, bench
from apps.documents.embedding import embed_question, vectors_cached
from apps.documents.models import Party
from apps.rag.events import Done, Failed, Notice, Sentence
from apps.rag.model_types import LanguageModel, ModelRequest
from apps.rag.scripted_model import ScriptedModel, quoting_reply
from apps.rag.types import AnswerContext, Outcome, Question

_QUESTIONS: Final = 66
_EMBEDDED: Final = 15
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
    """First sentence of answers over the programmes of 2025, without and beside a model: alone, and on a served page.

    Options: documents=3, questions=12, readers=30; load=off leaves the served page out.
    """
    options = context.options
    with own_files():
        with vectors_cached():
            index_programmes(context, at_most=int(options.get("documents", len(PROGRAMMES))))
        # Outside the cache: a reader's question is new to the embedder.
        warm_up()
        questions = _questions(int(options.get("questions", _QUESTIONS)))
        embedding = _embedding_ms()
        alone = asyncio.run(_read_alone(questions))
        context.say("alone: done")
        model = TimedModel(ScriptedModel(quoting_reply))
        with language_model_replaced(model):
            beside = asyncio.run(_read_alone(questions, model))
        context.say("beside a model: done")
        readers = 0 if options.get("load") == "off" else int(options.get("readers", _READERS))
        crowds = [_crowd(questions, readers, kind, context) for kind in ("", "scripted")] if readers else []
    figures = {"embedding_p50_ms": embedding} | _alone_figures(alone) | _model_figures(beside)
    notes = []
    for name, (crowd, visits) in zip(("", "model_"), crowds, strict=False):
        figures |= _load_figures(f"{name}load", crowd, visits)
        problems = Counter(visit.problem for visit in visits if visit.has_failed)
        notes += [f"{name}load: failed {count} times: {problem}" for problem, count in problems.most_common(3)]
    return SuiteResult(n=len(questions), figures=figures, notes=notes)


@dataclass(slots=True)
class _Turn:
    """One reader's turn, in milliseconds since the question was sent; ``model_ms`` is what a model took of it."""

    first_ms: float = 0.0
    whole_ms: float = 0.0
    first_model_ms: float = 0.0
    model_ms: float = 0.0
    is_answered: bool = False
    stages: dict[str, float] = field(default_factory=dict)


class TimedModel:
    """A model that knows how long others have waited for it: what remains of a turn is our own share."""

    def __init__(self, model: LanguageModel, clock: Callable[[], float] = time.perf_counter) -> None:
        self.name = model.name
        self.waited = 0.0
        self._model = model
        self._clock = clock

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str, None]:
        """Yield what the model says; the clock runs only while it is waited for."""
        start = self._clock()
        async with aclosing(self._model.stream(request)) as pieces:
            async for piece in pieces:
                self.waited += self._clock() - start
                yield piece
                start = self._clock()
        self.waited += self._clock() - start


def _crowd(questions: Sequence[str], readers: int, model: str, context: SuiteContext) -> tuple[Crowd, Sequence[Visit]]:
    with serving(model=model) as site:
        crowd = Crowd(site.port, readers=readers, per_second=_READERS_PER_SECOND)
        visits = asyncio.run(crowd.read(questions))
    context.say(f"{readers} readers{' beside a model' if model else ''}: done")
    return crowd, visits


def _embedding_ms() -> Figure:
    """How long one question takes to embed: what all other figures of a machine are to be seen beside."""
    taken = []
    for number in range(_EMBEDDED):
        start = time.perf_counter()
        embed_question(f"Was planen die Parteien bis {2030 + number}?")
        taken.append((time.perf_counter() - start) * 1000)
    return _percentile(taken, 50)


def _alone_figures(turns: Sequence[_Turn]) -> dict[str, Figure]:
    figures: dict[str, Figure] = {
        "first_sentence_p50_ms": _percentile([turn.first_ms for turn in turns], 50),
        "first_sentence_p95_ms": _percentile([turn.first_ms for turn in turns], 95),
        "whole_p95_ms": _percentile([turn.whole_ms for turn in turns], 95),
        "answered_ratio": sum(turn.is_answered for turn in turns) / len(turns),
    }
    return figures | _stage_figures("stage", turns)


def _model_figures(turns: Sequence[_Turn]) -> dict[str, Figure]:
    """Our own share: everything but waiting for the model, until the first sentence and until the end."""
    figures: dict[str, Figure] = {
        "model_first_sentence_p95_ms": _percentile([turn.first_ms for turn in turns], 95),
        "model_whole_p95_ms": _percentile([turn.whole_ms for turn in turns], 95),
        "model_own_first_p95_ms": _percentile([turn.first_ms - turn.first_model_ms for turn in turns], 95),
        "model_own_p50_ms": _percentile([turn.whole_ms - turn.model_ms for turn in turns], 50),
        "model_own_p95_ms": _percentile([turn.whole_ms - turn.model_ms for turn in turns], 95),
        "model_answered_ratio": sum(turn.is_answered for turn in turns) / len(turns),
    }
    return figures | _stage_figures("model_stage", turns)


def _stage_figures(prefix: str, turns: Sequence[_Turn]) -> dict[str, Figure]:
    """How long each stage took; "write" is most of a model's time."""
    stages = dict.fromkeys(stage for turn in turns for stage in turn.stages)
    taken = {stage: [turn.stages.get(stage, 0.0) for turn in turns] for stage in stages}
    return {
        f"{prefix}_{stage}_p{percent}_ms": _percentile(values, percent)
        for stage, values in taken.items()
        for percent in (50, 95)
    }


def _load_figures(prefix: str, crowd: Crowd, visits: Sequence[Visit]) -> dict[str, Figure]:
    return {
        f"{prefix}_first_sentence_p95_ms": _percentile(
            [visit.first_ms for visit in visits if not visit.has_failed], 95
        ),
        f"{prefix}_errors": sum(visit.has_failed for visit in visits),
        f"{prefix}_open": crowd.most_open,
    }


def _questions(most: int) -> list[str]:
    names = list(Party.objects.order_by("order").values_list("short_name", flat=True))
    return [asked.format(party=name) for name, asked in islice(cycle(product(names, _ASKED)), most)]


async def _read_alone(questions: Sequence[str], model: TimedModel | None = None) -> list[_Turn]:
    return [await _read(question, model) for question in questions]


async def _read(question: str, model: TimedModel | None) -> _Turn:
    """Ask one question and note when the first words come, and what of it the model took."""
    turn = _Turn()
    start, waited = time.perf_counter(), model.waited if model else 0.0
    asked = answer_stream(question=Question(question), history=(), context=AnswerContext(now=timezone.localtime()))
    async with aclosing(asked) as events:
        async for event in events:
            if isinstance(event, Sentence | Notice) and not turn.first_ms:
                turn.first_ms = (time.perf_counter() - start) * 1000
                turn.first_model_ms = (model.waited - waited) * 1000 if model else 0.0
            if isinstance(event, Done):
                turn.is_answered = event.outcome is Outcome.ANSWERED
                turn.stages = dict(event.timings)
            if isinstance(event, Failed):
                turn.first_ms = turn.first_ms or (time.perf_counter() - start) * 1000
    turn.whole_ms = (time.perf_counter() - start) * 1000
    turn.model_ms = (model.waited - waited) * 1000 if model else 0.0
    return turn


def _percentile(values: Sequence[float], percent: float) -> float:
    return float(np.percentile(values, percent)) if values else 0.0
