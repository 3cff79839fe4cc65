"""What readers do beyond asking, each flow once: build, rate, share, come back, read inside another site."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.core.management import call_command
from django.test import override_settings
from playwright.sync_api import expect

from apps.chat import running, views
from apps.chat.models import BuilderQuery, BuilderTemplate, Facet, GuideSection
from apps.chat.runs import turn_events
from apps.documents.models import Party
from tests.browser.axe import axe_source, examine
from tests.browser.conftest import Reader, Visit, serving

# Rolled back with each test; what the server writes goes with the corpus.
pytestmark = [pytest.mark.browser, pytest.mark.django_db]
WAGE = "Was planen die Parteien beim Mindestlohn?"
POSTAL = "Wie beantrage ich Briefwahl?"
OPEN_ALL = "document.querySelectorAll('details').forEach((part) => { part.open = true; })"


@pytest.fixture(scope="module")
def built(corpus: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[None]:
    """A question builder and "How it works", for the server's threads too."""
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        Facet.objects.create(kind="topic", slug="thema-lohn", label="Mindestlohn", label_en="Minimum wage")
        for slug, label in (("partei-tal", "Talpartei"), ("partei-huegel", "Hügelpartei")):
            party = Party.objects.get(slug=slug.removeprefix("partei-"))
            Facet.objects.create(kind="party", slug=slug, label=label, party=party)
        template = BuilderTemplate.objects.create(
            name="Vergleich",
            topics="one",
            parties="several",
            question="Was planen {party} beim Thema {topic}?",
            question_en="What do {party} plan on {topic}?",
        )
        BuilderQuery.objects.create(template=template, text="{topic} {party}", text_en="{topic} {party}")
        call_command("demo_guide", verbosity=0)
        yield
        BuilderTemplate.objects.all().delete()
        Facet.objects.all().delete()
        GuideSection.objects.all().delete()


def press(reader: Reader, label: str) -> None:
    reader.page.locator(".builder-buttons label", has_text=label).click()


def test_from_the_builder_to_the_place_in_the_source(built: None, visit: Visit):
    reader = visit(width=390)
    page = reader.page
    page.locator("#builder summary").click()
    for label in ("Talpartei", "Hügelpartei", "Mindestlohn"):
        press(reader, label)
    # Pressed in this order, named by name.
    expect(page.locator("#id_question")).to_have_value("Was planen Hügelpartei und Talpartei beim Thema Mindestlohn?")
    page.locator(".builder-send button").click()
    page.locator(".answer:not(.is-open) .sentence").first.wait_for()
    expect(page.locator(".answer > .sentences h3.speaker")).to_have_text(["Hügelpartei", "Talpartei"])
    page.locator(".cite").first.focus()
    expect(page.locator(".cite .tip").first).to_be_visible()
    page.locator(".cite").first.press("Enter")
    page.wait_for_url(re.compile(r"/sources/.+#passage$"))
    expect(page.locator("#passage mark").first).to_be_in_viewport()


def test_an_answer_is_rated_reported_shared_and_taken_back(visit: Visit):
    reader = visit(width=1280)
    page = reader.page
    reader.ask(WAGE)
    page.get_by_role("button", name="Nein").click()
    page.get_by_label("einseitig").check()
    page.locator(".said-why textarea").fill("Es fehlt die dritte Partei.")
    page.locator(".said-why button").click()
    expect(page.locator(".said-thanks")).to_be_visible()
    page.locator(".said-sentences summary").click()
    page.locator(".said-sentences button").first.click()
    expect(page.locator(".said-sentences strong")).to_have_count(1)
    page.locator(".said-more form[action$='/share/'] button").evaluate("button => button.click()")
    link = page.locator("input[data-path]")
    expect(link).to_have_value(re.compile(f"^{re.escape(reader.base)}/shared/.+/$"))
    address = link.input_value()
    page.reload()
    expect(page.locator(".said-thanks")).to_be_visible()
    other = visit(width=390)
    other.page.goto(address)
    expect(other.page.locator(".question")).to_have_text(WAGE)
    expect(other.page.locator(".said")).to_have_count(0)
    page.locator(".said-more form[action$='/unshare/'] button").click()
    expect(page.locator("input[data-path]")).to_have_count(0)
    other.forgive("404")
    assert other.page.goto(address).status == 404


def test_an_answer_is_copied_with_its_numbers_and_the_addresses_of_its_sources(visit: Visit):
    reader = visit(width=390)
    page = reader.page
    reader.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=reader.base)
    reader.ask(WAGE)
    button = page.get_by_role("button", name="Mit Quellen kopieren")
    button.click()
    expect(page.get_by_role("button", name="Kopiert.")).to_be_visible()
    question, _, *lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert question == WAGE
    sentences, sources = lines[: lines.index("")], lines[lines.index("") + 1 :]
    assert any(re.fullmatch(r"„.*14 Euro.*“ \[\d\]", line) for line in sentences)
    assert [line[:3] for line in sources] == ["[1]", "[2]"]
    assert all(f"{reader.base}/sources/" in line for line in sources)


