"""Ruled tables become rows with cells; frames and rules around text do not."""

from __future__ import annotations

import io

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

from apps.documents.parsing.pdf import parse_pdf
from apps.documents.parsing.types import BlockKind
from tests.documents.parsing.pdf_files import Paper, filler

ROWS = [
    ["Partei", "Sitze", "Anteil"],
    ["Gelbe Liste", "12", "24 %"],
    ["Blaue Liste", "9", "18 %"],
    ["Rote Liste", "", "8 %"],
]


def table_pdf() -> bytes:
    out = io.BytesIO()
    style = getSampleStyleSheet()["BodyText"]
    SimpleDocTemplate(out, pagesize=A4).build(
        [
            Paragraph("Vor der Tabelle steht ein Satz, der sie ankündigt.", style),
            Table(ROWS, style=[("GRID", (0, 0), (-1, -1), 0.5, "black")]),
            Paragraph("Nach der Tabelle geht der Text einfach weiter.", style),
        ]
    )
    return out.getvalue()


def test_a_ruled_table_is_one_block_in_its_place() -> None:
    blocks = parse_pdf(table_pdf()).blocks
    assert [block.kind for block in blocks] == [BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.PARAGRAPH]
    table = blocks[1]
    assert table.text.split("\n") == [
        "Partei | Sitze | Anteil",
        "Gelbe Liste | 12 | 24 %",
        "Blaue Liste | 9 | 18 %",
        "Rote Liste |  | 8 %",
    ]
    assert table.header_rows == 1


def test_each_row_has_its_box() -> None:
    table = parse_pdf(table_pdf()).blocks[1]
    assert [table.text[line.start : line.end] for line in table.lines] == table.text.split("\n")
    tops = [line.y0 for line in table.lines]
    assert tops == sorted(tops)
    assert len(set(tops)) == 4


def test_framed_paragraphs_are_no_table() -> None:
    paper = Paper()
    for top in (60, 200, 340, 480):
        paper.canvas.rect(50, 842 - top - 110, 400, 110)
        filler(paper, 60, top + 20, 1)
    kinds = {block.kind for block in parse_pdf(paper.finished()).blocks}
    assert kinds == {BlockKind.PARAGRAPH}
