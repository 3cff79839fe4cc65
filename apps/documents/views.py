"""Where citations lead: a source at the exact place, and images of its printed pages."""

from __future__ import annotations

import logging
import uuid
from pathlib import Path
from typing import Any

from django.db.models import F
from django.db.models.functions import Length
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from apps.core.connections import give_connection_back
from apps.documents.models import CuratedLink, Document, DocumentVersion, Page, Party, Section
from apps.documents.page_cache import cached_page
from apps.documents.page_images import PageImageError, render_page
from apps.documents.printed_letters import page_letters
from apps.documents.source_pages import (
    MOST_PAGES,
    ShownPage,
    Span,
    passage_pages,
    shown_blocks,
    shown_page,
    text_window,
    without,
)

logger = logging.getLogger(__name__)

# What pages are drawn from.
PDF = "application/pdf"
# A table over more pages than this is searched for marks no further.
LONGEST_BLOCK_PAGES = 40


def visible_version(request: HttpRequest, key: uuid.UUID, number: int, *, has_text: bool = True) -> DocumentVersion:
    """Return a version that this person may read; anything else is answered like an unknown address.

    Without ``has_text`` its text and blocks, which may be megabytes, stay in the database.
    """
    is_desk = _is_desk(request)
    # The desk also sees what is kept from readers.
    documents = Document.objects.all() if is_desk else Document.objects.answerable(timezone.localdate())
    documents = documents.select_related("party", "collection", "current_version")
    # Of the current version only its number is shown beside an older one: its text may be megabytes.
    documents = documents.defer("current_version__text", "current_version__blocks")
    document = get_object_or_404(documents, uuid=key)
    versions = document.versions.all() if has_text else document.versions.defer("text", "blocks")
    version = get_object_or_404(versions, number=number)
    is_published = version.was_current or version.pk == document.current_version_id
    # Neither text that nobody has checked, nor what waits, was rejected or was overtaken before readers saw it.
    if (version.needs_review or not is_published) and not is_desk:
        raise Http404
    version.document = document
    return version


@require_safe
def passage(request: HttpRequest, key: uuid.UUID, version: int, start: int, end: int) -> HttpResponse:
    """Show a source at the exact place, the passage marked, the printed page beside it."""
    found = visible_version(request, key, version)
    held = _held_spans(found)
    is_held = any(low < end and start < high for low, high in held)
    if not start < end <= len(found.text) or (is_held and not _is_desk(request)):
        raise Http404
    return render(request, "sources/passage.html", _context(found, start, end, held, is_desk=_is_desk(request)))


@require_safe
def reading(request: HttpRequest, key: uuid.UUID, version: int, start: int) -> HttpResponse:
    """Show a source from a place on, nothing marked: for reading on before and after a passage."""
    found = visible_version(request, key, version)
    if not start < len(found.text):
        raise Http404
    held = _held_spans(found)
    return render(request, "sources/passage.html", _context(found, start, start, held, is_desk=_is_desk(request)))


def _is_desk(request: HttpRequest) -> bool:
    return request.user.has_perm("documents.view_document")


def _held_spans(version: DocumentVersion) -> list[Span]:
    """Return what of the text gives orders to a machine and no editor has approved."""
    chunks = version.chunks.held_back().values_list("start", "suspicions")
    return [(at + int(found[0]), at + int(found[1])) for at, suspicions in chunks for found in suspicions]


def _context(version: DocumentVersion, start: int, end: int, held: list[Span], *, is_desk: bool) -> dict[str, Any]:
    """Everything the page shows; ``end`` equals ``start`` where nothing is marked. ``held`` is for the desk only."""
    section = version.sections.filter(start__lte=start, end__gt=start).order_by("-start", "-order").first()
    window = text_window((section.start, section.end) if section else None, (start, end), len(version.text))
    before, after = _neighbours(version, section)
    address = version.document.address
    held = [(low, high) for low, high in held if low < window[1] and window[0] < high]
    blocks = version.blocks if is_desk else without(version.blocks, held)
    return {
        "document": version.document,
        "version": version,
        "current": version.document.current_version,
        "is_old": version.pk != version.document.current_version_id,
        "newest": _newest(version.document),
        "is_desk_only": version.document.collection.visibility != "public",
        # The title stands above already.
        "path": [heading for heading in section.path if heading != version.document.title] if section else [],
        # Bulk intake does not check addresses as forms do: one that opens no page must not be a link.
        "original": address if address.startswith(("https://", "http://")) else "",
        "passage_start": start,
        "passage_end": end,
        "has_held_back": bool(held),
        "blocks": list(shown_blocks(version.text, blocks, window=window, passage=(start, end))),
        "pages": _printed_pages(version, start, end) if version.content_type == PDF else [],
        "before": before,
        "after": after,
    }


