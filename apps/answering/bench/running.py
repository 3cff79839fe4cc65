"""Asks a question as a reader would, turn by turn, and keeps everything that the answer and its trace tell."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Final

from apps.answering.door import question_read
from apps.answering.ruling import RuleMatcher
from apps.answering.services import answer_stream
from apps.answering.settings_versions import AnswerSettingsVersion
from apps.documents.search.retriever import run_search
from apps.rag.events import Done, Event, Failed, Sentence
from apps.rag.remembering import history_turn
from apps.rag.tracing import Noted, StageBegan
from apps.rag.types import AnswerContext, HistoryTurn, Question
from apps.rules.live import current, draft_index

# For everything together: earlier turns, and both versions. The stream itself ends a little later.
MOST_SECONDS: Final = 110.0
# Whoever tries must not take the search threads away from readers.
MOST_OPEN: Final = 3


class RulesAsked(StrEnum):
    """Which rules are asked: those that readers get, or the draft as the next release would have it."""

    LIVE = "live"
    DRAFT = "draft"


@dataclass(frozen=True, slots=True)
class BenchQuestion:
    """What an editor wants to know. ``language`` is told from the words where it is empty.

    ``settings`` is None for what readers get now.
    """

    words: str
    context: AnswerContext
    earlier: tuple[str, ...] = ()
    language: str = ""
    rules: RulesAsked = RulesAsked.LIVE
    settings: AnswerSettingsVersion | None = None


@dataclass(slots=True)
class TracedTurn:
    """One turn as it becomes known. Times of events and notes are seconds on the clock that ``began`` is on.

    Implements ``rag.tracing.Trace``; ``tell`` hears of every stage that begins.
    """

    question: Question
    masked_kinds: Mapping[str, int]
    began: float
    tell: Callable[[str], None]
    clock: Callable[[], float]
    events: list[tuple[float, Event]] = field(default_factory=list)
    notes: list[tuple[float, Noted]] = field(default_factory=list)
    ended: float = 0.0

    def note(self, noted: Noted) -> None:
        """Keep what the pipeline tells."""
        self.notes.append((self.clock(), noted))
        if isinstance(noted, StageBegan):
            self.tell(noted.stage)

    @property
    def plain_events(self) -> list[Event]:
        """The events without their times."""
        return [event for _, event in self.events]

    @property
    def is_over(self) -> bool:
        return bool(self.events) and isinstance(self.events[-1][1], Done | Failed)


def unbegun(asked: BenchQuestion) -> TracedTurn:
    """Return the turn of a question that was never reached, because earlier ones took all the time."""
    question = Question(asked.words, asked.language or asked.context.locale)
    return TracedTurn(question, {}, 0.0, lambda _: None, lambda: 0.0)


@dataclass(slots=True)
class Run:
    """What became of the question: the earlier turns, then the turn itself. ``is_late`` when time ran out."""

    asked: BenchQuestion
    turns: list[TracedTurn] = field(default_factory=list)
    is_late: bool = False

    @property
    def last(self) -> TracedTurn | None:
        """The question's own turn; None when an earlier one took all the time."""
        return self.turns[-1] if len(self.turns) > len(self.asked.earlier) else None


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run is: in which ``stage`` of the turn ``number`` of ``count``, after how many seconds."""

    number: int
    count: int
    stage: str
    seconds: float


@dataclass(frozen=True, slots=True)
class SoFar:
    """What stands on the reader's page now."""

    question: str
    events: Sequence[Event]


@dataclass(frozen=True, slots=True)
class Ended:
    """The run is over."""

    run: Run


Step = Progress | SoFar | Ended
Answering = Callable[..., AsyncGenerator[Event, None]]

_open = 0


def has_room() -> bool:
    """Say whether another run may begin in this process."""
    return _open < MOST_OPEN


async def bench_steps(
    asked: BenchQuestion,
    *,
    seconds: float = MOST_SECONDS,
    clock: Callable[[], float] = time.perf_counter,
    answer: Answering = answer_stream,
) -> AsyncGenerator[Step, None]:
    """Yield what happens while a question is answered; the last is Ended. Stops the answer when it is closed.

    ``answer`` is what readers' questions go through, too.
    """
    global _open
    steps: asyncio.Queue[Step | None] = asyncio.Queue()
    _open += 1
    task = asyncio.ensure_future(_run(asked, steps.put_nowait, seconds, clock, answer))
    task.add_done_callback(lambda _: steps.put_nowait(None))
    try:
        while (step := await steps.get()) is not None:
            yield step
        yield Ended(task.result())
    finally:
        _open -= 1
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await task


async def _run(
    asked: BenchQuestion,
    say: Callable[[Step], None],
    seconds: float,
    clock: Callable[[], float],
    answer: Answering,
) -> Run:
    run = Run(asked)
    try:
        async with asyncio.timeout(seconds):
            history: list[HistoryTurn] = []
            for words in (*asked.earlier, asked.words):
                turn = await _begun(words, run, say, clock)
                async with aclosing(answer(**_given(turn, history, asked))) as events:
                    async for event in events:
                        turn.events.append((clock(), event))
                        if run.last is turn and isinstance(event, Sentence):
                            say(SoFar(turn.question.text, turn.plain_events))
                turn.ended = clock()
                history.append(history_turn(len(run.turns), turn.question.text, turn.plain_events))
    except TimeoutError:
        run.is_late = True
        if run.turns:
            run.turns[-1].ended = clock()
    return run


async def _begun(words: str, run: Run, say: Callable[[Step], None], clock: Callable[[], float]) -> TracedTurn:
    """Let the words through the reader's door and open their turn."""
    began, number, count = clock(), len(run.turns) + 1, len(run.asked.earlier) + 1

    def tell(stage: str) -> None:
        say(Progress(number, count, stage, clock() - began))

    tell("start")
    read = await run_search(partial(question_read, words, language=run.asked.context.locale))
    question = Question(read.question.text, run.asked.language or read.question.language)
    turn = TracedTurn(question, read.masked_kinds, began, tell, clock)
    run.turns.append(turn)
    return turn


def _given(turn: TracedTurn, history: Sequence[HistoryTurn], asked: BenchQuestion) -> dict[str, object]:
    """What the answer is asked for; a later turn must not change the history of an earlier one."""
    return {
        "question": turn.question,
        "history": tuple(history),
        "context": asked.context,
        "settings": asked.settings,
        "matcher": RuleMatcher(current if asked.rules is RulesAsked.LIVE else draft_index),
        "trace": turn,
    }
