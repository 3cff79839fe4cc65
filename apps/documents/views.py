"""Where citations lead: a source at the exact place, and images of its printed pages."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from apps.documents.models import Document, DocumentVersion, Page, Party, Section
from apps.documents.page_images import quote_boxes, render_page
from apps.documents.parsing.types import LineBox
from apps.documents.source_pages import shown_blocks

# A section shorter than this is shown with its neighbours, so that a reader sees what stands around it.
SHORT_SECTION = 600
LONGEST_WINDOW = 20_000


@dataclass(frozen=True, slots=True)
class Box:
    """A marked rectangle on a page, in PDF points from the top left."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A printed page with its marks."""

    number: int
    width: float
    height: float
    boxes: tuple[Box, ...]


def visible_version(request: HttpRequest, key: uuid.UUID, number: int) -> DocumentVersion:
    """Return a version that this person may read; anything else is answered like an unknown address."""
    documents = Document.objects.answerable(timezone.localdate())
    if request.user.has_perm("documents.view_document"):
        # The desk also sees what is kept from readers.
        documents = Document.objects.all()
    document = get_object_or_404(documents.select_related("party", "collection", "current_version"), uuid=key)
    version = get_object_or_404(document.versions, number=number)
    version.document = document
    return version


def shown_page(page: Page, start: int, end: int) -> ShownPage:
    """Return a page with the boxes of [start, end)."""
    lines = [LineBox(line[0], line[1], page.number, *line[2:6]) for line in page.lines]
    boxes = [Box(b.x0, b.y0, b.x1 - b.x0, b.y1 - b.y0) for b in quote_boxes(lines, start, end)]
    return ShownPage(page.number, page.width, page.height, tuple(boxes))


def _section_at(version: DocumentVersion, position: int) -> Section | None:
    """Return the deepest section around a position."""
    around = version.sections.filter(start__lte=position, end__gt=position)
    return around.order_by("-start", "end", "-order").first()


def _window(version: DocumentVersion, section: Section | None, start: int, end: int) -> tuple[int, int]:
    """Return how much of the text is shown: the section, or a stretch around the passage where that is too long."""
    low, high = (section.start, section.end) if section else (start, end)
    if high - low < SHORT_SECTION:
        low, high = low - SHORT_SECTION, high + SHORT_SECTION
    low, high = min(low, start), max(high, end)
    if high - low > LONGEST_WINDOW:
        low, high = max(low, start - LONGEST_WINDOW // 2), min(high, end + LONGEST_WINDOW // 2)
    return max(0, low), min(len(version.text), high)


@require_safe
def passage(request: HttpRequest, key: uuid.UUID, version: int, start: int, end: int) -> HttpResponse:
    """Show a source at the exact place, the passage marked, the printed page beside it."""
    found = visible_version(request, key, version)
    if not start < end <= len(found.text):
        raise Http404
    section = _section_at(found, start)
    window = _window(found, section, start, end)
    around = found.sections.filter(order__in=[section.order - 1, section.order + 1]) if section else []
    neighbours = {neighbour.order: neighbour for neighbour in around}
    printed = [page for page in found.pages.all() if any(line[0] < end and line[1] > start for line in page.lines)]
    context = {
        "document": found.document,
        "version": found,
        "is_old": found.pk != found.document.current_version_id,
        "section": section,
        "blocks": list(shown_blocks(found.text, found.blocks, window=window, passage=(start, end))),
        "pages": [shown_page(page, start, end) for page in printed],
        "before": neighbours.get(section.order - 1) if section else None,
        "after": neighbours.get(section.order + 1) if section else None,
        "has_images": bool(printed) and found.content_type == "application/pdf",
    }
    return render(request, "sources/passage.html", context)


def _page_tag(request: HttpRequest, key: uuid.UUID, version: int, number: int) -> str:
    return f'"{visible_version(request, key, version).checksum}-{number}"'


@require_safe
@cache_control(private=True, max_age=86_400)
@condition(etag_func=_page_tag)
def page_image(request: HttpRequest, key: uuid.UUID, version: int, number: int) -> HttpResponse:
    """Return one printed page as a picture. A version's file never changes, so the tag is its checksum."""
    found = visible_version(request, key, version)
    if found.content_type != "application/pdf" or not found.pages.filter(number=number).exists():
        raise Http404
    with found.file.open("rb") as file:
        return HttpResponse(render_page(file.read(), number), content_type="image/png")


@require_safe
@cache_control(public=True, max_age=300)
def party_colours(request: HttpRequest) -> HttpResponse:
    """Return the parties' marks as a style sheet: the content policy allows no style attributes."""
    rules = [f".mark-{slug} {{ --party: {colour}; }}" for slug, colour in Party.objects.values_list("slug", "colour")]
    return HttpResponse("\n".join(rules), content_type="text/css; charset=utf-8")
