"""Parses a version's file in a child process, stores its text, and fills what the file says about itself."""

from __future__ import annotations

import re
from typing import Any

from django.db import transaction

from apps.core.cleaning import clean_line
from apps.documents.aspects import guess_region, propose_aspects
from apps.documents.indexing.storing import pending_document
from apps.documents.models import Document, DocumentVersion
from apps.documents.parsing.sandbox import parse_in_child
from apps.documents.parsing.types import ParsedDocument
from apps.documents.sectioning import SectionedDocument, section_document
from apps.documents.versions import file_read, version_read_text, version_write_text
from apps.language.guessing import guess_language
from apps.language.normalising import fold

# What programs write into a file's properties when nobody gave it a title.
_NO_TITLE = re.compile(
    r"^(?:microsoft (?:word|powerpoint)\b|untitled|unbenannt|dokument\d*$|.*\.\w{2,5}$)", re.IGNORECASE
)


def read_version(version: DocumentVersion) -> SectionedDocument:
    """Return the version's text, parsed now unless that was done before. Its text never changes afterwards.

    Raises ParsingError, StoredFileError, or OvertakenError when the document no longer waits for this version.
    """
    if version.blocks:
        return version_read_text(version)
    parsed = parse_in_child(
        file_read(version),
        name=version.filename,
        content_type=version.content_type,
        crawled=version.is_crawled,
    )
    text = section_document(parsed)
    version.needs_review = parsed.needs_review
    with transaction.atomic():
        document = pending_document(version)
        version_write_text(version, text, parsed.warnings)
        for field, value in _told(document, version, parsed, text).items():
            setattr(document, field, value)
        document.save()
    version.document = document
    return text


def title_sort_key(title: str) -> str:
    """Return how a title is sorted: umlauts as two letters, no accents (the database has no such order)."""
    return fold(title)[:300]


def filename_title(filename: str) -> str:
    """Return a readable title from a file's name, for as long as nothing better is known."""
    stem = filename.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return clean_line(stem.replace("_", " ").replace("-", " "), limit=300) or filename[:300]


def _told(
    document: Document, version: DocumentVersion, parsed: ParsedDocument, text: SectionedDocument
) -> dict[str, Any]:
    """What the file says, for every field that no person has set."""
    title = clean_line(parsed.title, limit=300)
    title = document.title if _NO_TITLE.match(title) or not title else title
    if "title" in document.edited_fields:
        title = document.title
    told: dict[str, Any] = {"title": title, "sort_key": title_sort_key(title)}
    language = parsed.language[:8] or guess_language(text.text[:4000])
    headings = [section.heading for section in text.sections if section.heading]
    guesses = {
        "language": language,
        "author": _author(version, parsed) or document.author,
        "published": parsed.published or document.published,
        "region": guess_region(title) or document.region,
        "aspects": propose_aspects([title, *headings], text.text, language),
    }
    told |= {field: value for field, value in guesses.items() if field not in document.edited_fields}
    address = parsed.address[:500]
    is_free = address and not document.address and not Document.objects.filter(address=address).exists()
    if is_free and version.is_crawled:
        told["address"] = address
    return told


def _author(version: DocumentVersion, parsed: ParsedDocument) -> str:
    """The author that a page names. PDF and office files name whoever typed them, often by a login."""
    return clean_line(parsed.author, limit=120) if version.content_type.startswith("text/") else ""
