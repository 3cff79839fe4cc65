"""Which versions of a source readers may read: what was searched once, and nothing that never was."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse

from apps.documents.indexing import index_version
from apps.documents.indexing.running import reject_version
from apps.documents.models import Document, DocumentVersion
from tests.documents.builders import PROGRAMME, ready, receive

pytestmark = pytest.mark.django_db

ADDRESS = "https://partei.example/programm"


def status(client: Client, document: Document, number: int) -> int:
    return client.get(reverse("documents:reading", args=[document.uuid, number, 0])).status_code


def next_version(words: str) -> DocumentVersion:
    return receive(f"{PROGRAMME}\n{words}\n", facts={"address": ADDRESS}).version


@pytest.fixture
def document() -> Document:
    return ready(facts={"address": ADDRESS})


@pytest.fixture
def boss() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("boss"))
    return client


def test_a_version_that_was_rejected_before_readers_saw_it_stays_with_the_desk(client, boss, document):
    second = next_version("Das ist noch geheim.")
    DocumentVersion.objects.filter(pk=second.pk).update(text="Das ist noch geheim.")
    reject_version(second, "embedding", "The embedder refused the text.")
    assert [status(client, document, number) for number in (1, 2)] == [200, 404]
    assert status(boss, document, 2) == 200


def test_a_version_that_was_overtaken_before_readers_saw_it_stays_with_the_desk(client, boss, document):
    second = next_version("Das ist noch geheim.")
    DocumentVersion.objects.filter(pk=second.pk).update(text="Das ist noch geheim.")
    index_version(next_version("Das ist fertig.").pk)
    assert [status(client, document, number) for number in (1, 2, 3)] == [200, 404, 200]
    assert status(boss, document, 2) == 200


def test_versions_that_are_current_already_count_as_seen(document):
    next_version("Das ist noch geheim.")
    DocumentVersion.objects.update(was_current=False)
    migration = importlib.import_module("apps.documents.migrations.0011_version_was_current")
    migration.mark_current(apps, connection.schema_editor())
    assert list(DocumentVersion.objects.order_by("number").values_list("was_current", flat=True)) == [True, False]
