"""A reader, and an answer that follows a script."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

import pytest
from django.test import Client

from apps.chat import running
from apps.rag.events import Decided, Done, Event, Notice, Retrieved, Sentence
from apps.rag.types import Citation, Decision, NoticeKind, Outcome, Passage, Source

SOURCE = Source(
    uuid="0b1f0d4e-8f0e-4a53-9c39-2f5a1f6f8f11",
    version=2,
    title="Programm <script>alert(1)</script>",
    kind="programme",
    party_slug="bfm",
    party_name="BfM",
    published=date(2026, 9, 1),
)


def cited(
    text: str, *, number: int = 1, group: str = "", is_more: bool = False, language: str = "de", slug: str = "bfm"
) -> Sentence:
    source = replace(SOURCE, party_slug=slug)
    citation = Citation(number, 7, source, 10, 10 + len(text), text, page=3, heading_path=("Arbeit",))
    return Sentence(text, (citation,), group=group, is_more=is_more, language=language)


ANSWER: tuple[Event, ...] = (
    Decided(Decision.SEARCH_AS_IS, "Frage"),
    Retrieved((Passage(7, SOURCE, "Wir wollen 15 Euro.", 10, 29),)),
    cited("Wir wollen <b>15 Euro</b>.", group="BfM"),
    cited("Das gilt ab 2027.", group="BfM"),
    cited("Mehr dazu später.", group="BfM", is_more=True),
    Done(Outcome.ANSWERED, {"search": 5.0}),
)
REFUSAL: tuple[Event, ...] = (
    Decided(Decision.SEARCH_AS_IS, "Frage"),
    Notice(NoticeKind.REFUSAL, "not_enough", nearest=(Passage(7, SOURCE, "Anderes.", 10, 18),)),
    Done(Outcome.REFUSED),
)

Step = Event | float | Exception | asyncio.Event
Script = Callable[[Sequence[Step]], list[str]]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    """Return a function that sets what the pipeline yields, in steps.

    Numbers are pauses, events of asyncio are waited for, exceptions are raised. It returns the list of questions
    that reached the pipeline.
    """
    asked: list[str] = []

    def set_script(steps: Sequence[Step]) -> list[str]:
        async def answer_stream(*, question, history, context, may_be_cached):
            asked.append(question.text)
            for step in steps:
                if isinstance(step, float):
                    await asyncio.sleep(step)
                elif isinstance(step, asyncio.Event):
                    await step.wait()
                elif isinstance(step, Exception):
                    raise step
                else:
                    yield step

        monkeypatch.setattr(running, "answer_stream", answer_stream)
        return asked

    set_script(ANSWER)
    return set_script


@pytest.fixture(autouse=True)
def no_limits(settings) -> None:
    """Let tests ask as often as they like; tests/chat/test_limits.py sets limits of its own."""
    settings.CHAT_LIMITS = {deed: {"session": (0, 0), "network": (0, 0)} for deed in ("ask", "say")}


@pytest.fixture
def reader(db: None) -> Client:
    return Client()


@pytest.fixture
def stranger(db: None) -> Client:
    return Client()
