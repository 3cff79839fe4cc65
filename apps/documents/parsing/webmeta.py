"""What a web page says about itself: title, author, date, language, canonical address."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from lxml import etree

from apps.documents.parsing.cleaning import squeeze

_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_GERMAN = re.compile(r"\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b")
_DATE_NAMES = (
    "article:published_time", "date", "dc.date", "dc.date.issued", "dcterms.date", "dcterms.issued", "dcterms.created",
    "datepublished", "publishdate", "pubdate", "og:published_time", "last-modified",
)  # fmt: skip
_AUTHOR_NAMES = ("author", "article:author", "dc.creator", "dcterms.creator")


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Empty strings and None stand for what the page does not say."""

    title: str = ""
    author: str = ""
    language: str = ""
    address: str = ""
    published: date | None = None


def read_facts(root: etree._Element) -> PageFacts:
    """Return what meta tags, JSON-LD and the head of the page say."""
    metas: dict[str, str] = {}
    for meta in root.iter("meta"):
        key = (meta.get("property") or meta.get("name") or meta.get("itemprop") or "").strip().lower()
        metas.setdefault(key, squeeze(meta.get("content") or ""))
    linked = list(_linked_data(root))
    title, heading = squeeze(_first_text(root, "title")), squeeze(_first_text(root, "h1"))
    # The title tag often carries the site's name around the headline.
    title = metas.get("og:title") or (heading if heading in title else "") or title or heading
    author = next((metas[name] for name in _AUTHOR_NAMES if metas.get(name)), "") or _linked_author(linked)
    language = (root.get("lang") or metas.get("og:locale") or metas.get("language") or "").strip()
    return PageFacts(
        title=title,
        author="" if author.startswith("http") else author,
        language=re.split(r"[-_,;]", language)[0].lower() if language else "",
        address=_canonical(root) or metas.get("og:url", ""),
        published=_published(metas, linked),
    )


def parse_date(text: str) -> date | None:
    """Return the first ISO or German date (1.2.2025) in ``text``, or None."""
    for pattern, order in ((_ISO, (1, 2, 3)), (_GERMAN, (3, 2, 1))):
        found = pattern.search(text)
        if found:
            try:
                return date(*(int(found.group(place)) for place in order))
            except ValueError:
                continue
    return None


def _published(metas: dict[str, str], linked: list[dict[str, Any]]) -> date | None:
    candidates = [str(item.get("datePublished") or "") for item in linked]
    candidates += [metas.get(name, "") for name in _DATE_NAMES]
    return next((found for found in map(parse_date, candidates) if found), None)


def _canonical(root: etree._Element) -> str:
    for link in root.iter("link"):
        if "canonical" in (link.get("rel") or "").lower().split():
            return (link.get("href") or "").strip()
    return ""


def _first_text(root: etree._Element, tag: str) -> str:
    element = next((e for e in root.iter(tag) if not any(True for _ in e.iterancestors("svg"))), None)
    return "" if element is None else "".join(str(text) for text in element.itertext())


def _linked_data(root: etree._Element) -> Iterator[dict[str, Any]]:
    for script in root.iter("script"):
        if (script.get("type") or "").strip().lower() != "application/ld+json":
            continue
        try:
            data = json.loads(script.text or "")
        except (ValueError, RecursionError):
            continue
        items = data if isinstance(data, list) else [data]
        for item in items:
            if isinstance(item, dict):
                graph = item.get("@graph")
                yield from (
                    part for part in [item, *(graph if isinstance(graph, list) else [])] if isinstance(part, dict)
                )


def _linked_author(linked: list[dict[str, Any]]) -> str:
    for item in linked:
        authors = item.get("author")
        names = [
            author.get("name") if isinstance(author, dict) else author
            for author in (authors if isinstance(authors, list) else [authors])
        ]
        found = ", ".join(name for name in names if isinstance(name, str))
        if found:
            return squeeze(found)
    return ""
