"""The bench in a real window: by keyboard alone, as it streams, stopped, without scripts, on a phone."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import expect

from apps.answering.language_models import language_model_replaced
from apps.answering.models import AnswerSettings
from apps.rag.scripted_model import Reply, ScriptedModel
from tests.browser.conftest import Reader
from tests.browser.test_rules import tab_to

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
PAGE = "/admin/try/answer/"
ASKED = "Was sagen Hügelpartei und Talpartei zum Mindestlohn?"
QUOTED = "Die Talpartei lässt den Mindestlohn bei 14 Euro."


@pytest.fixture(scope="module")
def cookies(corpus, django_db_blocker):
    """Log somebody in, outside of a test's transaction: the server's threads read it."""
    with django_db_blocker.unblock():
        chief = User.objects.create_superuser("bench-window")
        client = Client()
        client.force_login(chief)
        draft = AnswerSettings.objects.create(title="Ein Satz", sentences_per_party=1, shown_sentences=1)
        yield {name: cookie.value for name, cookie in client.cookies.items()}
        draft.delete()
        chief.delete()


@pytest.fixture
def bench(visit, cookies):
    """Return a function that opens the bench in a window."""

    def open_page(*, language: str = "en", **options) -> Reader:
        reader = visit(**options)
        given = {**cookies, "wegweiser_language": language}
        reader.context.add_cookies([{"name": n, "value": v, "url": reader.base} for n, v in given.items()])
        reader.page.goto(f"{reader.base}{PAGE}")
        return reader

    return open_page


def ask(reader: Reader, question: str = ASKED) -> None:
    """Type a question, press Enter and wait for the trace."""
    reader.page.fill("#id_question", question)
    reader.page.press("#id_question", "Enter")
    reader.page.locator("#bench-result .bench-trace").first.wait_for()


def picture(reader: Reader, name: str) -> None:
    """Keep a picture of the whole page where somebody wants to look at it."""
    folder = os.environ.get("BENCH_PICTURES")
    if folder:
        reader.page.screenshot(path=Path(folder) / f"{name}.png", full_page=True, timeout=90_000)


def test_a_question_is_asked_and_its_trace_read_by_keyboard_alone(bench):
    reader = bench()
    page, keyboard = reader.page, reader.page.keyboard
    tab_to(page, "#id_question")
    keyboard.type(ASKED)
    keyboard.press("Enter")
    page.locator("#bench-result .bench-reader").wait_for()
    expect(page.locator("#bench-result .bench-reader")).to_contain_text(QUOTED)
    expect(page.locator("#bench-said")).to_contain_text("answered")
    expect(page.locator("#bench-running")).to_be_hidden()
    expect(page.locator("#id_question")).to_be_focused()
    tab_to(page, ".bench-stage[data-keep-open=found-0] > summary")
    keyboard.press("Enter")
    expect(page.locator("[data-keep-open=found-0] table").first).to_be_visible()
    assert ASKED not in page.url
    assert page.url.endswith(PAGE)


def test_a_source_opens_at_its_place(bench):
    reader = bench()
    ask(reader)
    reader.page.locator("[data-keep-open=found-0] > summary").click()
    link = reader.page.locator("[data-keep-open=found-0] .bench-main a").first
    assert link.get_attribute("target") == "_blank"
    reader.page.goto(f"{reader.base}{link.get_attribute('href')}")
    expect(reader.page.locator("mark").first).to_be_visible()


def test_what_was_opened_stays_open_for_the_next_question(bench):
    reader = bench()
    ask(reader)
    reader.page.locator("[data-keep-open=signals-0] > summary").click()
    ask(reader, "Wie beantrage ich Briefwahl?")
    expect(reader.page.locator("[data-keep-open=signals-0]")).to_have_attribute("open", "")
    expect(reader.page.locator("#bench-result .bench-reader")).to_contain_text("Briefwahl")


def test_the_trace_is_copied_as_json(bench):
    reader = bench()
    reader.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(reader)
    reader.page.locator("[data-copy]").click()
    expect(reader.page.locator("#bench-said")).to_have_text("Copied.")
    [report] = json.loads(reader.page.evaluate("navigator.clipboard.readText()"))
    assert report["asked"]["question"] == ASKED
    assert report["outcome"] == "answered"


def test_a_choice_goes_on_with_the_conversation(bench):
    reader = bench()
    page = reader.page
    page.locator("[data-keep-open=bench-before] > summary").click()
    page.fill("#id_earlier", ASKED)
    ask(reader, "Und was sagt die Partei zum Kindergeld?")
    page.locator("#bench-result .choices button").first.click()
    expect(page.locator("#bench-result .bench-trace").first).to_contain_text("The conversation before")
    expect(page.locator("#id_earlier")).to_have_value(f"{ASKED}\nUnd was sagt die Partei zum Kindergeld?")


def test_two_settings_stand_side_by_side_and_differ_in_words(bench):
    reader = bench()
    page = reader.page
    page.select_option("#id_other", label="draft: Ein Satz")
    ask(reader)
    cards = page.locator("#bench-result .bench-answers > .bench-card")
    expect(cards).to_have_count(2)
    boxes = [cards.nth(number).bounding_box() for number in (0, 1)]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] < boxes[1]["x"]
    expect(page.get_by_role("heading", name="What differs")).to_be_visible()
    expect(page.get_by_role("table", name="Times")).to_be_visible()
    picture(reader, "two")


@pytest.fixture
def slow_model() -> Iterator[ScriptedModel]:
    """A model that says one sentence and then thinks for a long time."""
    said = f"Dort steht: „{QUOTED}“ [doc:1#chunk:1] Und weiter "
    model = ScriptedModel(Reply(said + "x" * 400, piece_seconds=0.15))
    with language_model_replaced(model):
        yield model


def test_a_slow_model_shows_progress_and_can_be_stopped(bench, slow_model):
    reader = bench()
    page = reader.page
    page.fill("#id_question", "Was sagt die Talpartei zum Mindestlohn?")
    page.press("#id_question", "Enter")
    expect(page.locator("#bench-progress")).to_contain_text("write or choose sentences")
    expect(page.locator("#bench-growing .bench-reader")).to_contain_text(QUOTED)
    page.locator("#bench-stop").click()
    expect(page.locator("#bench-running")).to_be_hidden()
    expect(page.locator("#bench-said")).to_have_text("Stopped.")
    expect(page.locator("#id_question")).to_be_focused()
    for _ in range(100):
        if not slow_model.open:
            break
        page.wait_for_timeout(50)
    assert slow_model.open == 0


def test_a_wrong_form_says_what_is_wrong_and_keeps_what_was_typed(bench):
    reader = bench()
    reader.forgive("422")
    page = reader.page
    page.locator("[data-keep-open=bench-who] > summary").click()
    page.fill("#id_language", "german")
    page.fill("#id_question", ASKED)
    page.press("#id_question", "Enter")
    expect(page.locator("#bench-trouble")).to_contain_text("A language has two letters")
    expect(page.locator("#id_question")).to_have_value(ASKED)


def test_who_was_signed_out_is_told(bench):
    reader = bench()
    reader.forgive("403")
    reader.context.clear_cookies()
    reader.page.fill("#id_question", ASKED)
    reader.page.press("#id_question", "Enter")
    expect(reader.page.locator("#bench-trouble")).to_contain_text("Are you still signed in")


def test_without_scripts_the_page_comes_whole(bench):
    reader = bench(scripts=False)
    page = reader.page
    page.fill("#id_question", ASKED)
    page.locator("#ask button[type=submit]").click()
    expect(page.locator("#bench-result .bench-reader")).to_contain_text(QUOTED)
    expect(page.locator("#bench-result .bench-trace")).to_be_visible()
    expect(page.locator("#id_question")).to_have_value(ASKED)
    assert page.url.endswith(PAGE)


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_is_never_wider_than_the_window(bench, width, language):
    reader = bench(width=width, language=language)
    page = reader.page
    page.select_option("#id_other", index=1)
    ask(reader)
    page.eval_on_selector_all(".bench details", "all => all.forEach(each => { each.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert (
        page.evaluate(
            "[...document.querySelectorAll('.bench *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)"
            ".filter(e => !e.closest('.rule-unseen, .bench-pre')).map(e => e.className)"
        )
        == []
    )
    picture(reader, f"{width}-{language}")


def test_headings_and_tables_have_their_names(bench):
    reader = bench()
    ask(reader)
    page = reader.page
    levels = page.eval_on_selector_all("#bench-result :is(h2,h3,h4,h5)", "all => all.map(e => Number(e.tagName[1]))")
    assert levels[0] == 2
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert (
        page.eval_on_selector_all(".bench-table", "all => all.filter(e => !e.caption?.textContent.trim()).length") == 0
    )
    assert page.eval_on_selector_all("#bench-result [id]", "all => all.length === new Set(all.map(e => e.id)).size")
