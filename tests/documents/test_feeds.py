"""Addresses and feeds, over a fake network."""

from __future__ import annotations

import json
from datetime import date

import pytest
from django.db import connection

from apps.documents.fetching import Fetched, FetchError
from apps.documents.indexing import index_version
from apps.documents.models import Document, Feed, Party
from apps.documents.reasons import REASONS
from apps.documents.services import (
    DocumentFacts,
    ReceiptKind,
    RefusedError,
    address_receive,
    address_take,
    document_refetch,
    feed_fetch,
    is_feed,
)
from apps.documents.services import addresses as module
from apps.documents.tasks import address_fetch
from tests.documents.builders import ready, shelf

pytestmark = pytest.mark.django_db

BODY = "Die Partei beschließt ihr Programm und spricht lange über die Rente. " * 12
FEED = (
    """<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Kurier</title>{items}</channel></rss>"""
)
ITEM = "<item><title>{title}</title><link>{link}</link><description>{text}</description></item>"


@pytest.fixture
def web(monkeypatch):
    """Addresses and what they answer: bytes, or an error. Notes what was asked for."""
    pages: dict[str, Fetched | FetchError] = {}
    asked: list[tuple[str, str]] = []

    def fetch(address, *, allowed_hosts, etag="", last_modified=""):
        asked.append((address, etag))
        answer = pages.get(address, FetchError("status", "There is no page at this address."))
        if isinstance(answer, FetchError):
            raise answer
        return answer

    monkeypatch.setattr(module, "fetch", fetch)
    monkeypatch.setattr("apps.documents.tasks.version_index.delay_on_commit", lambda _pk: None)
    pages["asked"] = asked  # type: ignore[assignment]
    return pages


def _page(address: str, text: str, content_type: str = "text/html; charset=utf-8", **more: object) -> Fetched:
    return Fetched(text.encode(), content_type, address, **more)  # type: ignore[arg-type]


def _feed(*items: tuple[str, str, str]) -> str:
    return FEED.format(items="".join(ITEM.format(title=title, link=link, text=text) for title, link, text in items))


def test_a_page_becomes_a_document_under_its_address(web):
    web["https://example.org/a"] = _page("https://example.org/a", f"<h1>Rente</h1><p>{BODY}</p>")
    receipt = address_receive(address="https://example.org/a", collection=shelf())[0]
    assert (receipt.document.address, receipt.version.content_type) == ("https://example.org/a", "text/html")
    assert receipt.version.is_crawled
    again = address_receive(address="https://example.org/a", collection=shelf())[0]
    assert again.kind == ReceiptKind.UNCHANGED


def test_a_changed_page_is_a_new_version(web):
    web["https://example.org/a"] = _page("https://example.org/a", f"<h1>Rente</h1><p>{BODY}</p>")
    document = address_receive(address="https://example.org/a", collection=shelf())[0].document
    web["https://example.org/a"] = _page("https://example.org/a", f"<h1>Rente</h1><p>{BODY} Neu.</p>")
    assert document_refetch(document=document) == ReceiptKind.UPDATED
    assert document.versions.count() == 2


def test_what_cannot_be_fetched_is_a_sentence(web):
    with pytest.raises(RefusedError, match="no page at this address"):
        address_receive(address="https://example.org/404", collection=shelf())
    assert not Document.objects.exists()


def test_a_feed_with_whole_articles_needs_no_further_fetch(web):
    web["https://example.org/feed"] = _page(
        "https://example.org/feed", _feed(("A & B", "https://example.org/1", BODY)), "application/rss+xml"
    )
    receipts = address_receive(address="https://example.org/feed", collection=shelf())
    assert [receipt.document.address for receipt in receipts] == ["https://example.org/1"]
    assert web["asked"] == [("https://example.org/feed", "")]
    index_version(receipts[0].version.pk)
    assert receipts[0].document.versions.get().text.startswith("Die Partei beschließt")


def test_a_teaser_is_replaced_by_the_page_behind_it(web):
    web["https://example.org/feed"] = _page("https://example.org/feed", _feed(("A", "https://example.org/1", "Kurz.")))
    web["https://example.org/1"] = _page("https://example.org/1", f"<h1>A</h1><p>{BODY}</p>")
    receipts = address_receive(address="https://example.org/feed", collection=shelf())
    assert receipts[0].version.is_crawled


def test_one_bad_article_does_not_keep_the_others_out(web):
    web["https://example.org/feed"] = _page(
        "https://example.org/feed",
        _feed(("Weg", "https://example.org/weg", "Kurz."), ("Da", "https://example.org/da", BODY)),
        etag='"1"',
    )
    feed = Feed.objects.create(address="https://example.org/feed", collection=shelf(), kind="opinion")
    assert [receipt.document.title for receipt in feed_fetch(feed=feed)] == ["Da"]
    feed.refresh_from_db()
    assert str(REASONS["status"]) in feed.error
    assert feed.etag == "", "what failed must be asked for again the next night"
    assert feed.fetched_at is not None
    assert Document.objects.get().kind == "opinion"


