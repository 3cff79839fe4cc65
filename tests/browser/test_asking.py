"""Asking and reading, as people do it: keyboard, phone, no scripts, another language."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit

# Rolled back with each test; what the server writes goes with the corpus.
pytestmark = [pytest.mark.browser, pytest.mark.django_db]
POSTAL = "Wie beantrage ich Briefwahl?"
WAGE = "Was planen die Parteien beim Mindestlohn?"


def test_from_the_keyboard_to_the_marked_passage_and_its_printed_page(visit: Visit):
    reader = visit(width=1280)
    page = reader.page
    page.keyboard.press("Tab")
    expect(page.locator("a.skip")).to_be_focused()
    page.locator("#id_question").focus()
    page.keyboard.type(WAGE)
    page.keyboard.press("Enter")
    page.locator(".answer:not(.is-open) .sentence").first.wait_for()
    # Each sentence came by itself; the whole answer then took their place.
    assert page.evaluate("window.streamed").count("sentence") >= 2
    expect(page.locator(".is-open")).to_have_count(0)
    expect(page.locator("#id_question")).to_be_focused()
    expect(page.locator("#id_question")).to_have_value("")
    expect(page.locator(".answer > .sentences h3.speaker")).to_have_count(2)
    expect(page.locator("h3.speaker .mark-tal").first).to_have_css("background-color", "rgb(122, 59, 143)")
    words = page.locator(".sentence", has_text="14 Euro").locator("q").inner_text()
    page.locator(".sentence", has_text="14 Euro").locator(".cite").first.press("Enter")
    page.wait_for_url(re.compile(r"/sources/.+#passage$"))
    expect(page.locator("#passage")).to_be_in_viewport()
    expect(page.locator("#passage mark")).to_have_text(words)
    background = page.locator("#passage mark").evaluate("mark => getComputedStyle(mark).backgroundColor")
    assert background not in ("rgba(0, 0, 0, 0)", "rgb(253, 252, 249)")
    expect(page.locator("rect.hit")).to_have_count(1)
    picture = page.locator("svg image").get_attribute("href")
    assert page.request.get(f"{reader.base}{picture}").headers["content-type"] == "image/png"
    marked, sheet = page.locator("rect.hit").bounding_box(), page.locator(".sheet svg").bounding_box()
    assert marked["width"] > 50
    assert sheet["x"] < marked["x"] < marked["x"] + marked["width"] < sheet["x"] + sheet["width"]


def test_a_conversation_goes_on_and_is_complete_after_a_reload(visit: Visit):
    reader = visit(width=390)
    page = reader.page
    reader.ask(POSTAL)
    address = page.url
    assert "/conversations/" in address
    reader.ask("Und wann muss der Wahlbrief ankommen?")
    assert page.url == address
    before = page.locator("#turns").inner_text()
    page.reload()
    expect(page.locator("article.turn")).to_have_count(2)
    assert page.locator("#turns").inner_text() == before
    assert page.evaluate("window.streamed") == []


def test_a_new_turn_comes_into_sight_and_says_once_what_it_found(visit: Visit):
    reader = visit(width=390)
    page = reader.page
    for question in (POSTAL, WAGE):
        reader.ask(question)
    expect(page.locator("article.turn").last.locator("h2")).to_be_in_viewport()
    # What has arrived as sentences is not announced a second time with the whole answer.
    assert page.locator(".answer [aria-live], .answer [role=log], .answer [role=status]").count() == 0


def test_the_back_button_leads_to_a_page_that_works(visit: Visit):
    reader = visit(width=390)
    page = reader.page
    reader.ask(POSTAL)
    page.go_back()
    expect(page.locator(".intro")).to_be_visible()
    page.go_forward()
    expect(page.locator("article.turn h2")).to_have_text([POSTAL])
    reader.ask(WAGE)
    expect(page.locator("article.turn h2")).to_have_text([POSTAL, WAGE])


def test_a_suggestion_is_one_press_away(visit: Visit):
    reader = visit(width=1280)
    reader.page.locator(".examples button").first.click()
    reader.page.locator(".answer:not(.is-open)").wait_for()
    expect(reader.page.locator("article.turn h2")).to_have_text(POSTAL)
    expect(reader.page.locator(".intro")).to_be_hidden()


def test_a_refusal_shows_no_citation_and_says_what_to_do(visit: Visit):
    reader = visit(width=390)
    reader.ask("Wie hoch ist der Mount Everest?")
    expect(reader.page.locator(".notice-refusal")).to_be_visible()
    expect(reader.page.locator(".notice-refusal .next")).to_be_visible()
    expect(reader.page.locator(".cite")).to_have_count(0)
    expect(reader.page.locator(".sources")).to_have_count(0)


def test_everything_works_without_scripts(visit: Visit):
    reader = visit(width=1280, scripts=False)
    page = reader.page
    page.fill("#id_question", WAGE)
    page.click("#ask-button")
    expect(page.locator("article.turn")).to_have_count(1)
    expect(page.locator(".sentence").first).to_be_visible()
    page.fill("#id_question", POSTAL)
    page.click("#ask-button")
    expect(page.locator("article.turn")).to_have_count(2)
    page.locator("article.turn").last.locator(".cite").first.click()
    expect(page.locator("#passage mark").first).to_be_in_viewport()
    page.go_back()
    page.locator(".delete summary").click()
    page.locator(".delete button").click()
    expect(page.locator(".done")).to_be_visible()
    page.locator(".examples button").first.click()
    expect(page.locator("article.turn h2")).to_have_text(POSTAL)


def test_english_is_one_press_away_and_quotations_keep_their_language(visit: Visit):
    reader = visit(width=390)
    page = reader.page
    page.locator(".languages button[value=en]").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("label[for=id_question]")).to_have_text("Your question")
    reader.ask(POSTAL)
    expect(page.locator(".sentence q").first).to_have_attribute("lang", "de")
    quotes = page.locator(".sentence q").first.evaluate("quotation => getComputedStyle(quotation).quotes")
    assert quotes.startswith('"“" "”"')


def test_a_deleted_conversation_is_gone(visit: Visit):
    reader = visit(width=1280)
    page = reader.page
    reader.ask(POSTAL)
    address = page.url
    page.locator(".delete summary").click()
    page.locator(".delete button").click()
    expect(page.locator(".done")).to_be_visible()
    reader.forgive("404")
    assert page.goto(address).status == 404
