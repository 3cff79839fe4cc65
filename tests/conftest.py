"""Shared by all tests: real servers underneath, a deterministic embedder, no leftovers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from pytest_django import DjangoDbBlocker

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("EMBEDDER", "fake")


def pytest_configure(config: pytest.Config) -> None:
    """Hold a lease on the embedded servers for the whole run."""
    from django.conf import settings

    from apps.config.servers import ensure_servers
    from tests.emptying import empty_quickly

    ensure_servers()
    empty_quickly()
    settings.EMBEDDER = "fake"
    # Two runs at once must not share a test database.
    settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = f"test_wegweiser_{os.getpid()}"


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Drop what killed runs left behind, and let no thread's forgotten session keep our database from being dropped."""
    from apps.core.measuring import drop_leftovers, end_other_sessions

    with django_db_blocker.unblock():
        drop_leftovers("test_wegweiser_")
    yield
    with django_db_blocker.unblock():
        end_other_sessions()


@pytest.fixture(scope="session")
def data_sets() -> Path:
    """Return the folder of the public data sets, or skip."""
    folder = os.environ.get("EVALUATION_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("EVALUATION_DATA does not name a folder with the data sets.")
    return Path(folder)


@pytest.fixture(autouse=True)
def _own_media(settings: object, tmp_path_factory: pytest.TempPathFactory) -> None:
    settings.MEDIA_ROOT = tmp_path_factory.getbasetemp() / "media"  # type: ignore[attr-defined]
    # One for each test: they give different files the same checksum.
    settings.PAGE_CACHE_DIR = tmp_path_factory.getbasetemp() / "pages" / uuid4().hex  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _own_rules() -> None:
    """A release or settings that one test has made live must not answer the next one's questions."""
    for name in ("apps.rules.live", "apps.answering.live_settings"):
        live = sys.modules.get(name)
        if live is not None:
            live.forget()


@pytest.fixture(autouse=True)
def _own_sources() -> None:
    """The sources of two tests may have the same version."""
    keeping = sys.modules.get("apps.documents.search.keeping")
    if keeping is not None:
        keeping.forget()


@pytest.fixture(autouse=True)
def _own_language() -> None:
    """A page leaves its reader's language behind: the next test begins in the house's."""
    from django.utils import translation

    translation.deactivate()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--run-quickstart", action="store_true", help="run the command quickstart on a copy of the tree")
