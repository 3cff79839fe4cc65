"""Pictures of pages on disk: drawn once, never more than fits, no harm when the disk refuses."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.documents import page_cache, views
from apps.documents.page_cache import cached_page, forget_pages, sweep_pages
from apps.documents.page_images import PageImageError
from tests.documents.source_building import image_address, written_source


def never() -> bytes:
    raise AssertionError("drawn again")


@pytest.mark.django_db
def test_a_page_is_drawn_for_the_first_reader_only(client, monkeypatch):
    version = written_source()
    first = client.get(image_address(version))
    monkeypatch.setattr(views, "render_page", lambda *_: never())
    assert client.get(image_address(version)).content == first.content


@pytest.mark.django_db
def test_a_page_picture_leaves_the_text_in_the_database(client):
    version = written_source()
    with CaptureQueriesContext(connection) as queries:
        assert client.get(image_address(version)).status_code == 200
    asked = " ".join(query["sql"] for query in queries)
    assert '"documents_documentversion"."checksum"' in asked
    assert '"documents_documentversion"."text"' not in asked
    assert '"documents_documentversion"."blocks"' not in asked


def test_files_and_pages_are_kept_apart_until_a_file_is_gone(settings):
    for checksum, number in [("a" * 64, 1), ("a" * 64, 2), ("b" * 64, 1)]:
        cached_page(checksum, number, lambda name=f"{checksum}{number}": name.encode())
    assert cached_page("a" * 64, 2, never) == b"a" * 64 + b"2"
    forget_pages("a" * 64)
    assert cached_page("b" * 64, 1, never) == b"b" * 64 + b"1"
    assert cached_page("a" * 64, 2, lambda: b"new") == b"new"


def test_a_page_that_cannot_be_drawn_is_not_kept(settings):
    def broken() -> bytes:
        raise PageImageError("broken")

    with pytest.raises(PageImageError):
        cached_page("a" * 64, 1, broken)
    assert cached_page("a" * 64, 1, lambda: b"whole") == b"whole"


def test_the_oldest_pictures_go_first(settings, monkeypatch):
    for number in range(1, 5):
        cached_page("a" * 64, number, lambda: b"x" * 10)
    for path in Path(settings.PAGE_CACHE_DIR).glob("*/*/*"):
        age = int(path.name.partition("-")[0])
        os.utime(path, (age, age))
    monkeypatch.setattr(page_cache, "MOST_BYTES", 25)
    sweep_pages()
    assert sorted(path.name[0] for path in Path(settings.PAGE_CACHE_DIR).glob("*/*/*")) == ["3", "4"]


def test_the_cache_bounds_itself(settings, monkeypatch):
    monkeypatch.setattr(page_cache, "MOST_BYTES", 25)
    for number in range(200):
        cached_page("a" * 64, number, lambda: b"x" * 10)
    assert len(list(Path(settings.PAGE_CACHE_DIR).glob("*/*/*"))) < 60


def test_a_disk_that_refuses_costs_no_picture(settings, tmp_path):
    settings.PAGE_CACHE_DIR = tmp_path / "file"
    settings.PAGE_CACHE_DIR.write_bytes(b"")
    assert cached_page("a" * 64, 1, lambda: b"drawn") == b"drawn"
