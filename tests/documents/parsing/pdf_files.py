"""PDFs for the tests, drawn with reportlab at exact places: y is counted from the top of an A4 page."""

from __future__ import annotations

import io
from dataclasses import dataclass, field

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = A4


@dataclass
class Paper:
    """A canvas whose lines are placed by hand."""

    out: io.BytesIO = field(default_factory=io.BytesIO)

    def __post_init__(self) -> None:
        self.canvas = Canvas(self.out, pagesize=A4)

    def line(self, text: str, x: float, y: float, size: float = 10, font: str = "Helvetica") -> None:
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, HEIGHT - y, text)

    def lines(self, texts: list[str], x: float, y: float, size: float = 10, pitch: float = 13) -> float:
        """Print one line per text and return the y below the last one."""
        for text in texts:
            self.line(text, x, y, size)
            y += pitch
        return y

    def next_page(self) -> None:
        self.canvas.showPage()

    def finished(self) -> bytes:
        self.canvas.save()
        return self.out.getvalue()


FILLER = (
    "Der Ausschuss hat am Montag lange beraten und danach",
    "einen Vorschlag vorgelegt, der im Plenum besprochen",
    "wird und den die Fraktionen bis zum Freitag lesen und",
    "mit ihren eigenen Ideen vergleichen, bevor sie alle",
    "gemeinsam abstimmen und das Ergebnis bekannt machen.",
)


def filler(paper: Paper, x: float, y: float, paragraphs: int = 3) -> float:
    """Ordinary body text, so that a page has a body style and a usual line distance."""
    for _ in range(paragraphs):
        y = paper.lines(list(FILLER), x, y) + 8
    return y
