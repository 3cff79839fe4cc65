"""Small PDFs for tests, made on the spot."""

from __future__ import annotations

import io
from collections.abc import Sequence

from reportlab.lib.pagesizes import A5
from reportlab.pdfgen.canvas import Canvas


def printed(pages: Sequence[Sequence[str]]) -> bytes:
    """Return a PDF with these lines on each page; a first line with # is set large."""
    buffer = io.BytesIO()
    # Invariant: the same words give the same bytes, so that a second run meets the same checksum.
    canvas = Canvas(buffer, pagesize=A5, invariant=1)
    for lines in pages:
        height = A5[1] - 60
        for line in lines:
            is_heading = line.startswith("# ")
            canvas.setFont("Helvetica-Bold" if is_heading else "Helvetica", 18 if is_heading else 11)
            canvas.drawString(40, height, line.removeprefix("# "))
            height -= 34 if is_heading else 15
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()
