"""The back office in a window as wide as a small laptop and as a phone."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.documents.models import Collection, Document, Party

pytestmark = [pytest.mark.browser, pytest.mark.django_db]


@pytest.fixture(scope="module")
def cookies(corpus, django_db_blocker):
    """Log a chief editor in and fill the list, outside of a test's transaction: the server's threads read it."""
    with django_db_blocker.unblock():
        chief = User.objects.create_superuser("window")
        client = Client()
        client.force_login(chief)
        rejected = Document.objects.create(
            title="Mieten steigen in allen Städten: Was die Parteien dagegen tun wollen und was Fachleute davon halten",
            kind="explainer",
            collection=Collection.objects.get(slug="browser"),
            party=Party.objects.get(slug="huegel"),
            status="rejected",
            reason_code="damaged",
            reason="The file is damaged.",
        )
        yield {name: cookie.value for name, cookie in client.cookies.items()}
        rejected.delete()
        chief.delete()


@pytest.fixture
def editor(visit, cookies):
    """Return a function that opens the list of documents in a window of a width."""

    def open_window(width: int):
        reader = visit(width=width)
        reader.context.add_cookies([{"name": n, "value": v, "url": reader.base} for n, v in cookies.items()])
        reader.page.goto(f"{reader.base}/admin/documents/document/")
        reader.page.locator(".result-list").wait_for()
        return reader.page

    return open_window


def test_the_list_of_documents_fits_beside_the_menu(editor):
    table = editor(1280).locator(".result-list")
    right, room = table.evaluate("table => [table.scrollWidth, table.parentElement.clientWidth]")
    assert right <= room


def test_a_phone_shows_all_words_of_a_row(editor):
    page = editor(390)
    cut = page.locator(".result-list td, .result-list tbody th").evaluate_all(
        "cells => cells.filter(cell => cell.scrollHeight > cell.clientHeight + 1).length"
    )
    assert cut == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_choosing_a_file_writes_its_name_into_no_field_of_the_form(editor):
    page = editor(1280)
    page.goto(page.url.rstrip("/") + "/add/")
    page.set_input_files("input[type=file]", {"name": "probe.txt", "mimeType": "text/plain", "buffer": b"text"})
    page.locator("input[disabled][value='probe.txt']").wait_for()
    named = page.locator("input[name]:not([type=file]):not([type=hidden])")
    assert "probe.txt" not in named.evaluate_all("fields => fields.map(field => field.value)")
