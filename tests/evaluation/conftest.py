"""The evaluation's words are looked for in English; nothing is queued for a worker that is not there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils import translation

from apps.evaluation import tasks
from tests.evaluation.building import login


@pytest.fixture(autouse=True)
def _in_english(settings: object) -> Iterator[None]:
    settings.LANGUAGE_CODE = "en"  # type: ignore[attr-defined]
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def queued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    ids: list[int] = []
    monkeypatch.setattr(tasks.run_advance, "delay_on_commit", ids.append)
    return ids


@pytest.fixture
def evaluator(client: Client, db: None) -> Client:
    return login(client, "evaluator")
