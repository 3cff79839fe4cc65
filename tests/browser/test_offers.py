"""Going on with a follow-up question: one press, with and without scripts, on a phone and on a desk."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
ASKED = "Was plant die Hügelpartei beim Mindestlohn?"
OFFER = "Was sagen die Parteien zum Mindestlohn?"


@pytest.fixture(autouse=True)
def patience(settings) -> None:
    settings.OFFER_MILLISECONDS = 30_000


@pytest.mark.parametrize("width", [390, 1280])
def test_an_offer_is_pressed_and_answered_from_both_parties(visit: Visit, width: int):
    reader = visit(width=width)
    page = reader.page
    reader.ask(ASKED)
    button = page.locator(".offers button", has_text=OFFER)
    expect(button).to_be_visible()
    assert button.bounding_box()["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    button.click()
    page.locator("article.turn").nth(1).locator(".answer:not(.is-open)").wait_for()
    expect(page.locator("article.turn h2")).to_have_text([ASKED, OFFER])
    expect(page.locator("article.turn").nth(1).locator("h3.speaker")).to_have_count(2)
    # What was offered before is gone, and not offered again.
    expect(page.locator("article.turn").first.locator(".offers")).to_be_hidden()
    expect(page.locator("article.turn").nth(1).locator(".offers button", has_text=OFFER)).to_have_count(0)
    page.reload()
    expect(page.locator("article.turn h2")).to_have_text([ASKED, OFFER])


def test_an_offer_is_pressed_from_the_keyboard(visit: Visit):
    reader = visit(width=1280)
    reader.ask(ASKED)
    reader.page.locator(".offers button", has_text=OFFER).press("Enter")
    expect(reader.page.locator("article.turn h2")).to_have_text([ASKED, OFFER])


def test_an_offer_is_pressed_without_scripts(visit: Visit):
    reader = visit(width=390, scripts=False)
    page = reader.page
    page.fill("#id_question", ASKED)
    page.click("#ask-button")
    page.locator(".offers button", has_text=OFFER).click()
    expect(page.locator("article.turn h2")).to_have_text([ASKED, OFFER])
    expect(page.locator("article.turn").nth(1).locator("h3.speaker")).to_have_count(2)
