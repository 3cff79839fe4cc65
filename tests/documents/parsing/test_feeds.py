"""RSS and Atom: entries in order, nothing fetched."""

from __future__ import annotations

import socket
from datetime import UTC, datetime

import pytest

from apps.documents.parsing.feeds import FeedEntry, parse_feed, parse_feed_document
from apps.documents.parsing.types import ParsingError

RSS = """<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Beispielblatt</title>
<link>https://example.org/</link><language>de-de</language>
<item><title>Rente &amp; Pflege</title><link>https://example.org/1</link><author>Redaktion</author>
<pubDate>Fri, 31 Jan 2025 10:00:00 +0100</pubDate>
<description>&lt;p&gt;Kurz &lt;script&gt;x()&lt;/script&gt;&lt;b&gt;gesagt&lt;/b&gt;.&lt;/p&gt;</description></item>
<item><title>Zweite</title><link>javascript:alert(1)</link></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><entry><title>Eins</title>
<link href="https://example.org/a"/><updated>2025-02-01T08:00:00Z</updated>
<content type="html">&lt;p&gt;Lang und vollständig.&lt;/p&gt;</content><summary>Kurz</summary></entry></feed>"""


def test_entries_of_rss():
    first, second = parse_feed(RSS.encode())
    assert first.title == "Rente & Pflege"
    assert first.published == datetime(2025, 1, 31, 9, tzinfo=UTC)
    assert first.author == "Redaktion"
    assert "script" not in first.summary_html
    assert second == FeedEntry("Zweite", "", None, "", "")


def test_atom_gives_the_longer_text():
    (entry,) = parse_feed(ATOM.encode())
    assert (entry.address, entry.summary_html) == ("https://example.org/a", "<p>Lang und vollständig.</p>")


def test_a_feed_as_a_document():
    document = parse_feed_document(RSS.encode())
    assert [block.text for block in document.blocks] == ["Rente & Pflege", "Kurz gesagt.", "Zweite"]
    assert (document.title, document.language, document.address) == ("Beispielblatt", "de", "https://example.org/")


BAD = {
    "entities": b'<!DOCTYPE rss [<!ENTITY a "aaaa">]><rss version="2.0"><channel><title>&a;</title></channel></rss>',
    "entities in UTF-16": '<!DOCTYPE rss [<!ENTITY a "aaaa">]><rss version="2.0"/>'.encode("utf-16"),
    "an address": b"http://127.0.0.1/feed.xml",
    "a file name": b"/etc/hostname",
    "a page": b"<html><body><p>x</p></body></html>",
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_feed_is_refused_and_nothing_is_opened(case: str, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("A connection was opened.")

    monkeypatch.setattr(socket, "create_connection", refuse)
    with pytest.raises(ParsingError) as caught:
        parse_feed(BAD[case])
    assert caught.value.code == "damaged"
