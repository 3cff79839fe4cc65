"""Parsed documents to JSON and back: what the child process says to the sandbox."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from apps.documents.parsing.feeds import FeedEntry
from apps.documents.parsing.types import Block, BlockKind, LineBox, Page, ParsedDocument


def document_to_json(document: ParsedDocument) -> dict[str, Any]:
    """Return a JSON-ready mapping of the whole document."""
    return {
        "blocks": [_block_to_json(block) for block in document.blocks],
        "title": document.title,
        "language": document.language,
        "author": document.author,
        "published": document.published.isoformat() if document.published else None,
        "address": document.address,
        "pages": [[page.number, page.width, page.height, page.is_recognised] for page in document.pages],
        "warnings": list(document.warnings),
        "needs_review": document.needs_review,
        "hidden": list(document.hidden),
    }


def document_from_json(data: Mapping[str, Any]) -> ParsedDocument:
    """Return the document. Raises KeyError, TypeError or ValueError when ``data`` is not one."""
    return ParsedDocument(
        blocks=tuple(_block_from_json(block) for block in data["blocks"]),
        title=str(data["title"]),
        language=str(data["language"]),
        author=str(data["author"]),
        published=date.fromisoformat(data["published"]) if data["published"] else None,
        address=str(data["address"]),
        pages=tuple(Page(int(n), float(w), float(h), bool(r)) for n, w, h, r in data["pages"]),
        warnings=tuple(str(warning) for warning in data["warnings"]),
        needs_review=bool(data["needs_review"]),
        hidden=tuple(str(text) for text in data["hidden"]),
    )


def entries_to_json(entries: Iterable[FeedEntry]) -> list[list[Any]]:
    """Return feed entries as JSON-ready lists."""
    return [
        [e.title, e.address, e.published.isoformat() if e.published else None, e.summary_html, e.author]
        for e in entries
    ]


def entries_from_json(data: Iterable[list[Any]]) -> tuple[FeedEntry, ...]:
    """Return the entries. Raises TypeError or ValueError when ``data`` holds none."""
    return tuple(
        FeedEntry(str(title), str(address), datetime.fromisoformat(when) if when else None, str(text), str(author))
        for title, address, when, text, author in data
    )


def _block_to_json(block: Block) -> list[Any]:
    lines = [[b.start, b.end, b.page, b.x0, b.y0, b.x1, b.y1] for b in block.lines]
    return [block.kind.value, block.text, block.level, block.page_from, block.page_to, block.header_rows, lines]


def _block_from_json(data: list[Any]) -> Block:
    kind, text, level, page_from, page_to, header_rows, lines = data
    if not isinstance(text, str):
        raise TypeError("a block's text is not a string")
    boxes = tuple(LineBox(*line) for line in lines)
    return Block(BlockKind(kind), text, level, page_from, page_to, header_rows, boxes)
