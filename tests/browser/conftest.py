"""A real Chromium in front of a real ASGI server on the test database."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
import uvicorn
from django.core.asgi import get_asgi_application
from django.db import connection
from django.test import override_settings
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.browser.corpus import corpus_index
from tests.emptying import empty_database

CHROMIUM = "chromium"
# No sandbox: the tests may run as root in a container. The rest keeps the browser from calling home.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# What the page got over its stream, in order.
LISTEN = """
window.streamed = [];
document.addEventListener("htmx:sseMessage", (event) => window.streamed.push(event.detail.type));
document.addEventListener("securitypolicyviolation", (event) => console.error("Policy: " + event.violatedDirective));
"""


@dataclass(slots=True)
class Reader:
    """A browser window with what went wrong in it."""

    page: Page
    context: BrowserContext
    base: str
    forgiven: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def forgive(self, words: str) -> None:
        """Expect a console message that holds these words."""
        self.forgiven.append(words)

    def ask(self, question: str) -> None:
        """Type a question, press Enter and wait for the whole answer."""
        before = self.page.locator("article.turn").count()
        self.page.fill("#id_question", question)
        self.page.press("#id_question", "Enter")
        self.page.locator("article.turn").nth(before).locator(".answer:not(.is-open)").wait_for()

    def problems(self) -> list[str]:
        """Return the messages nobody expected and the requests to other hosts."""
        said = [text for text in self.messages if not any(words in text for words in self.forgiven)]
        return said + [url for url in self.requests if not url.startswith((f"{self.base}/", "data:"))]


Visit = Callable[..., Reader]


@contextmanager
def serving() -> Iterator[tuple[str, uvicorn.Server]]:
    """Serve the application from a thread of this process, which therefore shares the test database."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(get_asgi_application(), lifespan="off", log_level="error", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", server
    finally:
        server.should_exit = True
        thread.join(timeout=15)
        listener.close()


@pytest.fixture(scope="package")
def corpus(
    django_db_setup: None, django_db_blocker: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Index the corpus once for all tests here. Not in a transaction: the server's threads read it."""
    # Without a test that is marked django_db there is no test database, and this would be the operator's.
    assert connection.settings_dict["NAME"].startswith("test_")
    # Where every test keeps its files (see tests/conftest.py); a test's own setting comes too late for this fixture.
    files = override_settings(MEDIA_ROOT=tmp_path_factory.getbasetemp() / "media")
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        with files:
            corpus_index()
        yield
        # Words, releases, log lines: tests elsewhere begin with nothing.
        empty_database()


@pytest.fixture(scope="package")
def server(corpus: None) -> Iterator[str]:
    with serving() as (base, _server):
        yield base


@pytest.fixture(scope="package")
def chromium(corpus: None) -> Iterator[Browser]:
    path = shutil.which(CHROMIUM)
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is not installed (package chromium).")
        pytest.skip("Chromium is not installed (package chromium).")
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Playwright keeps a loop in this thread, where pytest opens and rolls back each test's transaction.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_reader(chromium: Browser) -> Iterator[Callable[..., Reader]]:
    """Return a function that opens a window; at the end no window may have complained."""
    readers: list[Reader] = []

    def open_window(base: str, *, width: int = 1280, scripts: bool = True) -> Reader:
        context = chromium.new_context(
            viewport={"width": width, "height": 800}, java_script_enabled=scripts, locale="de-DE"
        )
        context.set_default_timeout(10_000)
        context.add_init_script(LISTEN)
        reader = Reader(context.new_page(), context, base)
        context.on("console", lambda message: _note(reader, message))
        context.on("weberror", lambda error: reader.messages.append(str(error.error)))
        context.on("request", lambda request: reader.requests.append(request.url))
        readers.append(reader)
        reader.page.goto(f"{base}/")
        return reader

    yield open_window
    problems = [problem for reader in readers for problem in reader.problems()]
    for reader in readers:
        reader.context.close()
    assert problems == []


def _note(reader: Reader, message: ConsoleMessage) -> None:
    if message.type in ("error", "warning"):
        reader.messages.append(message.text)


@pytest.fixture
def visit(open_reader: Callable[..., Reader], server: str) -> Visit:
    """Return a function that opens the first screen of the shared server."""

    def visit(**options: object) -> Reader:
        return open_reader(server, **options)

    return visit
