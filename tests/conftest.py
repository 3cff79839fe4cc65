"""Shared by all tests: real servers underneath, a deterministic embedder, no leftovers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from uuid import uuid4

import pytest
from pytest_django import DjangoDbBlocker
from pytest_django.plugin import blocking_manager_key

GROUP_MIGRATIONS = (
    ("apps.core.migrations.0001_groups", "create_groups"),
    ("apps.rules.migrations.0003_groups", "give_permissions"),
    ("apps.answering.migrations.0003_groups", "give_permissions"),
    ("apps.answering.migrations.0004_bench", "give_permission"),
    ("apps.querylog.migrations.0005_groups", "give_permissions"),
    ("apps.querylog.migrations.0010_access", "give_permissions"),
    ("apps.chat.migrations.0002_groups", "give_permissions"),
    ("apps.evaluation.migrations.0002_groups", "give_permissions"),
)

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("EMBEDDER", "fake")


def pytest_configure(config: pytest.Config) -> None:
    """Hold a lease on the embedded servers for the whole run."""
    from django.conf import settings

    from apps.config.servers import ensure_servers

    ensure_servers()
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


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Bring back the groups that the migrations made: a transactional test has emptied every table."""
    yield
    marker = item.get_closest_marker("django_db")
    fixtures = getattr(item, "fixturenames", ())
    is_transactional = (marker and marker.kwargs.get("transaction")) or "transactional_db" in fixtures
    # After the last test there is no test database any more.
    if nextitem is None or not is_transactional:
        return
    from django.apps import apps

    with item.config.stash[blocking_manager_key].unblock():
        for module, step in GROUP_MIGRATIONS:
            getattr(import_module(module), step)(apps, None)


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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--run-quickstart", action="store_true", help="run the command quickstart on a copy of the tree")
