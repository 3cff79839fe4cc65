"""Documents that come from the web: single addresses and feeds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.message import Message
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.utils import timezone
from django.utils.html import escape, strip_tags
from django.utils.translation import ngettext

from apps.core.cleaning import clean_line
from apps.core.connections import give_connection_back
from apps.documents.fetching import Fetched, FetchError, fetch
from apps.documents.models import Collection, Document, Feed
from apps.documents.parsing.feeds import FeedEntry
from apps.documents.parsing.sandbox import read_feed_in_child
from apps.documents.parsing.types import ParsingError
from apps.documents.reasons import explain
from apps.documents.services.documents import document_receive
from apps.documents.services.types import NO_FACTS, DocumentFacts, Receipt, ReceiptKind, RefusedError
from apps.documents.tasks import address_fetch

# A feed lists its newest articles; one that lists thousands is an archive and comes in by and by.
MOST_ARTICLES = 100
LARGEST_FEED = 5 * 2**20
# Feeds that carry whole articles carry more than this many characters of each.
LONGEST_TEASER = 500
# Atomic: many comments in a row could be divided in so many ways that a page would stop the process for ever.
_FEED = re.compile(rb"(?:\xef\xbb\xbf)?(?>\s+|<\?[^>]*>|<!--.*?-->)*+<(?:rss|feed|rdf:RDF)\b", re.DOTALL)
_HTML = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True, slots=True)
class FeedReceipt:
    """What a feed brought, and a sentence when some articles could not be had."""

    receipts: list[Receipt]
    error: str


def address_receive(
    *, address: str, collection: Collection, facts: DocumentFacts = NO_FACTS, enqueue: bool = True
) -> list[Receipt]:
    """Fetch a web address: a feed brings its articles, everything else is one document.

    Raises RefusedError with a sentence.
    """
    fetched = _fetch(address)
    if is_feed(fetched.data):
        return feed_receive(data=fetched.data, collection=collection, facts=facts, enqueue=enqueue).receipts
    return [_single(address, fetched, collection, facts, enqueue=enqueue)]


def address_take(*, address: str, collection: Collection, facts: DocumentFacts = NO_FACTS) -> Receipt | None:
    """Fetch a web address while an editor waits; a feed, whose articles may take an hour, is left to a task: None.

    Raises RefusedError with a sentence.
    """
    fetched = _fetch(address)
    if is_feed(fetched.data):
        # A title is one article's.
        address_fetch.delay_on_commit(address, collection.pk, replace(facts, title="").to_message())
        return None
    return _single(address, fetched, collection, facts, enqueue=True)


def document_refetch(*, document: Document, enqueue: bool = True) -> ReceiptKind:
    """Fetch a document's own address again; what has changed becomes its next version. Raises RefusedError."""
    facts = DocumentFacts(address=document.address)
    fetched = _fetch(document.address)
    return _receive(fetched, document.collection, facts, document=document, enqueue=enqueue).kind


def feed_fetch(*, feed: Feed, enqueue: bool = True) -> list[Receipt]:
    """Fetch a feed and every article that is not known yet; an error is kept on the feed as a sentence."""
    feed.error = ""
    receipts: list[Receipt] = []
    facts = DocumentFacts(kind=feed.kind, party=feed.party, language=feed.language, publisher=feed.publisher)
    try:
        fetched = _fetch(feed.address, etag=feed.etag, last_modified=feed.last_modified)
        if not fetched.is_unchanged:
            read = feed_receive(data=fetched.data, collection=feed.collection, facts=facts, enqueue=enqueue)
            receipts, feed.error = read.receipts, read.error
            if not read.error:
                feed.etag, feed.last_modified = fetched.etag[:200], fetched.last_modified[:60]
    except RefusedError as error:
        feed.error = explain(error.code, error.reason)
    feed.fetched_at = timezone.now()
    feed.save(update_fields=["error", "etag", "last_modified", "fetched_at", "updated_at"])
    return receipts


