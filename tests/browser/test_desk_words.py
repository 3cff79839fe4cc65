"""What a rule puts on the reader's page: the desk's words first and labelled, links to read on last."""

from __future__ import annotations

from datetime import date

import pytest
from django.templatetags.static import static
from playwright.sync_api import Page, expect

from apps.answering import retrieval
from apps.rag.desk import AskedLinks, DeskLink
from apps.rules import live
from apps.rules.live import LiveRules, compiled
from apps.rules.types import CuratedAnswer, RuleSet
from tests.browser.conftest import Visit
from tests.rules.releasing import rule

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
POSTAL = "Wie beantrage ich Briefwahl?"
NOWHERE = "Wie tief ist der Marianengraben?"
ADVICE = "Wir raten, die Unterlagen früh zu beantragen.\n\nDie Post braucht vor der Wahl länger als sonst."


class Held:
    """Rules that are live here without a release: one could not be rolled back with the test."""

    def __init__(self, rules: LiveRules) -> None:
        self._rules = rules

    def current(self) -> LiveRules:
        """Return the given rules."""
        return self._rules


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rules: one with the desk's own text, one that only recommends."""
    answer = CuratedAnswer(ADVICE, is_desk_text=True, owner="Politikredaktion", checked=date(2026, 11, 3))
    link = "https://zeitung.example/ratgeber"
    held = compiled(
        RuleSet(
            (rule("briefwahl", POSTAL, answer=answer, links=(link,)), rule("graben", NOWHERE, links=(link,))), release=1
        )
    )
    monkeypatch.setattr(live, "_keeper", Held(held))

    def desk_links(asked: AskedLinks) -> list[DeskLink]:
        shown = DeskLink(link, "Briefwahl, Schritt für Schritt", "Alle Fristen auf einen Blick.", static("icon.svg"))
        return [shown] if link in asked.addresses else []

    monkeypatch.setattr(retrieval, "desk_links", desk_links)


def tops(page: Page, *places: str) -> list[float]:
    """Return how far down each place begins."""
    boxes = [page.locator(place).first.bounding_box() for place in places]
    assert all(boxes)
    return [box["y"] for box in boxes if box]


@pytest.mark.parametrize(("width", "scripts"), [(1280, True), (390, True), (390, False)])
def test_the_desk_speaks_first_and_recommends_last(visit: Visit, rules: None, width: int, scripts: bool) -> None:
    reader = visit(width=width, scripts=scripts)
    page = reader.page
    if scripts:
        reader.ask(POSTAL)
    else:
        page.fill("#id_question", POSTAL)
        page.click("#ask-button")
    expect(page.locator(".desk p")).to_have_count(3)
    expect(page.locator(".desk")).to_contain_text("Politikredaktion")
    expect(page.locator(".desk .cite")).to_have_count(0)
    expect(page.locator(".read-on a")).to_have_attribute("href", "https://zeitung.example/ratgeber")
    places = tops(page, ".desk", ".sentence", ".sources", ".read-on")
    assert places == sorted(places)
    assert page.evaluate("document.documentElement.scrollWidth") <= width if scripts else True


def test_the_desks_words_arrive_in_the_stream(visit: Visit, rules: None) -> None:
    reader = visit(width=1280)
    reader.ask(POSTAL)
    streamed = reader.page.evaluate("window.streamed")
    sentences = reader.page.locator(".answer > .sentences .sentence").count()
    assert streamed.count("sentence") == sentences + 1
    before = reader.page.locator("#turns").inner_text()
    reader.page.reload()
    assert reader.page.locator("#turns").inner_text() == before


def test_a_refusal_leads_with_what_the_desk_recommends(visit: Visit, rules: None) -> None:
    reader = visit(width=390)
    reader.ask(NOWHERE)
    expect(reader.page.locator(".notice-refusal .read-on a")).to_have_count(1)
    expect(reader.page.locator(".cite")).to_have_count(0)
