"""One PDF page as a picture, and the boxes of a quoted passage on it. Pure; the source page draws the boxes over it."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Protocol

import pypdfium2 as pdfium
from PIL.Image import Image

# Pixels per point.
PAGE_SCALE = 1.5
_MAX_PIXELS = 12_000_000
_COMPRESS_LEVEL = 2
# pdfium is not safe for threads, and the web process has many.
PDFIUM = Lock()


class PageImageError(Exception):
    """The page cannot be drawn: no such page, or the file does not open."""


class PrintedLine(Protocol):
    """What is needed of a line box: offsets into the text, page and place (see LineBox)."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def page(self) -> int: ...
    @property
    def x0(self) -> float: ...
    @property
    def y0(self) -> float: ...
    @property
    def x1(self) -> float: ...
    @property
    def y1(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page in points, origin at the top left of the crop box, y downwards."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


def render_page(pdf: bytes | Path, page: int, scale: float = PAGE_SCALE) -> bytes:
    """PNG of one page (counted from 1) at ``scale`` pixels per point. Raises PageImageError.

    Pages of poster size are drawn smaller, so that no picture exceeds 12 million pixels.
    """
    with PDFIUM:
        picture = _draw(pdf, page, scale)
    out = io.BytesIO()
    # Low compression: encoding costs more than drawing, and pictures are cached.
    picture.save(out, "PNG", compress_level=_COMPRESS_LEVEL)
    return out.getvalue()


def _draw(pdf: bytes | Path, page: int, scale: float) -> Image:
    try:
        document = pdfium.PdfDocument(pdf)
    except (pdfium.PdfiumError, OSError) as error:
        raise PageImageError("The PDF cannot be opened.") from error
    try:
        if not 1 <= page <= len(document):
            raise PageImageError(f"The PDF has no page {page}.")
        return _picture(document, page - 1, scale)
    except pdfium.PdfiumError as error:
        raise PageImageError(f"Page {page} cannot be drawn.") from error
    finally:
        document.close()


def _picture(document: pdfium.PdfDocument, index: int, scale: float) -> Image:
    page = document[index]
    width, height = page.get_size()
    fitting = min(scale, math.sqrt(_MAX_PIXELS / max(width * height, 1.0)))
    bitmap = page.render(scale=fitting, may_draw_forms=False)
    # A copy, since the bitmap's memory ends with it.
    picture = bitmap.to_pil().copy()
    bitmap.close()
    page.close()
    return picture


def quote_boxes(lines: Sequence[PrintedLine], start: int, end: int) -> list[Box]:
    """Boxes of the characters [start, end) of a text whose printed lines are given: one per line that it touches.

    Inside a line the place is interpolated, as if all its characters were equally wide.
    """
    return list(_boxes(lines, start, end))


def _boxes(lines: Sequence[PrintedLine], start: int, end: int) -> Iterator[Box]:
    for line in lines:
        first, last = max(start, line.start), min(end, line.end)
        if first >= last:
            continue
        letter = (line.x1 - line.x0) / (line.end - line.start)
        left = line.x0 + (first - line.start) * letter
        yield Box(line.page, left, line.y0, line.x0 + (last - line.start) * letter, line.y1)
