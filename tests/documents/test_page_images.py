"""Page pictures and the boxes of quotes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from apps.documents.page_images import PageImageError, quote_boxes, render_page
from apps.documents.parsing.pdf import parse_pdf
from apps.documents.parsing.types import LineBox
from tests.documents.parsing.pdf_files import HEIGHT, WIDTH, Paper

LINES = [
    LineBox(0, 10, 1, 100, 50, 200, 60),
    LineBox(11, 31, 1, 100, 65, 300, 75),
    LineBox(31, 36, 2, 100, 40, 150, 50),
]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 10, [(1, 100, 200)]),
        (0, 5, [(1, 100, 150)]),
        (5, 21, [(1, 150, 200), (1, 100, 200)]),
        (11, 36, [(1, 100, 300), (2, 100, 150)]),
        (10, 11, []),
        (4, 4, []),
        (30, 99, [(1, 290, 300), (2, 100, 150)]),
    ],
)
def test_a_quote_is_boxed_line_by_line(start: int, end: int, expected: list[tuple[int, float, float]]) -> None:
    assert [(box.page, box.x0, box.x1) for box in quote_boxes(LINES, start, end)] == expected


def two_page_pdf() -> bytes:
    paper = Paper()
    paper.line("Die erste Seite.", 60, 100)
    paper.next_page()
    paper.canvas.rect(100, 500, 200, 100, fill=1)
    return paper.finished()


def test_a_page_is_drawn_at_the_wanted_scale() -> None:
    picture = Image.open(io.BytesIO(render_page(two_page_pdf(), 2, scale=2)))
    assert picture.format == "PNG"
    assert picture.size == pytest.approx((WIDTH * 2, HEIGHT * 2), abs=1)
    assert picture.convert("L").getpixel((400, int((HEIGHT - 550) * 2))) == 0


def test_a_path_is_read_like_bytes(tmp_path: Path) -> None:
    path = tmp_path / "zwei.pdf"
    path.write_bytes(two_page_pdf())
    assert render_page(path, 1) == render_page(path.read_bytes(), 1)


@pytest.mark.parametrize(("data", "page"), [(two_page_pdf(), 0), (two_page_pdf(), 3), (b"kein PDF", 1)])
def test_what_cannot_be_drawn_is_an_error(data: bytes, page: int) -> None:
    with pytest.raises(PageImageError):
        render_page(data, page)


def test_a_poster_is_drawn_smaller() -> None:
    paper = Paper()
    paper.canvas.setPageSize((8000, 8000))
    paper.canvas.drawString(100, 100, "Plakat")
    picture = Image.open(io.BytesIO(render_page(paper.finished(), 1)))
    assert picture.width * picture.height <= 12_100_000


def test_the_box_of_a_word_holds_its_ink() -> None:
    paper = Paper()
    paper.line("nnnn nnnn WORT nnnn nnnn", 60, 200, 14, "Courier")
    data = paper.finished()
    (block,) = parse_pdf(data).blocks
    start = block.text.index("WORT")
    (box,) = quote_boxes(block.lines, start, start + 4)
    picture = Image.open(io.BytesIO(render_page(data, 1, scale=2))).convert("L")
    left, right = int(box.x0 * 2), int(box.x1 * 2)
    inside = picture.crop((left, int(box.y0 * 2), right, int(box.y1 * 2)))
    assert inside.getextrema()[0] < 100
    assert right - left == pytest.approx(4 * 0.6 * 14 * 2, rel=0.1)
