"""Tasks: gone rows are quiet, passing errors are tried again, others end with a sentence."""

from __future__ import annotations

import pytest
from celery.exceptions import Retry, SoftTimeLimitExceeded
from django.db import OperationalError

from apps.documents import embedding, tasks
from apps.documents.embedding.endpoint import EmbeddingError
from apps.documents.models import Document, Feed
from apps.documents.reasons import REASONS
from apps.documents.services import DocumentFacts, addresses
from apps.rag.fakes import HashEmbedder
from tests.documents.builders import receive, shelf

pytestmark = pytest.mark.django_db


class _Away(HashEmbedder):
    def __init__(self, error: Exception) -> None:
        self.error = error

    def embed_passages(self, texts):
        raise self.error


def _run(task, *arguments, retries=0):
    return task.apply(args=arguments, retries=retries, throw=True).result


def test_indexing_by_id():
    receipt = receive()
    assert _run(tasks.version_index, receipt.version.pk) == "ready"
    assert _run(tasks.version_index, receipt.version.pk) == "done"


@pytest.mark.parametrize(("task", "said"), [(tasks.version_index, "done"), (tasks.feed_fetch, "gone")])
def test_a_row_that_is_gone_ends_quietly(task, said):
    assert _run(task, 987_654) == said


@pytest.mark.parametrize("error", [OperationalError("away"), EmbeddingError("away", permanent=False)])
def test_what_may_pass_is_tried_again_later(monkeypatch, error):
    monkeypatch.setattr(embedding, "_embedder", _Away(error))
    waits = []

    def retry(*, exc, countdown):
        waits.append(countdown)
        return Retry(exc=exc)

    monkeypatch.setattr(tasks.version_index, "retry", retry)
    receipt = receive()
    with pytest.raises(Retry):
        tasks.version_index.run(receipt.version.pk)
    assert 1 <= waits[0] <= 600
    assert Document.objects.get().pending_version_id == receipt.version.pk


def test_after_the_last_attempt_the_document_says_why(monkeypatch):
    monkeypatch.setattr(embedding, "_embedder", _Away(EmbeddingError("away", permanent=False)))
    receipt = receive()
    with pytest.raises(EmbeddingError):
        _run(tasks.version_index, receipt.version.pk, retries=6)
    document = Document.objects.get()
    assert (document.status, document.reason_code) == ("rejected", "unavailable")


def test_every_task_has_time_limits():
    for task in (tasks.version_index, tasks.feed_fetch, tasks.feeds_refresh, tasks.documents_resume):
        assert 0 < task.soft_time_limit < task.time_limit <= 3600


def test_only_active_feeds_are_queued_at_night(monkeypatch):
    ids: list[int] = []
    monkeypatch.setattr(tasks.feed_fetch, "delay_on_commit", ids.append)
    active = Feed.objects.create(address="https://example.org/1", collection=shelf())
    Feed.objects.create(address="https://example.org/2", collection=shelf(), is_active=False)
    assert _run(tasks.feeds_refresh) == 1
    assert ids == [active.pk]


@pytest.mark.parametrize(
    ("error", "code"), [(RuntimeError("secret details"), "failed"), (SoftTimeLimitExceeded(), "timeout")]
)
def test_what_nobody_foresaw_stands_on_the_feed(monkeypatch, error, code):
    def fetch(*_, **__):
        raise error

    monkeypatch.setattr(addresses, "_fetch", fetch)
    feed = Feed.objects.create(address="https://example.org/1", collection=shelf())
    assert _run(tasks.feed_fetch, feed.pk) == "failed"
    feed.refresh_from_db()
    assert feed.error == str(REASONS[code])
    assert feed.fetched_at is not None
    Feed.objects.all().delete()
    assert _run(tasks.address_fetch, feed.address, shelf().pk, DocumentFacts().to_message()) == "failed"
    assert Feed.objects.get().error == str(REASONS[code])


def test_nothing_stands_still_in_an_empty_house():
    assert _run(tasks.documents_resume) == 0
