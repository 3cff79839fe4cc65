"""Pictures of printed pages: drawn from the stored file, sent once, never for other formats or other eyes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.files.base import ContentFile
from django.db import connection

from apps.documents import views
from apps.documents.models import DocumentVersion, Page
from apps.documents.page_images import render_page
from tests.documents.pdf_files import printed
from tests.documents.source_building import address, image_address, written_source

pytestmark = pytest.mark.django_db


@pytest.fixture
def version() -> DocumentVersion:
    return written_source()


def test_a_page_picture_is_a_png_that_is_sent_once(client, version):
    first = client.get(image_address(version))
    assert first.status_code == 200
    assert first["Content-Type"] == "image/png"
    assert first.content.startswith(b"\x89PNG")
    assert "private" in first["Cache-Control"]
    again = client.get(image_address(version), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(image_address(version), headers={"If-None-Match": '"other"'}).status_code == 200


def test_many_readers_at_once_get_the_same_picture():
    pdf = printed([["# Eins", "Zwei und drei."], ["# Vier", "Fünf und sechs."]])
    alone = [render_page(pdf, 1), render_page(pdf, 2)]
    with ThreadPoolExecutor(4) as readers:
        pictures = list(readers.map(lambda number: render_page(pdf, number), [1, 2] * 8))
    assert pictures == alone * 8


@pytest.mark.parametrize("number", [0, 2, 10**30])
def test_an_unknown_page_has_no_picture(client, version, number):
    assert client.get(image_address(version, number)).status_code == 404


def test_a_lost_or_damaged_file_leaves_the_text_readable(client, version):
    Page.objects.create(version=version, number=5, width=420, height=595)
    assert client.get(image_address(version, 5)).status_code == 404
    version.file.storage.delete(version.file.name)
    assert client.get(image_address(version)).status_code == 404
    version.file.storage.save(version.file.name, ContentFile(b"%PDF-1.7 broken"))
    assert client.get(image_address(version)).status_code == 404
    assert client.get(address(version)).status_code == 200


def test_a_page_picture_needs_few_queries(client, version, django_assert_num_queries):
    with django_assert_num_queries(3):
        client.get(image_address(version))


@pytest.mark.django_db(transaction=True)
def test_who_waits_for_a_picture_holds_no_connection(client, version, monkeypatch):
    held: list[bool] = []

    def drawn(*_: object) -> bytes:
        held.append(connection.connection is not None)
        return b""

    monkeypatch.setattr(views, "render_page", drawn)
    monkeypatch.setattr(views, "page_letters", lambda *_: held.append(connection.connection is not None) or [])
    assert client.get(image_address(version)).status_code == 200
    assert client.get(address(version)).status_code == 200
    assert held == [False, False]
