"""States and ways of reading that few have: offline, crowded, asked back, other colours, paper, keys alone, at rest."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from apps.answering.language_models import language_model_replaced
from apps.chat import running
from apps.rag.events import Sentence
from apps.rag.model_types import ModelRequest
from apps.rag.scripted_model import Reply, ScriptedModel, quoting_reply
from tests.browser.axe import axe_source, examine
from tests.browser.conftest import Reader, Visit
from tests.browser.test_reader import built  # noqa: F401

# Rolled back with each test; what the server writes goes with the corpus.
pytestmark = [pytest.mark.browser, pytest.mark.django_db]
WAGE = "Was planen die Parteien beim Mindestlohn?"
POSTAL = "Wie beantrage ich Briefwahl?"
# What a press brings may come later than the half second in which a browser takes it for the reader's own doing: the
# two frames in which a new turn takes its place are left out, everything after them counts.
MOVES = """
window.moved = [];
window.placed = [];
const turns = document.querySelector("#turns");
let known = turns.querySelectorAll("article.turn").length;
new MutationObserver(() => {
  const now = turns.querySelectorAll("article.turn").length;
  if (now > known) {
    const span = [performance.now(), Infinity];
    window.placed.push(span);
    requestAnimationFrame(() => requestAnimationFrame(() => { span[1] = performance.now(); }));
  }
  known = now;
}).observe(turns, { childList: true });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) {
    const what = entry.sources.map((each) => each.node?.outerHTML?.slice(0, 80) ?? "").join(" ");
    window.moved.push([entry.startTime, what]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
MOVED = """window.moved.filter(([at]) => !window.placed.some(([from, to]) => from <= at && at <= to))"""


ARRIVED = """
window.arrived = [];
document.body.addEventListener("htmx:sseMessage", () => {
  const list = document.querySelector(".answer.is-open > .sentences");
  if (list) window.arrived = [...list.querySelectorAll(".speaker, .sentence")].map((each) => each.innerText);
});
"""


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a while pass before and after each sentence: more than the time in which a reader's key may move things."""
    real_stream = running.answer_stream

    async def slow_stream(**told):
        async for event in real_stream(**told):
            is_sentence = isinstance(event, Sentence)
            await asyncio.sleep(0.6 * is_sentence)
            yield event
            await asyncio.sleep(0.2 * is_sentence)

    monkeypatch.setattr(running, "answer_stream", slow_stream)


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_in_sight_moves_while_an_answer_arrives(visit: Visit, slowly: None, width: int):
    reader = visit(width=width)
    reader.page.evaluate(MOVES)
    for place, question in enumerate((WAGE, "Wie hoch ist der Mount Everest?")):
        # Typed as readers do: a field that grows under their hands is their own doing.
        reader.page.locator("#id_question").press_sequentially(question)
        reader.page.keyboard.press("Enter")
        reader.page.locator("article.turn").nth(place).locator(".answer:not(.is-open)").wait_for()
        reader.page.wait_for_timeout(300)
        expect(reader.page.locator("article.turn").last.locator("h2")).to_be_in_viewport()
        expect(reader.page.locator("#id_question")).to_be_in_viewport()
    assert len(reader.page.evaluate("window.placed")) == 2
    assert reader.page.evaluate(MOVED) == []


def from_the_last_source(request: ModelRequest) -> Reply:
    """A model that hears the parties the other way round, and comes back to the one it began with."""
    reply = quoting_reply(request)
    lines = reply.text.splitlines()
    return replace(reply, text="\n".join([*reversed(lines), *lines[-1:]]))


def test_what_a_model_wrote_stays_where_it_arrived_whatever_order_it_chose(visit: Visit, slowly: None):
    reader = visit(width=390)
    page = reader.page
    page.evaluate(MOVES)
    page.evaluate(ARRIVED)
    model = ScriptedModel(from_the_last_source)
    with language_model_replaced(model):
        page.locator("#id_question").press_sequentially(WAGE)
        page.keyboard.press("Enter")
        page.locator(".answer:not(.is-open)").wait_for()
    stands = page.locator(".answer > .sentences :is(.speaker, .sentence)").all_inner_texts()
    speakers = page.locator(".answer > .sentences .speaker").all_inner_texts()
    assert model.requests
    assert len(speakers) >= 2
    assert speakers == sorted(speakers)
    assert page.evaluate("window.arrived") == stands
    assert page.evaluate(MOVED) == []


def test_without_a_connection_the_question_stays_and_is_sent_later(visit: Visit):
    reader = visit(width=390)
    page = reader.page
    for words in ("ERR_INTERNET_DISCONNECTED", "htmx:sendError", "htmx:afterRequest"):
        reader.forgive(words)
    reader.context.set_offline(True)
    page.fill("#id_question", POSTAL)
    page.press("#id_question", "Enter")
    expect(page.locator("#form-message .problem")).to_have_text(re.compile("keine Verbindung"))
    expect(page.locator("#id_question")).to_have_value(POSTAL)
    reader.context.set_offline(False)
    page.press("#id_question", "Enter")
    page.locator("article.turn .answer:not(.is-open) .sentence").first.wait_for()
    expect(page.locator("#form-message .problem")).to_have_count(0)


@pytest.mark.parametrize(("width", "scripts"), [(1280, True), (390, False)], ids=["scripts", "no scripts"])
def test_without_room_the_question_stays_and_is_sent_later(visit: Visit, settings, width: int, scripts: bool):
    reader = visit(width=width, scripts=scripts)
    page = reader.page
    reader.forgive("503")
    room, settings.CHAT_MAX_OPEN_STREAMS, settings.CHAT_MAX_WAITING = settings.CHAT_MAX_OPEN_STREAMS, 0, 0
    page.fill("#id_question", POSTAL)
    page.click("#ask-button")
    expect(page.locator("#form-message .problem")).to_have_text(re.compile("sehr viele"))
    expect(page.locator("#id_question")).to_have_value(POSTAL)
    settings.CHAT_MAX_OPEN_STREAMS = room
    page.click("#ask-button")
    expect(page.locator("article.turn .answer:not(.is-open) .sentence").first).to_be_visible()


def test_what_may_mean_several_things_is_asked_back_with_buttons(visit: Visit):
    reader = visit(width=1280)
    page = reader.page
    reader.ask("Was sagen Hügelpartei und Talpartei zum Mindestlohn?")
    reader.ask("Was sagt sie zur Kommission?")
    buttons = page.locator(".notice-clarification .choices button")
    expect(buttons).to_have_count(2)
    expect(page.locator("article.turn").last.locator(".cite")).to_have_count(0)
    chosen = buttons.nth(1).inner_text()
    buttons.nth(1).click()
    page.locator("article.turn").nth(2).locator(".answer:not(.is-open)").wait_for()
    expect(page.locator("article.turn h2").nth(2)).to_have_text(chosen)
    expect(page.locator("article.turn").nth(2).locator(".notice-clarification")).to_have_count(0)


def test_the_builder_is_worked_by_keys_alone(built: None, visit: Visit):  # noqa: F811
    reader = visit(width=1280)
    page = reader.page
    page.locator("#builder summary").focus()
    page.keyboard.press("Enter")
    for label in ("Mindestlohn", "Hügelpartei", "Talpartei"):
        reach(page, label)
        page.keyboard.press("Space")
    expect(page.locator("#builder-question")).to_contain_text("Hügelpartei und Talpartei")
    page.keyboard.press("Tab")
    expect(page.locator(".builder-send button")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("article.turn .answer:not(.is-open) .sentence").first.wait_for()
    # From the field on, every number and button comes in the order of the page, and none is hidden behind the form.
    page.locator("article.turn h2").evaluate("title => { title.tabIndex = -1; title.focus(); }")
    for _ in range(12):
        page.keyboard.press("Tab")
        hidden = page.evaluate(
            """() => { const box = document.activeElement.getBoundingClientRect();
            const form = document.querySelector(".ask");
            if (form.contains(document.activeElement)) return false;
            return box.top >= form.getBoundingClientRect().top - 1; }"""
        )
        assert not hidden, page.evaluate("document.activeElement.outerHTML")


def reach(page: Page, label: str) -> None:
    """Press Tab until the button with this label has the focus."""
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.labels?.[0]?.textContent.trim()") == label:
            return
    raise AssertionError(label)


def test_with_forced_colours_what_is_pressed_and_marked_can_be_told(built: None, visit: Visit):  # noqa: F811
    reader = visit(width=390)
    page = reader.page
    page.emulate_media(forced_colors="active")
    page.locator("#builder summary").click()
    chip = page.locator(".builder-buttons label", has_text="Mindestlohn")
    before = outline(reader, "#choice-thema-lohn + label")
    chip.click()
    page.mouse.move(0, 0)
    assert (before[0], outline(reader, "#choice-thema-lohn + label")[0]) == ("none", "solid")
    page.locator("#id_question").fill("")
    reader.ask(WAGE)
    assert page.locator("#ask-button").evaluate("button => getComputedStyle(button).borderTopStyle") == "solid"
    mark = page.locator("h3.speaker .mark-tal").first.evaluate("mark => getComputedStyle(mark).backgroundColor")
    assert mark == "rgb(122, 59, 143)"
    assert examine(page, axe_source()) == []
    page.locator(".cite").first.click()
    assert page.locator("#passage mark").evaluate("mark => getComputedStyle(mark).backgroundColor") != page.evaluate(
        "getComputedStyle(document.body).backgroundColor"
    )


def outline(reader: Reader, selector: str) -> list[str]:
    found: list[str] = reader.page.locator(selector).evaluate(
        "each => [getComputedStyle(each).outlineStyle, getComputedStyle(each).outlineColor]"
    )
    return found


def test_on_paper_stand_question_sentences_and_addresses_and_nothing_to_press(visit: Visit):
    reader = visit(width=1280)
    page = reader.page
    reader.ask(WAGE)
    page.emulate_media(media="print", color_scheme="dark")
    for part in (".question", ".sentence", ".sources li"):
        expect(page.locator(part).first).to_be_visible()
    for part in (".masthead", "#ask", "#tools", ".said", ".cite .tip"):
        expect(page.locator(part).first).to_be_hidden()
    address = page.locator(".sources li a").first.evaluate("link => getComputedStyle(link, '::after').content")
    assert "/sources/" in address
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    whole = page.locator(".sources li a").first.evaluate(
        "link => [getComputedStyle(link, '::after').content, link.href]"
    )
    assert whole[1].startswith("http")
    assert whole[1] in whole[0]
    expect(page.locator(".why").first).to_be_hidden()
    ink, paper = page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert (ink, paper) == ("rgb(0, 0, 0)", "rgb(255, 255, 255)")
    # A whole window for a turn would be a page for each.
    assert page.locator(".turn").evaluate("turn => turn.scrollHeight - turn.lastElementChild.offsetTop") < 3000
    assert page.locator(".turn").evaluate("turn => getComputedStyle(turn).minHeight") in ("0px", "auto")


def test_a_phone_that_shows_everything_twice_as_large_need_not_be_pushed_sideways(visit: Visit):
    reader = visit(width=195)
    reader.ask(WAGE)
    assert reader.page.evaluate("document.documentElement.scrollWidth") == 195


def test_who_wants_no_motion_gets_none(visit: Visit, slowly: None):
    reader = visit(width=390)
    page = reader.page
    for place, (wanted, motion) in enumerate([("no-preference", "arrive"), ("reduce", "none")]):
        page.emulate_media(reduced_motion=wanted)
        page.fill("#id_question", WAGE)
        page.press("#id_question", "Enter")
        sentence = page.locator("article.turn").nth(place).locator(".is-open .sentence").first
        assert sentence.evaluate("each => getComputedStyle(each).animationName") == motion
        page.locator("article.turn").nth(place).locator(".answer:not(.is-open)").wait_for()
