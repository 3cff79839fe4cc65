"""Hostile words in titles, questions, passages, a model's and editors' sentences: no page runs or calls them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page

from apps.chat import running
from apps.chat.gallery import gallery_citation, gallery_notice, gallery_sentence
from apps.chat.models import Facet, GuideSection, SharedAnswer
from apps.chat.reader import COOKIE
from apps.documents.models import Collection, Document, DocumentVersion, Party
from apps.querylog.models import Conversation, Turn
from apps.querylog.ownership import new_token, owner_of
from apps.rag.events import Decided, Done, Notice
from apps.rag.types import Decision, NoticeKind, Outcome
from tests.browser.conftest import Reader, Visit
from tests.browser.payloads import EVIL, PAYLOADS
from tests.chat.conftest import cited

# Rolled back with each test; what the server reads is written by the fixture below and taken out again.
pytestmark = [pytest.mark.browser, pytest.mark.django_db]
ALL = " ".join(PAYLOADS)
TOKEN = new_token()


@dataclass(frozen=True, slots=True)
class Hostile:
    """Addresses of readers' pages and of the back office, and the cookies of one who may see all of it."""

    pages: list[str]
    back_office: list[str]
    cookies: dict[str, str]


@pytest.fixture(scope="module")
def hostile(corpus: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[Hostile]:
    """Everything that a page shows, made of payloads, for the server's threads too."""
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        pages, rows = _write()
        chief = User.objects.create_superuser("hostile", first_name=PAYLOADS[0], last_name=PAYLOADS[2])
        client = Client()
        client.force_login(chief)
        yield Hostile(pages, _back_office(rows), {name: each.value for name, each in client.cookies.items()})
        chief.delete()
        _remove()


def _back_office(rows: Sequence[Model]) -> list[str]:
    """The lists of the back office, searched for a payload, and the page of each row."""
    lists = [
        f"{reverse(f'admin:{model._meta.app_label}_{model._meta.model_name}_changelist')}?q={quote(PAYLOADS[0])}"
        for model in admin.site._registry
    ]
    return [reverse("admin:index"), *lists] + [
        reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk]) for row in rows
    ]


def _remove() -> None:
    Conversation.objects.filter(owner=owner_of(TOKEN)).delete()
    Facet.objects.filter(slug="hostile").delete()
    GuideSection.objects.filter(slug="hostile").delete()
    Document.objects.filter(collection__slug="hostile").update(current_version=None, status="queued")
    Document.objects.filter(collection__slug="hostile").delete()
    Collection.objects.filter(slug="hostile").delete()
    Party.objects.filter(slug="hostile").delete()


def _write() -> tuple[list[str], list[Model]]:
    shelf = Collection.objects.create(slug="hostile", name="<script>alert(2)</script>")
    party = Party.objects.create(slug="hostile", name=ALL[:120], short_name=PAYLOADS[0][:30], colour="#000000")
    document = Document.objects.create(title=ALL[:300], collection=shelf, party=party, author=PAYLOADS[2][:100])
    document.address = f"javascript:fetch('//{EVIL}')"
    blocks = [["paragraph", 0, 0, len(ALL), None, None, 0]]
    document.current_version = DocumentVersion.objects.create(document=document, number=1, text=ALL, blocks=blocks)
    document.status = Document.Status.READY
    document.save()
    facet = Facet.objects.create(kind="topic", slug="hostile", label=PAYLOADS[11][:40], label_en="x")
    section = GuideSection.objects.create(
        slug="hostile", title=ALL[:120], title_en="x", text="\n\n".join(PAYLOADS), text_en="x"
    )
    owner = Conversation.objects.create(owner=owner_of(TOKEN), session_day="x")
    shown = [_said(words) for words in PAYLOADS]
    shown += [
        gallery_notice("refusal", "not_enough", text=ALL, choices=PAYLOADS[:5], subjects=PAYLOADS[:3], links=_links())
    ]
    values = {"state": Turn.State.DONE, "finished_at": timezone.now(), "outcome": "answered", "language": "de"}
    turn = Turn.objects.create(conversation=owner, number=1, question=ALL[:500], shown=shown, **values)
    shared = SharedAnswer.objects.create(turn=turn, question=ALL[:500], shown=shown)
    pages = [
        "/",
        f"/conversations/{owner.uuid}/",
        f"/shared/{shared.key}/",
        f"/sources/{document.uuid}/1/0-{len(ALL)}/",
        "/how-it-works/",
    ]
    return pages, [shelf, party, document, facet, section, turn]


