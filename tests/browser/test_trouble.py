"""When something goes wrong: stale tokens, a server that dies, narrow screens."""

from __future__ import annotations

import asyncio

import pytest
from playwright.sync_api import expect

from apps.chat import running
from apps.rag.events import Decided, Done, Retrieved
from apps.rag.types import Decision, Outcome
from tests.browser.conftest import Visit, serving

# Rolled back with each test; what the server writes goes with the corpus.
pytestmark = [pytest.mark.browser, pytest.mark.django_db]
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenanspruchsberechtigungsprüfung"


def test_after_a_stale_token_the_words_are_kept_and_can_be_sent_again(visit: Visit):
    reader = visit(width=390)
    page = reader.page
    reader.forgive("403")
    reader.context.clear_cookies(name="wegweiser_csrf")
    page.fill("#id_question", "Wie beantrage ich Briefwahl?")
    page.press("#id_question", "Enter")
    expect(page.locator("#form-message .problem")).to_have_count(1)
    expect(page.locator("#id_question")).to_have_value("Wie beantrage ich Briefwahl?")
    page.press("#id_question", "Enter")
    page.locator(".answer:not(.is-open)").wait_for()
    expect(page.locator("#form-message .problem")).to_have_count(0)


def test_a_question_of_blanks_is_refused_once_beside_the_form(visit: Visit):
    reader = visit(width=1280)
    page = reader.page
    reader.forgive("422")
    for _ in range(2):
        page.fill("#id_question", "   ")
        with page.expect_response("**/ask/"):
            page.press("#id_question", "Enter")
    expect(page.locator("#form-message .problem")).to_have_count(1)
    expect(page.locator("article.turn")).to_have_count(0)
    reader.ask("Wie beantrage ich Briefwahl?")
    expect(page.locator("#form-message .problem")).to_have_count(0)


def test_an_answer_that_breaks_off_says_so_and_nothing_is_lost(open_reader, monkeypatch):
    async def answer_stream(*, question, history, context, may_be_cached):
        yield Decided(Decision.SEARCH_AS_IS, question.text)
        yield Retrieved(())
        await asyncio.sleep(30)
        yield Done(Outcome.REFUSED)

    monkeypatch.setattr(running, "answer_stream", answer_stream)
    with serving() as (base, server):
        reader = open_reader(base, width=1280)
        page = reader.page
        # htmx and the browser both tell the console that the connection broke.
        for words in ("ERR_", "[object Event]", "htmx:sendError", "htmx:afterRequest"):
            reader.forgive(words)
        page.fill("#id_question", "Wie beantrage ich Briefwahl?")
        page.press("#id_question", "Enter")
        expect(page.locator(".is-open .status")).to_be_visible()
        first_words = "Die Quellen werden durchsucht …"
        expect(page.locator(".is-open .status p")).not_to_have_text(first_words)
        server.should_exit = True
        expect(page.locator(".broken .problem")).to_be_visible()
        page.fill("#id_question", "Noch eine Frage?")
        page.press("#id_question", "Enter")
        expect(page.locator("#form-message .problem")).to_be_visible()
        expect(page.locator("#id_question")).to_have_value("Noch eine Frage?")


def test_nothing_scrolls_sideways_on_the_narrowest_phone(visit: Visit):
    reader = visit(width=320)
    page = reader.page

    def overhang() -> int:
        return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    assert overhang() == 0
    reader.ask(LONG_WORD)
    assert overhang() == 0
    reader.ask("Was planen die Parteien beim Mindestlohn?")
    assert overhang() == 0
    links = page.locator(".cite").evaluate_all("links => [...new Set(links.map(link => link.href))]")
    assert len(links) >= 2
    for link in links:
        page.goto(link)
        assert overhang() == 0


def test_a_citation_is_large_enough_for_a_finger_and_never_alone_on_a_line(visit: Visit):
    reader = visit(width=320)
    reader.ask("Was planen die Parteien beim Mindestlohn?")
    cites = reader.page.locator(".sentence > .cite")
    assert cites.count() >= 2
    for cite in cites.all():
        cite.scroll_into_view_if_needed()
        hit = cite.evaluate(
            """link => { const box = link.getBoundingClientRect();
            const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
            return [[0, 11.5], [0, -11.5], [11.5, 0], [-11.5, 0]].every(
              ([right, down]) => document.elementFromPoint(x + right, y + down) === link); }"""
        )
        assert hit
        words_end, link = cite.evaluate(
            """link => { const range = document.createRange();
            const text = link.parentElement.querySelector("q").lastChild;
            range.setStart(text, text.length - 1); range.setEnd(text, text.length);
            return [range.getBoundingClientRect().bottom, link.getBoundingClientRect().bottom]; }"""
        )
        assert abs(words_end - link) < 12
