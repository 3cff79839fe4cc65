"""Asks the questions of a conversation one after the other, as readers do, and keeps everything that is said."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final, Protocol

from apps.answering.door import question_read
from apps.documents.search.retriever import run_search
from apps.evaluation.specs import QuestionSpec
from apps.evaluation.traces import TimedEvent
from apps.rag.events import Event, Failed
from apps.rag.remembering import history_turn
from apps.rag.types import AnswerContext, HistoryTurn, Question

# Longer than a reader's stream may take: what hangs is a failure of this question, not of the run.
MOST_SECONDS: Final = 90.0


class Ask(Protocol):
    """What ``answering.services.answer_stream`` is."""

    def __call__(
        self, *, question: Question, history: Sequence[HistoryTurn], context: AnswerContext
    ) -> AsyncGenerator[Event, None]: ...


@dataclass(frozen=True, slots=True)
class AskedTurn:
    """A question with what was said, and what the conversation had before it."""

    spec: QuestionSpec
    history: tuple[HistoryTurn, ...]
    events: tuple[TimedEvent, ...]

    @property
    def said(self) -> tuple[Event, ...]:
        return tuple(each.event for each in self.events)


async def ask_conversation(
    turns: Sequence[QuestionSpec],
    ask: Ask,
    now: datetime,
    *,
    clock: Callable[[], float] = time.perf_counter,
    seconds: float = MOST_SECONDS,
) -> list[AskedTurn]:
    """Ask all turns; each sees those before it, as in the chat. Nothing is written to the log."""
    history: list[HistoryTurn] = []
    asked: list[AskedTurn] = []
    for number, spec in enumerate(turns, 1):
        question = (await run_search(partial(question_read, spec.text, language=spec.language))).question
        context = AnswerContext(now=now, locale=spec.language, builder_choices=spec.choices, sub_queries=spec.queries)
        begun = clock()
        events: list[TimedEvent] = []
        try:
            async with (
                asyncio.timeout(seconds),
                aclosing(ask(question=question, history=tuple(history), context=context)) as stream,
            ):
                async for event in stream:  # one by one: each has its own time, and what came before a fault stays
                    events.append(TimedEvent(event, 1000 * (clock() - begun)))  # noqa: PERF401
        except TimeoutError:
            events.append(TimedEvent(Failed("took_too_long"), 1000 * (clock() - begun)))
        turn = AskedTurn(spec, tuple(history), tuple(events))
        asked.append(turn)
        left = history_turn(number, question.text, turn.said)
        history.append(replace(left, offers=spec.offers or left.offers, items=spec.items or left.items))
    return asked