def test_a_stream_that_breaks_goes_on_where_it_broke_off(visit: Visit, monkeypatch: pytest.MonkeyPatch):
    streams: list[int] = []
    asked: list[str] = []
    real_stream = running.answer_stream
    may_go_on = threading.Event()

    async def slow_stream(**told):
        asked.append(told["question"].text)
        async for event in real_stream(**told):
            yield event
            if type(event).__name__ == "Sentence" and not may_go_on.is_set():
                while not may_go_on.is_set():
                    await asyncio.sleep(0.05)

    async def breaking(turn, viewer, seen=0):
        streams.append(seen)
        async for event in turn_events(turn, viewer, seen):
            yield event
            if event.event == "sentence" and len(streams) == 1:
                raise ConnectionResetError
        may_go_on.set()

    monkeypatch.setattr(running, "answer_stream", slow_stream)
    monkeypatch.setattr(views, "turn_events", breaking)
    reader = visit(width=1280)
    for words in ("ERR_", "[object Event]", "htmx:sseError"):
        reader.forgive(words)
    page = reader.page
    page.fill("#id_question", WAGE)
    page.press("#id_question", "Enter")
    page.locator(".is-open .sentence").first.wait_for()
    threading.Timer(6.0, may_go_on.set).start()
    page.locator(".answer:not(.is-open)").wait_for(timeout=20_000)
    assert len(streams) == 2
    assert streams[1] >= 1
    assert asked == [WAGE]
    words = page.locator(".answer .sentence q").all_inner_texts()
    assert len(words) == len(set(words))


@pytest.fixture
def foreign_site() -> Iterator[Callable[[str], str]]:
    """Another site on another port; returns a function that takes its page's body and returns its address."""
    body = {"html": ""}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(f"<!doctype html><title>Kurier</title>{body['html']}".encode())

        def log_message(self, *told: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def show(html: str) -> str:
        body["html"] = html
        return f"http://127.0.0.1:{server.server_address[1]}/artikel"

    yield show
    server.shutdown()


FOREIGN_HEIGHT = """() => new Promise((done) => {
  addEventListener("message", (event) => { if (event.data?.wegweiserHeight === 9000) done(); });
  const other = document.createElement("iframe");
  other.srcdoc = "<script>parent.postMessage({ wegweiserHeight: 9000 }, '*')</script>";
  document.body.append(other);
})"""


def test_inside_another_site_it_answers_without_a_cookie(built: None, chromium, foreign_site):
    with serving() as (base, _server):
        script = f'<script src="{base}/static/js/embed.js" data-topic="thema-lohn" data-accent="#004b87"></script>'
        address = foreign_site(f"<h1>Artikel</h1>{script}")
        with override_settings(EMBED_ORIGINS=[address.removesuffix("/artikel")]):
            context = chromium.new_context(viewport={"width": 390, "height": 800}, locale="de-DE")
            page = context.new_page()
            page.goto(address)
            frame = page.frame_locator("iframe")
            frame.locator("#id_question").fill(POSTAL)
            frame.locator("#ask-button").click()
            frame.locator(".answer:not(.is-open) .sentence").first.wait_for()
            expect(frame.locator(".said")).to_have_count(0)
            accent = frame.locator("#ask-button").evaluate("button => getComputedStyle(button).backgroundColor")
            assert accent == "rgb(0, 75, 135)"
            # As high as what is in it: nothing scrolls inside the frame.
            page.wait_for_function("Number(document.querySelector('iframe').height) > 430")
            page.wait_for_timeout(300)
            height = page.locator("iframe").get_attribute("height")
            page.wait_for_timeout(500)
            assert page.locator("iframe").get_attribute("height") == height
            # Who is not the frame may not set its height: the page itself, another site's frame.
            page.evaluate("postMessage({ wegweiserHeight: 9000 }, '*')")
            page.evaluate(FOREIGN_HEIGHT)
            page.wait_for_timeout(300)
            assert page.locator("iframe").first.get_attribute("height") == height
            assert context.cookies() == []
            context.close()
        with override_settings(EMBED_ORIGINS=["https://somebody-else.example"]):
            context = chromium.new_context()
            page = context.new_page()
            page.goto(address)
            page.wait_for_timeout(500)
            assert page.frames[1].url in ("", "about:blank", "chrome-error://chromewebdata/")
            context.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (320, "dark")])
def test_axe_finds_nothing_on_any_page_or_state(built: None, visit: Visit, settings, width: int, scheme: str):
    # The gallery shows every state, and only to developers.
    settings.DEBUG, settings.EMBED_ORIGINS = True, ["https://zeitung.example"]
    source = axe_source()
    reader = visit(width=width)
    page = reader.page
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    found: dict[str, list[str]] = {}

    def look(name: str) -> None:
        page.evaluate(OPEN_ALL)
        found[name] = examine(page, source)

    look("home")
    reader.ask(WAGE)
    look("answer")
    page.get_by_role("button", name="Nein").click()
    page.locator(".said-why").wait_for()
    page.evaluate(OPEN_ALL)
    page.locator(".said-more form[action$='/share/'] button").click()
    page.locator("input[data-path]").wait_for()
    look("said and shared")
    shared = page.locator("input[data-path]").input_value()
    reader.ask("Wie hoch ist der Mount Everest?")
    look("refusal")
    source_page = page.locator(".cite").first.get_attribute("href")
    pages = {"shared": shared, "source": f"{reader.base}{source_page}", "gallery": f"{reader.base}/gallery/"}
    for name, address in pages.items():
        assert page.goto(address).status == 200
        look(name)
    settings.DEBUG = False
    for path in ("/how-it-works/", "/nichts/", "/embed/?topic=thema-lohn"):
        reader.forgive("404")
        page.goto(f"{reader.base}{path}")
        look(path)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