def feed_take(*, address: str, collection: Collection, facts: DocumentFacts) -> list[Receipt]:
    """Take in the articles of a feed that an editor fetches once. Nobody waits for it any more: what goes wrong is
    kept on a feed of that address, switched off where there was none, so that it stands in the list of feeds.
    """
    receipts: list[Receipt] = []
    try:
        read = feed_receive(data=_fetch(address).data, collection=collection, facts=facts)
        receipts, error = read.receipts, read.error
    except RefusedError as refused:
        error = explain(refused.code, refused.reason)
    if error:
        feed_note_error(address=address, collection=collection, facts=facts, error=error)
    return receipts


def feed_note_error(*, address: str, collection: Collection, facts: DocumentFacts, error: str) -> Feed:
    """Keep a sentence on the feed of this address."""
    noted = {"error": error, "fetched_at": timezone.now()}
    given = {
        "collection": collection,
        "kind": facts.kind or Document.Kind.NEWS,
        "party": facts.party,
        "language": facts.language[:8],
        "publisher": clean_line(facts.publisher, limit=120),
        "is_active": False,
    }
    return Feed.objects.update_or_create(address=address[:500], defaults=noted, create_defaults=given | noted)[0]


def is_feed(data: bytes) -> bool:
    """Return whether a file is an RSS or Atom feed."""
    return bool(_FEED.match(data[:4000]))


def feed_receive(
    *,
    data: bytes,
    collection: Collection,
    facts: DocumentFacts = NO_FACTS,
    facts_by_address: Mapping[str, DocumentFacts] | None = None,
    enqueue: bool = True,
) -> FeedReceipt:
    """Take in the articles of a feed: as the feed carries them, or fetched where it carries a teaser only.

    An article whose address is known is left alone. One that cannot be had does not keep the others from coming.
    Raises RefusedError when it is no feed.
    """
    if len(data) > LARGEST_FEED:
        raise RefusedError("too_large", f"The feed is larger than {LARGEST_FEED // 2**20} MB.")
    try:
        entries = [entry for entry in read_feed_in_child(data) if entry.address][:MOST_ARTICLES]
    except ParsingError as error:
        raise RefusedError(error.code, error.reason) from error
    addresses = [entry.address for entry in entries]
    known = set(Document.objects.filter(address__in=addresses).values_list("address", flat=True))
    receipts: list[Receipt] = []
    reasons: list[str] = []
    for entry in entries:
        if entry.address in known:
            continue
        known.add(entry.address)
        given = (facts_by_address or {}).get(entry.address) or facts
        try:
            receipts.append(_article(entry, collection, given, enqueue=enqueue))
        except RefusedError as error:
            reasons.append(explain(error.code, error.reason))
    return FeedReceipt(receipts, _feed_error(reasons))


def _feed_error(reasons: list[str]) -> str:
    if not reasons:
        return ""
    return ngettext(
        "%(count)s article could not be taken in: %(reason)s",
        "%(count)s articles could not be taken in. The last reason: %(reason)s",
        len(reasons),
    ) % {"count": len(reasons), "reason": reasons[-1]}


def _article(entry: FeedEntry, collection: Collection, facts: DocumentFacts, *, enqueue: bool) -> Receipt:
    facts = replace(
        facts,
        title=facts.title or entry.title,
        author=facts.author or entry.author,
        published=facts.published or (timezone.localdate(entry.published) if entry.published else None),
        address=entry.address,
    )
    if len(strip_tags(entry.summary_html)) < LONGEST_TEASER:
        return _receive(_fetch(entry.address), collection, facts, enqueue=enqueue)
    head = f"<!doctype html><html><head><title>{escape(entry.title)}</title></head>"
    page = f"{head}<body>{entry.summary_html}</body></html>"
    return document_receive(
        data=page.encode(),
        filename=f"{_filename(entry.address)}.html",
        content_type="text/html",
        collection=collection,
        facts=facts,
        enqueue=enqueue,
    )


def _single(address: str, fetched: Fetched, collection: Collection, facts: DocumentFacts, *, enqueue: bool) -> Receipt:
    facts = replace(facts, address=facts.address or address.strip())
    return _receive(fetched, collection, facts, enqueue=enqueue)


def _fetch(address: str, *, etag: str = "", last_modified: str = "") -> Fetched:
    # A slow site is waited for up to a minute: others need the connection meanwhile.
    give_connection_back()
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
