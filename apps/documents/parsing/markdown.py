"""Markdown by way of HTML, so that one walker decides what is a list, a table or hidden."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

from apps.documents.parsing.cleaning import clean_text, squeeze
from apps.documents.parsing.decoding import decode
from apps.documents.parsing.html import hidden_warnings, html_tree
from apps.documents.parsing.htmlwalk import walk_html
from apps.documents.parsing.types import BlockKind, ParsedDocument
from apps.documents.parsing.webmeta import parse_date

_FRONT_MATTER = re.compile(
    r"\A\s*(?:---[ \t]*\n(.*?)\n(?:---|\.\.\.)|\+\+\+[ \t]*\n(.*?)\n\+\+\+)[ \t]*(?:\n|\Z)", re.DOTALL
)
_FIELD = re.compile(r"^([A-Za-z_-]{2,30})[ \t]*[:=][ \t]*(.+?)[ \t]*$", re.MULTILINE)
_SHORTCODE = re.compile(r"\{\{[<%].{0,1000}?[%>]\}\}", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


def parse_markdown(data: bytes, *, name: str = "") -> ParsedDocument:
    """Return the blocks; front matter becomes title, author, date, language and address."""
    text = clean_text(decode(data))
    front = _FRONT_MATTER.match(text)
    facts = _fields(front.group(1) or front.group(2) or "") if front else {}
    if front:
        text = text[front.end() :]
    text = _SHORTCODE.sub("", text)
    page = MarkdownIt("commonmark", {"html": True, "maxNesting": 40}).enable(["table", "strikethrough"]).render(text)
    walker = walk_html(html_tree(f"<html><body>{_COMMENT.sub('', page)}</body></html>"))
    first = next((block.text for block in walker.blocks if block.kind is BlockKind.HEADING), "")
    hidden = tuple(walker.hidden)
    return ParsedDocument(
        tuple(walker.blocks),
        title=facts.get("title") or first,
        author=facts.get("author", ""),
        language=re.split(r"[-_]", facts.get("language") or facts.get("lang", ""))[0].lower(),
        published=parse_date(facts.get("date") or facts.get("published", "")),
        address=facts.get("canonical") or facts.get("url", ""),
        warnings=hidden_warnings(hidden),
        hidden=hidden,
    )


def _fields(text: str) -> dict[str, str]:
    return {key.lower(): squeeze(value.strip("\"' ")) for key, value in _FIELD.findall(text)}