def _said(words: str) -> dict[str, object]:
    citation = gallery_citation(1, kind="opinion", party="")
    for name in ("title", "author", "publisher", "party_name"):
        citation["source"][name] = words
    citation["heading_path"] = [words]
    return {**gallery_sentence(words, citation), "group": words}


def _links() -> list[dict[str, str]]:
    addresses = ["javascript:alert(1)", f"data:text/html,<script src=//{EVIL}>", f"https://{EVIL}/a"]
    return [{"address": each, "title": PAYLOADS[1], "teaser": PAYLOADS[3], "picture": ""} for each in addresses]


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_no_page_runs_or_calls_what_it_shows(hostile: Hostile, visit: Visit, scripts: bool):
    reader = visit(width=1280, scripts=scripts)
    reader.context.add_cookies([{"name": COOKIE, "value": TOKEN, "url": reader.base}])
    with unharmed(reader) as page:
        for address in hostile.pages:
            assert page.goto(f"{reader.base}{address}").status == 200
            page.wait_for_load_state("networkidle")
            assert "<script>alert(1)</script>" in page.locator("main").inner_text() or address == "/"
            no_link_runs(page)


def test_no_page_of_the_back_office_runs_or_calls_what_it_shows(hostile: Hostile, visit: Visit):
    reader = visit(width=1280)
    reader.context.add_cookies(
        [{"name": name, "value": value, "url": reader.base} for name, value in hostile.cookies.items()]
    )
    with unharmed(reader) as page:
        for address in hostile.back_office:
            assert page.goto(f"{reader.base}{address}").status == 200
            no_link_runs(page)


def test_what_a_model_says_is_shown_and_not_run_while_it_streams(visit: Visit, monkeypatch: pytest.MonkeyPatch):
    async def answer_stream(*, question, history, context, may_be_cached):
        yield Decided(Decision.SEARCH_AS_IS, question.text)
        for words in PAYLOADS:
            yield cited(words, group=words)
        yield Notice(NoticeKind.CAVEAT, "not_enough", text=ALL, choices=tuple(PAYLOADS))
        yield Done(Outcome.ANSWERED, {})

    monkeypatch.setattr(running, "answer_stream", answer_stream)
    reader = visit(width=390)
    with unharmed(reader) as page:
        page.fill("#id_question", ALL[:450])
        page.press("#id_question", "Enter")
        page.locator("article.turn .answer:not(.is-open)").wait_for(timeout=60_000)
        assert page.evaluate("window.streamed").count("sentence") == len(PAYLOADS)
        assert page.locator(".answer .sentence q").count() == len(PAYLOADS)
        page.reload()
        assert page.locator(".answer .sentence q").count() == len(PAYLOADS)
        no_link_runs(page)


def test_what_stands_in_an_address_or_a_form_is_not_run(visit: Visit, settings):
    settings.EMBED_ORIGINS = ["https://zeitung.example"]
    reader = visit(width=390)
    for words in ("403", "404", "422"):
        reader.forgive(words)
    with unharmed(reader) as page:
        for words in PAYLOADS:
            told = quote(words, safe="")
            names = ("topic", "party", "lang", "scheme", "accent", "paper", "ink")
            page.goto(f"{reader.base}/embed/?{'&'.join(f'{name}={told}' for name in names)}")
            page.goto(f"{reader.base}/shared/{told}/")
            page.goto(f"{reader.base}/?deleted={told}&choice={told}")
        page.fill("#id_question", ALL * 2)
        page.evaluate("document.getElementById('csrf-token').value = 'x'")
        page.evaluate("document.getElementById('ask').submit()")
        page.locator("#form-message .problem").wait_for()
        assert "<script>alert(1)</script>" in page.locator("#id_question").input_value()


@contextmanager
def unharmed(reader: Reader) -> Iterator[Page]:
    """Give the window, and hold against it what it ran or called meanwhile."""
    dialogs: list[str] = []
    reader.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    yield reader.page
    assert dialogs == []
    assert not [url for url in reader.requests if urlsplit(url).hostname == EVIL]
    assert reader.page.url.startswith(reader.base)


def no_link_runs(page: Page) -> None:
    hrefs = page.locator("a[href]").evaluate_all("links => links.map(link => link.href)")
    assert not [href for href in hrefs if href.startswith(("javascript:", "data:"))]
