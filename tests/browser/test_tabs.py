"""Two tabs of one reader: one streams while the other asks, one deletes what the other shows, one is of yesterday."""

from __future__ import annotations

import asyncio
import threading

import pytest
from playwright.sync_api import Page, expect

from apps.chat import running
from apps.rag.events import Sentence
from tests.browser.conftest import Reader, Visit

# Rolled back with each test; what the server writes goes with the corpus.
pytestmark = [pytest.mark.browser, pytest.mark.django_db]
WAGE = "Was planen die Parteien beim Mindestlohn?"
POSTAL = "Wie beantrage ich Briefwahl?"


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Hold answers on the minimum wage back behind their first sentence, until the event is set."""
    may_go_on = threading.Event()
    real_stream = running.answer_stream

    async def slow_stream(**told):
        async for event in real_stream(**told):
            yield event
            is_held = "Mindestlohn" in told["question"].text and isinstance(event, Sentence)
            while is_held and not may_go_on.is_set():
                await asyncio.sleep(0.05)

    monkeypatch.setattr(running, "answer_stream", slow_stream)
    return may_go_on


def second_tab(reader: Reader, address: str = "") -> Page:
    tab = reader.context.new_page()
    tab.goto(address or f"{reader.base}/")
    return tab


def send(page: Page, question: str) -> None:
    page.fill("#id_question", question)
    page.press("#id_question", "Enter")


def test_one_tab_follows_what_the_other_streams_and_asks_meanwhile(visit: Visit, held: threading.Event):
    reader = visit(width=1280)
    first = reader.page
    send(first, WAGE)
    first.locator(".is-open .sentence").first.wait_for()
    second = second_tab(reader, first.url)
    # The same answer, from its beginning.
    second.locator(".is-open .sentence").first.wait_for()
    send(second, POSTAL)
    second.locator("#turn-2 .answer:not(.is-open) .sentence").first.wait_for()
    expect(second.locator("#turn-1 .answer.is-open")).to_have_count(1)
    held.set()
    for tab in (first, second):
        tab.locator("#turn-1 .answer:not(.is-open) .sentence").first.wait_for()
        words = tab.locator("#turn-1 .sentence q").all_inner_texts()
        assert len(words) == len(set(words))
    # Who asks in the first tab goes on in the same conversation.
    send(first, "Und wann muss der Wahlbrief ankommen?")
    first.locator("#turn-3 .answer:not(.is-open)").wait_for()
    first.reload()
    expect(first.locator("article.turn h2")).to_have_text([WAGE, POSTAL, "Und wann muss der Wahlbrief ankommen?"])


def test_what_one_tab_deletes_costs_the_other_no_words(visit: Visit):
    reader = visit(width=390)
    reader.ask(POSTAL)
    other = second_tab(reader, reader.page.url)
    other.locator(".delete summary").click()
    other.locator(".delete button").click()
    expect(other.locator(".done")).to_be_visible()
    reader.forgive("404")
    send(reader.page, WAGE)
    expect(reader.page.locator("#form-message .problem")).to_be_visible()
    expect(reader.page.locator("#id_question")).to_have_value(WAGE)
    reader.page.press("#id_question", "Enter")
    reader.page.locator("article.turn").nth(1).locator(".answer:not(.is-open)").wait_for()
    reader.page.reload()
    expect(reader.page.locator("article.turn h2")).to_have_text([WAGE])


@pytest.mark.parametrize(("width", "scripts"), [(1280, True), (390, False)], ids=["scripts", "no scripts"])
def test_a_tab_that_was_open_overnight_keeps_what_was_typed(visit: Visit, width: int, scripts: bool):
    reader = visit(width=width, scripts=scripts)
    page = reader.page
    reader.forgive("403")
    # In the night the cookie went; in the morning another tab got a new one.
    reader.context.clear_cookies()
    second_tab(reader).close()
    page.fill("#id_question", WAGE)
    page.click("#ask-button")
    expect(page.locator("#form-message .problem")).to_have_count(1)
    expect(page.locator("#id_question")).to_have_value(WAGE)
    page.click("#ask-button")
    expect(page.locator("article.turn .answer:not(.is-open) .sentence").first).to_be_visible()
    expect(page.locator("article.turn h2")).to_have_text([WAGE])
