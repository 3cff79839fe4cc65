"""Hostile words in titles, questions, passages, a model's and editors' sentences: no page runs or calls them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone

from apps.chat.gallery import gallery_citation, gallery_notice, gallery_sentence
from apps.chat.models import Facet, GuideSection, SharedAnswer
from apps.chat.reader import COOKIE
from apps.documents.models import Collection, Document, DocumentVersion, Party
from apps.querylog.models import Conversation, Turn
from apps.querylog.ownership import new_token, owner_of
from tests.browser.conftest import Visit
from tests.browser.payloads import EVIL, PAYLOADS

# Rolled back with each test; what the server reads is written by the fixture below and taken out again.
pytestmark = [pytest.mark.browser, pytest.mark.django_db]
ALL = " ".join(PAYLOADS)
TOKEN = new_token()


@pytest.fixture(scope="module")
def hostile(corpus: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[list[str]]:
    """Everything that a page shows, made of payloads, for the server's threads too; returns the pages."""
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        yield _write()
        _remove()


def _remove() -> None:
    Conversation.objects.filter(owner=owner_of(TOKEN)).delete()
    Facet.objects.filter(slug="hostile").delete()
    GuideSection.objects.filter(slug="hostile").delete()
    Document.objects.filter(collection__slug="hostile").update(current_version=None, status="queued")
    Document.objects.filter(collection__slug="hostile").delete()
    Collection.objects.filter(slug="hostile").delete()
    Party.objects.filter(slug="hostile").delete()


def _write() -> list[str]:
    shelf = Collection.objects.create(slug="hostile", name="<script>alert(2)</script>")
    party = Party.objects.create(slug="hostile", name=ALL[:120], short_name=PAYLOADS[0][:30], colour="#000000")
    document = Document.objects.create(title=ALL[:300], collection=shelf, party=party, author=PAYLOADS[2][:100])
    document.address = f"javascript:fetch('//{EVIL}')"
    blocks = [["paragraph", 0, 0, len(ALL), None, None, 0]]
    document.current_version = DocumentVersion.objects.create(document=document, number=1, text=ALL, blocks=blocks)
    document.status = Document.Status.READY
    document.save()
    Facet.objects.create(kind="topic", slug="hostile", label=PAYLOADS[11][:40], label_en="x")
    GuideSection.objects.create(slug="hostile", title=ALL[:120], title_en="x", text="\n\n".join(PAYLOADS), text_en="x")
    owner = Conversation.objects.create(owner=owner_of(TOKEN), session_day="x")
    shown = [_said(words) for words in PAYLOADS]
    shown += [
        gallery_notice("refusal", "not_enough", text=ALL, choices=PAYLOADS[:5], subjects=PAYLOADS[:3], links=_links())
    ]
    values = {"state": Turn.State.DONE, "finished_at": timezone.now(), "outcome": "answered", "language": "de"}
    turn = Turn.objects.create(conversation=owner, number=1, question=ALL[:500], shown=shown, **values)
    shared = SharedAnswer.objects.create(turn=turn, question=ALL[:500], shown=shown)
    return [
        "/",
        f"/conversations/{owner.uuid}/",
        f"/shared/{shared.key}/",
        f"/sources/{document.uuid}/1/0-{len(ALL)}/",
        "/how-it-works/",
    ]


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
def test_no_page_runs_or_calls_what_it_shows(hostile: list[str], visit: Visit, scripts: bool):
    reader = visit(width=1280, scripts=scripts)
    reader.context.add_cookies([{"name": COOKIE, "value": TOKEN, "url": reader.base}])
    page = reader.page
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for address in hostile:
        assert page.goto(f"{reader.base}{address}").status == 200
        page.wait_for_load_state("networkidle")
        text = page.locator("main").inner_text()
        assert "<script>alert(1)</script>" in text or address == "/"
        hrefs = page.locator("a[href]").evaluate_all("links => links.map(link => link.href)")
        assert not [href for href in hrefs if href.startswith(("javascript:", "data:"))]
        assert page.url.startswith(reader.base)
    assert dialogs == []
    assert not [url for url in reader.requests if EVIL in url]