def test_an_unchanged_feed_costs_one_question(web):
    web["https://example.org/feed"] = _page(
        "https://example.org/feed", _feed(("Da", "https://example.org/da", BODY)), etag='"1"'
    )
    feed = Feed.objects.create(address="https://example.org/feed", collection=shelf())
    assert len(feed_fetch(feed=feed)) == 1
    web["https://example.org/feed"] = Fetched(b"", "", "https://example.org/feed", etag='"1"', is_unchanged=True)
    assert feed_fetch(feed=feed) == []
    assert web["asked"] == [("https://example.org/feed", ""), ("https://example.org/feed", '"1"')]


def test_known_articles_are_left_alone(web):
    ready(facts={"address": "https://example.org/da"})
    web["https://example.org/feed"] = _page("https://example.org/feed", _feed(("Da", "https://example.org/da", BODY)))
    assert address_receive(address="https://example.org/feed", collection=shelf()) == []


def test_a_feed_that_is_none_says_so(web):
    web["https://example.org/feed"] = _page("https://example.org/feed", "<html>Kein Feed</html>")
    feed = Feed.objects.create(address="https://example.org/feed", collection=shelf())
    feed_fetch(feed=feed)
    assert Feed.objects.get().error


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'<?xml version="1.0"?><rss version="2.0">', True),
        (b"\xef\xbb\xbf<feed xmlns='http://www.w3.org/2005/Atom'>", True),
        (b"<?xml version='1.0'?><!-- by hand --><rdf:RDF>", True),
        (b"<html><body>rss</body></html>", False),
        (b"# rss", False),
        (b"<feedback>", False),
        (b"<!-- a --> <!-- b -->\n<rss>", True),
        # Ends at all: with a pattern that goes back it takes longer than anybody lives.
        (b"<!---->" * 500 + b"<html>", False),
        (b"<?a>" * 900 + b"<html>", False),
    ],
)
def test_feeds_are_told_by_their_content(data, expected):
    assert is_feed(data) is expected


class TestFetchingWhileAnEditorWaits:
    ADDRESS = "https://example.org/feed"

    @pytest.fixture
    def queued(self, monkeypatch):
        """Note what is handed to the workers, as a broker would carry it."""
        messages: list[str] = []
        monkeypatch.setattr(address_fetch, "delay_on_commit", lambda *given: messages.append(json.dumps(given)))
        return messages

    def test_a_page_is_fetched_at_once(self, web, queued):
        web["https://example.org/a"] = _page("https://example.org/a", f"<h1>Rente</h1><p>{BODY}</p>")
        receipt = address_take(address="https://example.org/a", collection=shelf())
        assert receipt.document.address == "https://example.org/a"
        assert not queued

    def test_a_feed_is_left_to_a_task_with_all_that_was_said(self, web, queued):
        web[self.ADDRESS] = _page(self.ADDRESS, _feed(("Eins", "https://example.org/1", BODY)), "application/rss+xml")
        party = Party.objects.create(slug="p", name="Partei", short_name="P")
        facts = DocumentFacts(
            title="Ein Titel", kind="opinion", party=party, publisher="Kurier", published=date(2026, 2, 3)
        )
        assert address_take(address=self.ADDRESS, collection=shelf(), facts=facts) is None
        assert not Document.objects.exists()
        assert address_fetch(*json.loads(queued[0])) == "1 new"
        document = Document.objects.get()
        assert (document.title, document.kind, document.party) == ("Eins", "opinion", party)
        assert (document.publisher, document.published) == ("Kurier", date(2026, 2, 3))
        assert address_fetch(*json.loads(queued[0])) == "0 new"

    def test_a_task_outlives_what_was_deleted_and_what_cannot_be_had(self, web):
        facts = DocumentFacts().to_message()
        assert address_fetch(self.ADDRESS, 0, facts) == "gone"
        assert address_fetch(self.ADDRESS, shelf().pk, {**facts, "party": 0}) == "0 new"

    def test_what_goes_wrong_later_stands_in_the_list_of_feeds(self, web):
        facts = DocumentFacts(kind="opinion", publisher="Kurier").to_message()
        address_fetch(self.ADDRESS, shelf().pk, facts)
        feed = Feed.objects.get()
        assert (feed.address, feed.kind, feed.publisher) == (self.ADDRESS, "opinion", "Kurier")
        assert (feed.error, feed.is_active) == (str(REASONS["status"]), False)

    def test_a_feed_that_is_there_keeps_what_editors_set(self, web):
        Feed.objects.create(address=self.ADDRESS, collection=shelf(), kind="news")
        address_fetch(self.ADDRESS, shelf("andere").pk, DocumentFacts(kind="opinion").to_message())
        feed = Feed.objects.get()
        assert (feed.kind, feed.collection.slug, feed.is_active) == ("news", "programme", True)
        assert feed.error == str(REASONS["status"])

    @pytest.mark.django_db(transaction=True)
    def test_who_waits_for_a_site_holds_no_connection(self, web, monkeypatch):
        held: list[bool] = []
        collection = shelf()

        def fetch(*_, **__):
            held.append(connection.connection is not None)
            raise FetchError("unreachable", "The site cannot be reached.")

        monkeypatch.setattr(module, "fetch", fetch)
        with pytest.raises(RefusedError):
            address_take(address=self.ADDRESS, collection=collection)
        assert held == [False]