def _newest(document: Document) -> Document | None:
    """What has taken its place, as far as readers may see it. No query for a document that nothing supersedes."""
    line = document.superseding_line()
    newest: Document | None = Document.objects.newest_of(line, timezone.localdate()) if line else None
    return newest


def _neighbours(version: DocumentVersion, section: Section | None) -> tuple[Section | None, Section | None]:
    """Return the sections before and after that hold more than their heading."""
    if section is None:
        return None, None
    filled = version.sections.filter(end__gt=F("start") + Length("heading"))
    return filled.filter(order__lt=section.order).last(), filled.filter(order__gt=section.order).first()


def _printed_pages(version: DocumentVersion, start: int, end: int) -> list[ShownPage]:
    """Return the pages with marks on them; without a passage, the page that the place stands on."""
    numbers = passage_pages(version.blocks, (start, max(end, start + 1)))
    rows = list(version.pages.filter(number__in=numbers[:LONGEST_BLOCK_PAGES]))
    # A block may go over pages that the passage does not touch.
    touched = [row for row in rows if any(line[0] < end and line[1] > start for line in row.lines)]
    # pdfium is waited for without a connection (see page_image).
    give_connection_back()
    return [_printed_page(version, row, start, end) for row in (touched or rows[:1])[:MOST_PAGES]]


def _printed_page(version: DocumentVersion, row: Page, start: int, end: int) -> ShownPage:
    letters = page_letters(stored_pdf(version), row.number) if start < end else []
    size = (row.width, row.height)
    return shown_page(row.number, size, row.lines, text=version.text, passage=(start, end), letters=letters)


def stored_pdf(version: DocumentVersion) -> Path | bytes:
    """Return where a version's file lies, so that only the wanted page is read; its bytes where it lies elsewhere."""
    try:
        return Path(version.file.path)
    except NotImplementedError:
        with version.file.open("rb") as file:
            data: bytes = file.read()
        return data


@require_safe
@cache_control(private=True, max_age=86_400)
def page_image(request: HttpRequest, key: uuid.UUID, version: int, number: int) -> HttpResponse:
    """Return one printed page as a picture. A version's file never changes, so the tag is its checksum."""
    found = visible_version(request, key, version, has_text=False)
    if found.content_type != PDF or not found.pages.filter(number=number).exists():
        raise Http404
    tag = f'"{found.checksum}-{number}"'
    known = get_conditional_response(request, etag=tag)
    if known is not None:
        return known
    # pdfium serves one at a time: those who wait for it would hold all the pool has.
    give_connection_back()
    try:
        picture = cached_page(found.checksum, number, lambda: render_page(stored_pdf(found), number))
    except (OSError, PageImageError) as error:
        logger.warning("Page %s of version %s cannot be drawn: %s", number, found.pk, error)
        raise Http404 from error
    return HttpResponse(picture, content_type="image/png", headers={"ETag": tag})


@require_safe
@cache_control(public=True, max_age=86_400)
def link_picture(request: HttpRequest, key: int, mark: str) -> HttpResponse:
    """Return the picture of a curated link; another picture would have another mark."""
    link = get_object_or_404(CuratedLink.objects.exclude(picture=""), pk=key)
    if link.picture_address != request.path:
        raise Http404
    try:
        with link.picture.open("rb") as file:
            picture: bytes = file.read()
    except OSError as error:
        logger.warning("The picture of link %s is gone: %s", key, type(error).__name__)
        raise Http404 from error
    return HttpResponse(picture, content_type="image/webp")


@require_safe
@cache_control(public=True, max_age=300)
def party_colours(request: HttpRequest) -> HttpResponse:
    """Return the parties' marks as a style sheet: the content policy allows no style attributes."""
    rules = [f".mark-{slug} {{ --party: {colour}; }}" for slug, colour in Party.objects.values_list("slug", "colour")]
    return HttpResponse("\n".join(rules), content_type="text/css; charset=utf-8")
