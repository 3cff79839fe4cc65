"""Celery tasks: fetch by id, call one work function. Everything may be delivered twice and leaves the same rows."""

from __future__ import annotations

import logging
import random
from typing import Any

from celery import Task, shared_task
from celery.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

logger = logging.getLogger(__name__)

_ATTEMPTS = 6


class PatientTask(Task):  # type: ignore[type-arg]
    """A task whose broker may be away: what was to be queued is found by ``documents_resume`` later."""

    abstract = True

    def delay_on_commit(self, *arguments: Any) -> None:
        """Queue after the transaction; a broker that does not answer is logged and breaks no editor's page."""

        def queue() -> None:
            self.delay(*arguments)

        transaction.on_commit(queue, robust=True)


@shared_task(
    name="documents.version_index",
    base=PatientTask,
    bind=True,
    max_retries=_ATTEMPTS,
    soft_time_limit=3300,
    time_limit=3600,
)
def version_index(self: Task[..., Any], version_id: int) -> str:
    """Parse, cut, embed and swap one version; ask again later when the database or the embedder is away."""
    from apps.documents.embedding.endpoint import EmbeddingError
    from apps.documents.indexing import index_version

    try:
        return index_version(version_id).value
    except (OperationalError, InterfaceError, EmbeddingError) as error:
        if self.request.retries >= _ATTEMPTS:
            _give_up(version_id, error)
            raise
        # Full jitter, at most ten minutes: many workers that were refused together must not come back together.
        raise self.retry(exc=error, countdown=random.uniform(1, min(600, 5 * 2**self.request.retries))) from error


@shared_task(name="documents.address_fetch", base=PatientTask, soft_time_limit=3300, time_limit=3600)
def address_fetch(address: str, collection_id: int, facts: dict[str, Any]) -> str:
    """Fetch a feed that an editor asked for; articles that are known are left alone, errors are kept on the feed."""
    from apps.documents.models import Collection
    from apps.documents.services import DocumentFacts, feed_note_error, feed_take

    collection = Collection.objects.filter(pk=collection_id).first()
    if collection is None:
        return "gone"
    given = DocumentFacts.from_message(facts)
    try:
        return f"{len(feed_take(address=address, collection=collection, facts=given))} new"
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        logger.exception("A feed could not be taken in.")
        feed_note_error(address=address, collection=collection, facts=given, error=_sentence(error))
        return "failed"


@shared_task(name="documents.feed_fetch", base=PatientTask, soft_time_limit=1500, time_limit=1800)
def feed_fetch(feed_id: int) -> str:
    """Fetch one feed and its new articles; what goes wrong stands on the feed."""
    from apps.documents.models import Feed
    from apps.documents.services import feed_fetch as fetch

    feed = Feed.objects.filter(pk=feed_id).first()
    if feed is None:
        return "gone"
    try:
        return f"{len(fetch(feed=feed))} new"
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        logger.exception("Feed %s could not be fetched.", feed_id)
        Feed.objects.filter(pk=feed_id).update(error=_sentence(error), fetched_at=timezone.now())
        return "failed"


@shared_task(name="documents.feeds_refresh", soft_time_limit=60, time_limit=90)
def feeds_refresh() -> int:
    """Queue every active feed; runs nightly."""
    from apps.documents.models import Feed

    ids = list(Feed.objects.filter(is_active=True).values_list("pk", flat=True))
    for feed_id in ids:
        feed_fetch.delay_on_commit(feed_id)
    return len(ids)


@shared_task(name="documents.link_check", base=PatientTask, soft_time_limit=60, time_limit=90)
def link_check(link_id: int) -> str:
    """Ask whether the page behind one curated link is still there."""
    from apps.documents.models import CuratedLink
    from apps.documents.services.links import link_check as check

    link = CuratedLink.objects.filter(pk=link_id).first()
    return "gone" if link is None else check(link=link).value


@shared_task(name="documents.links_check", soft_time_limit=60, time_limit=90)
def links_check() -> int:
    """Queue every curated link whose time has not passed; runs nightly."""
    from apps.documents.models import CuratedLink

    links = CuratedLink.objects.exclude(valid_until__lt=timezone.localdate())
    ids = list(links.values_list("pk", flat=True))
    for link_id in ids:
        link_check.delay_on_commit(link_id)
    return len(ids)


@shared_task(name="documents.resume", soft_time_limit=60, time_limit=90)
def documents_resume() -> int:
    """Queue again what stands still: its worker was killed, or the broker lost the message. Runs every few minutes."""
    from apps.documents.services import documents_resume as resume

    return resume()


def _give_up(version_id: int, error: Exception) -> None:
    from apps.documents.indexing.running import reject_version
    from apps.documents.models import DocumentVersion

    version = DocumentVersion.objects.filter(pk=version_id).first()
    if version is not None:
        reason = "The embedder or the database did not answer for a long time. Index the document again later."
        reject_version(version, "unavailable", reason)


def _sentence(error: Exception) -> str:
    """Say what an editor can know of an error that nobody foresaw."""
    from apps.documents.reasons import REASONS

    return str(REASONS["timeout" if isinstance(error, SoftTimeLimitExceeded) else "failed"])
