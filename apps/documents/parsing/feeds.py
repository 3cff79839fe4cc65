"""RSS and Atom through feedparser, which never fetches here: it is handed bytes."""

from __future__ import annotations

import io
import re
from calendar import timegm
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from apps.documents.parsing.cleaning import squeeze
from apps.documents.parsing.types import Block, BlockKind, ParsedDocument, ParsingError

_ENTITY = re.compile(rb"<\x00?!\x00?E\x00?N\x00?T\x00?I\x00?T\x00?Y", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One item of a feed. ``published`` is in UTC; ``summary_html`` is whatever the feed carries, often a teaser."""

    title: str
    address: str
    published: datetime | None
    summary_html: str
    author: str


def parse_feed(data: bytes) -> tuple[FeedEntry, ...]:
    """Return the entries in the feed's order. Raises ParsingError ``damaged`` when it is no feed."""
    return tuple(_entry(item) for item in _read(data).entries)


def parse_feed_document(data: bytes, *, name: str = "") -> ParsedDocument:
    """Return the whole feed as one document: a heading per entry, its summary below."""
    from apps.documents.parsing.html import html_tree
    from apps.documents.parsing.htmlwalk import walk_html

    feed = _read(data)
    blocks: list[Block] = []
    for entry in map(_entry, feed.entries):
        if entry.title:
            blocks.append(Block(BlockKind.HEADING, entry.title, level=2))
        if entry.summary_html.strip():
            page = html_tree(f"<html><body>{entry.summary_html}</body></html>")
            blocks.extend(walk_html(page).blocks)
    return ParsedDocument(
        tuple(blocks),
        title=squeeze(feed.feed.get("title", "")),
        language=feed.feed.get("language", "").split("-")[0].lower(),
        author=squeeze(feed.feed.get("author", "")),
        address=_web_address(feed.feed.get("link", "")),
    )


def _read(data: bytes) -> Any:
    if _ENTITY.search(data):
        raise ParsingError("damaged", "The feed declares entities, which feeds never need.")
    import feedparser

    # A stream, not the bytes themselves: those could be taken for a file name.
    feed = feedparser.parse(io.BytesIO(data), sanitize_html=True, resolve_relative_uris=True)
    if not feed.entries and not feed.get("version"):
        raise ParsingError("damaged", "The file is not a feed that can be read.")
    return feed


def _entry(item: Any) -> FeedEntry:
    contents = [part.get("value", "") for part in item.get("content", [])]
    stamp = item.get("published_parsed") or item.get("updated_parsed")
    return FeedEntry(
        title=squeeze(re.sub(r"<[^>]+>", " ", item.get("title", ""))),
        address=_web_address(item.get("link", "")),
        published=datetime.fromtimestamp(timegm(stamp), UTC) if stamp else None,
        summary_html=max([*contents, item.get("summary", "")], key=len),
        author=squeeze(item.get("author", "")),
    )


def _web_address(text: str) -> str:
    return text.strip() if text.strip().lower().startswith(("http://", "https://")) else ""
