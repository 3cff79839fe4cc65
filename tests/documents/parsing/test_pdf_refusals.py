"""Files that cannot become a document are refused with a code, scans are read or refused."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from apps.documents.parsing.pdf import ocr, parse_pdf
from apps.documents.parsing.pdf.opening import open_pdf
from apps.documents.parsing.types import ParsingError
from tests.documents.parsing.pdf_files import Paper, filler


def text_pdf(pages: int = 1, encrypt: str | None = None) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, encrypt=encrypt)
    for _ in range(pages):
        canvas.drawString(60, 700, "Ein Satz auf einer Seite.")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def scan_pdf(lines: list[str], *, text_pages: int = 0) -> bytes:
    picture = Image.new("L", (1240, 1754), 255)
    draw = ImageDraw.Draw(picture)
    for row, line in enumerate(lines):
        draw.text((150, 200 + 70 * row), line, fill=0, font=ImageFont.load_default(40))
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    canvas.drawImage(ImageReader(picture), 0, 0, *A4)
    canvas.showPage()
    for page in range(text_pages):
        canvas.drawString(60, 700 - 30 * page, "Diese Seite hat eine richtige Textebene mit Worten.")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def empty_page_pdf() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


REFUSED = {
    "no bytes": (b"", "empty"),
    "only blanks": (b" \n\n ", "empty"),
    "not a PDF": (b"<html>Guten Tag</html>", "damaged"),
    "half a file": (text_pdf(3)[:700], "damaged"),
    "locked": (text_pdf(encrypt="geheim"), "encrypted"),
    "an empty page": (empty_page_pdf(), "no_text"),
}


@pytest.mark.parametrize(("data", "code"), REFUSED.values(), ids=REFUSED)
def test_a_file_is_refused_with_a_code(data: bytes, code: str) -> None:
    with pytest.raises(ParsingError) as caught:
        parse_pdf(data)
    assert caught.value.code == code
    assert caught.value.reason.endswith(".")


def test_too_many_pages_are_refused_before_reading() -> None:
    with pytest.raises(ParsingError) as caught:
        open_pdf(text_pdf(4), max_pages=3)
    assert caught.value.code == "too_many_pages"


def test_a_password_opens_a_locked_file() -> None:
    document = parse_pdf(text_pdf(encrypt="geheim"), password="geheim")
    assert document.blocks[0].text == "Ein Satz auf einer Seite."


def test_a_scan_is_refused_without_recognition() -> None:
    with pytest.raises(ParsingError) as caught:
        parse_pdf(scan_pdf(["Guten Tag"]), ocr=False)
    assert caught.value.code == "scanned"


def test_a_scanned_page_among_text_pages_is_told() -> None:
    document = parse_pdf(scan_pdf(["Guten Tag"], text_pages=2), ocr=False)
    assert len(document.blocks) == 2
    assert document.warnings == ("These pages are pictures without text and were left out: 1.",)
    assert not document.needs_review


def test_a_picture_on_the_cover_of_a_text_is_not_read_as_a_scan() -> None:
    document = parse_pdf(scan_pdf(["Guten Tag"], text_pages=6))
    assert not document.needs_review
    assert not any(page.is_recognised for page in document.pages)
    assert document.warnings == ("These pages are pictures without text and were left out: 1.",)


@pytest.mark.skipif(ocr.tesseract() is None, reason="Tesseract is not installed.")
def test_a_scan_is_recognised_and_waits_for_review() -> None:
    document = parse_pdf(scan_pdf(["The council met on Monday", "and talked about housing."]))
    text = " ".join(block.text for block in document.blocks)
    assert "council met on Monday" in text
    assert document.needs_review
    assert document.pages[0].is_recognised
    line = document.blocks[0].lines[0]
    assert line.y0 == pytest.approx(200 / 1754 * A4[1], abs=15)
    assert line.x0 == pytest.approx(150 / 1240 * A4[0], abs=8)


def test_recognised_words_come_from_tesseracts_table() -> None:
    head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
    rows = [
        "4\t1\t1\t1\t1\t0\t20\t20\t200\t20\t-1\t",
        "5\t1\t1\t1\t1\t1\t20\t20\t80\t20\t95.5\tGuten",
        "5\t1\t1\t1\t1\t2\t110\t20\t60\t20\t91\tTag",
        "5\t1\t1\t1\t1\t3\t180\t20\t10\t20\t7\t|",
    ]
    words = ocr.words_of_table(head + "\n".join(rows), scale=2.0)
    assert [(word.text, word.x0, word.y1) for word in words] == [("Guten", 10, 20), ("Tag", 55, 20)]


def test_title_and_author_are_believed_when_they_are_printed() -> None:
    paper = Paper()
    paper.canvas.setTitle("Unser Programm")
    paper.canvas.setAuthor("Gelbe Liste")
    paper.line("Unser Programm für alle", 60, 60, 20)
    paper.line("Herausgegeben von der Gelben Liste: Gelbe Liste, Postfach 1", 60, 84)
    filler(paper, 60, 120)
    document = parse_pdf(paper.finished())
    assert (document.title, document.author) == ("Unser Programm", "Gelbe Liste")


def test_title_and_author_that_nobody_sees_are_left_out() -> None:
    paper = Paper()
    paper.canvas.setTitle("Vorlage_final_2.indd")
    paper.canvas.setAuthor("satz07")
    paper.line("Unser Programm für alle", 60, 60, 20)
    filler(paper, 60, 120)
    document = parse_pdf(paper.finished())
    assert (document.title, document.author) == ("Unser Programm für alle", "")
