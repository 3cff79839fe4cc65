"""Documents that come from the web: single addresses and feeds."""

from __future__ import annotations

from dataclasses import replace
from email.message import Message
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.core.cleaning import clean_line
from apps.documents.fetching import Fetched, FetchError, fetch
from apps.documents.models import Collection, Document, Feed
from apps.documents.parsing.feeds import FeedEntry, parse_feed
from apps.documents.parsing.types import ParsingError
from apps.documents.services.documents import document_receive
from apps.documents.services.types import NO_FACTS, DocumentFacts, Receipt, ReceiptKind, RefusedError

# A feed lists its newest articles; one that lists thousands is an archive and comes in by and by.
MOST_ARTICLES = 100
_HTML = ("text/html", "application/xhtml+xml")


def document_fetch(
    *, address: str, collection: Collection, facts: DocumentFacts = NO_FACTS, enqueue: bool = True
) -> Receipt:
    """Fetch a web address and take it in as a document. Raises RefusedError with a sentence."""
    fetched = _fetch(address)
    return _receive(fetched, collection, replace(facts, address=facts.address or address.strip()), enqueue=enqueue)


def document_refetch(*, document: Document, enqueue: bool = True) -> ReceiptKind:
    """Fetch a document's own address again; what has changed becomes its next version. Raises RefusedError."""
    fetched = _fetch(document.address)
    facts = DocumentFacts(address=document.address)
    return _receive(fetched, document.collection, facts, document=document, enqueue=enqueue).kind


def feed_fetch(*, feed: Feed, enqueue: bool = True) -> list[Receipt]:
    """Fetch a feed and every article that is not known yet; an error is kept on the feed as a sentence.

    An article that cannot be fetched does not keep the others from coming; the next night tries it again.
    """
    feed.error = ""
    receipts: list[Receipt] = []
    try:
        fetched = _fetch(feed.address, etag=feed.etag, last_modified=feed.last_modified)
        if not fetched.is_unchanged:
            receipts, failed = _articles(feed, parse_feed(fetched.data), enqueue=enqueue)
            if failed:
                feed.error = _("%(count)s articles could not be fetched. The last reason: %(reason)s") % {
                    "count": len(failed),
                    "reason": failed[-1],
                }
            else:
                feed.etag, feed.last_modified = fetched.etag[:200], fetched.last_modified[:60]
    except (RefusedError, ParsingError) as error:
        feed.error = error.reason
    feed.fetched_at = timezone.now()
    feed.save(update_fields=["error", "etag", "last_modified", "fetched_at", "updated_at"])
    return receipts


def _articles(feed: Feed, entries: tuple[FeedEntry, ...], *, enqueue: bool) -> tuple[list[Receipt], list[str]]:
    wanted = [entry for entry in entries if entry.address][:MOST_ARTICLES]
    known = set(
        Document.objects.filter(address__in=[entry.address for entry in wanted]).values_list("address", flat=True)
    )
    receipts: list[Receipt] = []
    failed: list[str] = []
    for entry in wanted:
        if entry.address in known:
            continue
        known.add(entry.address)
        facts = DocumentFacts(
            title=entry.title,
            kind=feed.kind,
            party=feed.party,
            language=feed.language,
            publisher=feed.publisher,
            author=entry.author,
            published=timezone.localdate(entry.published) if entry.published else None,
        )
        try:
            receipts.append(
                document_fetch(address=entry.address, collection=feed.collection, facts=facts, enqueue=enqueue)
            )
        except RefusedError as error:
            failed.append(error.reason)
    return receipts, failed


def _fetch(address: str, *, etag: str = "", last_modified: str = "") -> Fetched:
    try:
        return fetch(address, allowed_hosts=settings.FETCH_ALLOWED_HOSTS, etag=etag, last_modified=last_modified)
    except FetchError as error:
        raise RefusedError(error.code, error.reason) from error


def _receive(
    fetched: Fetched,
    collection: Collection,
    facts: DocumentFacts,
    *,
    document: Document | None = None,
    enqueue: bool,
) -> Receipt:
    media_type = _media_type(fetched.content_type)
    return document_receive(
        data=fetched.data,
        filename=_filename(fetched.address),
        content_type=media_type,
        collection=collection,
        facts=facts,
        document=document,
        is_crawled=media_type in _HTML,
        enqueue=enqueue,
    )


def _media_type(header: str) -> str:
    message = Message()
    message["Content-Type"] = header or "application/octet-stream"
    return message.get_content_type()


def _filename(address: str) -> str:
    parts = urlsplit(address)
    return clean_line(PurePosixPath(unquote(parts.path)).name or parts.netloc, limit=255)
