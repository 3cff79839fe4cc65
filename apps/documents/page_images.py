"""One printed page as a picture, and the boxes of a quotation on it. Pure; the source page calls it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import pypdfium2 as pdfium

from apps.documents.parsing.types import LineBox

# pdfium is not safe for threads.
_lock = Lock()


@dataclass(frozen=True, slots=True)
class QuoteBox:
    """A rectangle in PDF points from the top left of the page."""

    x0: float
    y0: float
    x1: float
    y1: float


def render_page(pdf: bytes, number: int, scale: float = 1.5) -> bytes:
    """Return page ``number`` (from 1) as PNG at ``scale`` pixels a point. Raises IndexError for a page that is not there."""
    with _lock:
        document = pdfium.PdfDocument(pdf)
        try:
            if not 1 <= number <= len(document):
                raise IndexError(number)
            page = document[number - 1]
            image = page.render(scale=scale).to_pil()
            page.close()
        finally:
            document.close()
    buffer = io.BytesIO()
    # Level 1: packing harder costs more time than the bytes are worth.
    image.save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def quote_boxes(lines: Sequence[LineBox], start: int, end: int) -> list[QuoteBox]:
    """Return one box per line that [start, end) touches; within a line, width is shared by characters."""
    boxes = []
    for line in lines:
        low, high = max(start, line.start), min(end, line.end)
        if low >= high:
            continue
        width = (line.x1 - line.x0) / (line.end - line.start)
        x0 = line.x0 + (low - line.start) * width
        boxes.append(QuoteBox(x0, line.y0, x0 + (high - low) * width, line.y1))
    return boxes
