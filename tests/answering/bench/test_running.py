"""A run of the bench: the same answer as readers get, turn by turn, with an end whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

import pytest
from django.utils import timezone

from apps.answering.bench import running
from apps.answering.bench.running import BenchQuestion, Ended, Progress, Run, SoFar, Step, bench_steps, has_room
from apps.rag.events import Decided, Done, Event, Failed, Sentence
from apps.rag.tracing import StageBegan, StageEnded, Trace
from apps.rag.types import AnswerContext, Decision, HistoryTurn, Outcome

pytestmark = pytest.mark.django_db(transaction=True)


def asked(words: str = "Wie hoch ist der Mindestlohn?", *earlier: str, **options: Any) -> BenchQuestion:
    return BenchQuestion(
        words, AnswerContext(now=timezone.localtime(), **options.pop("context", {})), earlier, **options
    )


class Answers:
    """Takes the place of the answer service: the given events or pauses, and what it was asked."""

    def __init__(self, *steps: Event | float | Exception) -> None:
        self.steps: Sequence[Event | float | Exception] = steps or (
            Decided(Decision.SEARCH_AS_IS, "Frage"),
            Sentence("Er beträgt 15 Euro.", ()),
            Done(Outcome.ANSWERED),
        )
        self.given: list[dict[str, Any]] = []
        self.open = 0

    async def __call__(self, *, trace: Trace, **given: Any) -> AsyncGenerator[Event, None]:
        self.given.append(given)
        self.open += 1
        try:
            for step in self.steps:
                trace.note(StageBegan("write", 0.0))
                if isinstance(step, float):
                    await asyncio.sleep(step)
                elif isinstance(step, Exception):
                    raise step
                else:
                    yield step
                trace.note(StageEnded("write", 0.0, 0.0))
        finally:
            self.open -= 1


async def steps_of(question: BenchQuestion, answers: Callable[..., Any], **options: Any) -> list[Step]:
    return [step async for step in bench_steps(question, answer=answers, **options)]


def run_in(steps: Sequence[Step]) -> Run:
    assert isinstance(steps[-1], Ended)
    return steps[-1].run


async def test_a_run_tells_its_stages_its_answer_and_its_end():
    steps = await steps_of(asked(), Answers())
    assert {step.stage for step in steps if isinstance(step, Progress)} == {"start", "write"}
    assert [len(step.events) for step in steps if isinstance(step, SoFar)] == [2]
    run = run_in(steps)
    assert run.last is not None
    assert run.last.plain_events[-1] == Done(Outcome.ANSWERED)
    assert not run.is_late


async def test_earlier_questions_are_answered_first_and_leave_what_readers_turns_leave():
    answers = Answers()
    steps = await steps_of(
        asked("Und ab wann gilt das?", "Wie hoch ist der Mindestlohn?", "Wer legt ihn fest?"), answers
    )
    assert [given["question"].text for given in answers.given] == [
        "Wie hoch ist der Mindestlohn?",
        "Wer legt ihn fest?",
        "Und ab wann gilt das?",
    ]
    history: Sequence[HistoryTurn] = answers.given[-1]["history"]
    assert [(turn.number, turn.question, turn.answer) for turn in history] == [
        (1, "Wie hoch ist der Mindestlohn?", "Er beträgt 15 Euro."),
        (2, "Wer legt ihn fest?", "Er beträgt 15 Euro."),
    ]
    assert answers.given[0]["history"] == ()
    assert {(step.number, step.count) for step in steps if isinstance(step, Progress)} == {(1, 3), (2, 3), (3, 3)}
    # What grows on the page is the question's own answer.
    assert len([step for step in steps if isinstance(step, SoFar)]) == 1


async def test_the_words_go_through_the_readers_door():
    answers = Answers()
    run = run_in(await steps_of(asked("Schreiben  Sie\x00 an mia@example.org"), answers))
    assert "mia@example.org" not in answers.given[0]["question"].text
    assert run.last is not None
    assert sum(run.last.masked_kinds.values()) == 1


async def test_a_language_can_be_forced():
    answers = Answers()
    await steps_of(asked("Where can I vote?"), answers)
    await steps_of(asked("Where can I vote?", language="de"), answers)
    assert [given["question"].language for given in answers.given] == ["en", "de"]


async def test_a_run_that_takes_too_long_ends_with_what_it_has():
    answers = Answers(Decided(Decision.SEARCH_AS_IS, "Frage"), Sentence("Erstens.", ()), 60.0)
    run = run_in(await steps_of(asked(), answers, seconds=0.2))
    assert run.is_late
    assert run.last is not None
    assert [type(event) for event in run.last.plain_events] == [Decided, Sentence]
    assert answers.open == 0


async def test_earlier_turns_that_take_all_the_time_leave_no_turn_of_its_own():
    run = run_in(await steps_of(asked("Und ab wann?", "Wie hoch?"), Answers(60.0), seconds=0.2))
    assert run.is_late
    assert run.last is None


async def test_an_answer_that_breaks_raises_and_frees_its_place():
    with pytest.raises(ConnectionError):
        await steps_of(asked(), Answers(ConnectionError()))
    assert has_room()


async def test_a_failure_of_the_pipeline_is_an_end():
    run = run_in(await steps_of(asked(), Answers(Failed("search_down"))))
    assert run.last is not None
    assert run.last.is_over


async def test_leaving_stops_the_answer_and_frees_its_place(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(running, "MOST_OPEN", 1)
    answers = Answers(Sentence("Erstens.", ()), 60.0)
    steps = bench_steps(asked(), answer=answers)
    async for step in steps:
        if isinstance(step, SoFar):
            break
    assert (answers.open, has_room()) == (1, False)
    await steps.aclose()
    assert (answers.open, has_room()) == (0, True)
