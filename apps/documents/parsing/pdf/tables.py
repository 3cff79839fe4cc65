"""Ruled tables: pdfplumber finds the cells on pages with rulings; the words in them are the visible ones."""

from __future__ import annotations

import contextlib
import io
import logging
from collections.abc import Sequence
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from apps.documents.parsing.pdf.geometry import Segment, TableRow, Word
from apps.documents.parsing.pdf.lines import joined_lines, segments_of
from apps.documents.parsing.pdf.paragraphs import clean

Box = tuple[float, float, float, float]

_MIN_HORIZONTAL = 4
_MIN_VERTICAL = 3
_THIN = 2.5
_LONG = 15.0
_NEAR = 3
_RECTANGLE_SEGMENTS = 6
_MAX_PATHS = 3000
_MIN_FILLED = 0.5
_SETTINGS = {"vertical_strategy": "lines", "horizontal_strategy": "lines"}


def has_rulings(page: pdfium.PdfPage) -> bool:
    """At least 4 horizontal and 3 vertical ruling lines that cross like a grid: 9 crossings on 3 by 3 lines."""
    horizontal, vertical = _rulings(page)
    if len(horizontal) < _MIN_HORIZONTAL or len(vertical) < _MIN_VERTICAL:
        return False
    rows, columns, crossings = set(), set(), 0
    for y, x0, x1 in horizontal:
        for x, y0, y1 in vertical:
            if x0 - _NEAR <= x <= x1 + _NEAR and y0 - _NEAR <= y <= y1 + _NEAR:
                rows.add(y)
                columns.add(x)
                crossings += 1
    return len(rows) >= 3 and len(columns) >= 3 and crossings >= 9


def _rulings(page: pdfium.PdfPage) -> tuple[set[tuple[int, int, int]], set[tuple[int, int, int]]]:
    """Horizontal lines as (y, x from, x to), vertical ones as (x, y from, y to), in points; a frame is four."""
    horizontal: set[tuple[int, int, int]] = set()
    vertical: set[tuple[int, int, int]] = set()
    width, height = page.get_size()
    for count, item in enumerate(page.get_objects(filter=(raw.FPDF_PAGEOBJ_PATH,), max_depth=3)):
        if count > _MAX_PATHS:
            return set(), set()
        left, bottom, right, top = item.get_bounds()
        wide, tall = right - left, top - bottom
        x0, y0, x1, y1 = (round(edge / 2) * 2 for edge in (left, bottom, right, top))
        if tall <= _THIN and wide >= _LONG:
            horizontal.add((y0, x0, x1))
        elif wide <= _THIN and tall >= _LONG / 2:
            vertical.add((x0, y0, y1))
        elif wide < _LONG or tall < _LONG / 2 or (wide > 0.9 * width and tall > 0.9 * height):
            continue
        elif raw.FPDFPath_CountSegments(item.raw) <= _RECTANGLE_SEGMENTS:
            horizontal |= {(y0, x0, x1), (y1, x0, x1)}
            vertical |= {(x0, y0, y1), (x1, y0, y1)}
    return horizontal, vertical


class TableFinder:
    """Opens the file with pdfplumber once, and only when a page has rulings."""

    def __init__(self, data: bytes, password: str | None) -> None:
        self.data = data
        self.password = password
        self._document: Any = None

    def close(self) -> None:
        if self._document is not None:
            # A file too broken for pdfplumber raises once more when it is closed.
            with contextlib.suppress(Exception):
                self._document.close()

    def take_tables(self, index: int, words: list[Word], number: int) -> tuple[list[Segment], list[Word]]:
        """The tables of one page as segments, and the words that stand outside of them."""
        found: list[Segment] = []
        for grid in self._grids(index):
            rows, used = _filled(grid, words, number)
            if _is_table(rows):
                found.append(_segment(rows, number))
                words = [word for word in words if id(word) not in used]
        return found, words

    def _grids(self, index: int) -> list[list[list[Box | None]]]:
        import pdfplumber

        logging.getLogger("pdfminer").setLevel(logging.ERROR)
        try:
            if self._document is None:
                self._document = pdfplumber.open(io.BytesIO(self.data), password=self.password or "")
            page = self._document.pages[index]
            left, top = page.bbox[0], page.bbox[1]
            grids = [[_cells(row, left, top) for row in table.rows] for table in page.find_tables(_SETTINGS)]
            page.close()
        except Exception:
            return []
        return grids


def _cells(row: Any, left: float, top: float) -> list[Box | None]:
    return [
        None if cell is None else (cell[0] - left, cell[1] - top, cell[2] - left, cell[3] - top) for cell in row.cells
    ]


def _filled(
    grid: Sequence[Sequence[Box | None]], words: Sequence[Word], number: int
) -> tuple[list[tuple[list[str], Box]], set[int]]:
    used: set[int] = set()
    rows = []
    for cells in grid:
        texts = []
        for cell in cells:
            inside = [] if cell is None else [word for word in words if id(word) not in used and _within(word, cell)]
            used |= {id(word) for word in inside}
            texts.append(_cell_text(inside, number))
        boxes = [cell for cell in cells if cell is not None]
        if boxes:
            rows.append((texts, _around(boxes)))
    return rows, used


def _within(word: Word, cell: Box) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return cell[0] - 1 <= x <= cell[2] + 1 and cell[1] - 1 <= y <= cell[3] + 1


def _cell_text(words: list[Word], number: int) -> str:
    text = ""
    for line in joined_lines(segments_of(words, number, 0, 0)):
        text += ("" if not text or text.endswith("\u2011") else " ") + clean(line.text)
        if line.hyphen:
            text += "\u2011"
    joined = "".join(
        piece if not index else ("-" if piece[:1].isupper() or piece[:1].isdigit() else "") + piece
        for index, piece in enumerate(text.split("\u2011"))
    )
    return joined.replace("|", "/")


def _around(boxes: Sequence[Box]) -> Box:
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def _is_table(rows: Sequence[tuple[list[str], Box]]) -> bool:
    """Two columns and two rows with two filled cells each, half of all cells filled."""
    columns = max((len(texts) for texts, _ in rows), default=0)
    if len(rows) < 2 or columns < 2:
        return False
    filled = sum(1 for texts, _ in rows for text in texts if text)
    full_rows = sum(1 for texts, _ in rows if sum(map(bool, texts)) >= 2)
    used_columns = sum(any(column < len(texts) and texts[column] for texts, _ in rows) for column in range(columns))
    return filled >= _MIN_FILLED * len(rows) * columns and used_columns >= 2 and full_rows >= 2


def _segment(rows: Sequence[tuple[list[str], Box]], number: int) -> Segment:
    box = _around([row[1] for row in rows])
    table = tuple(TableRow(" | ".join(texts), row_box) for texts, row_box in rows if any(texts))
    return Segment("", *box, box[1] + 8, 10.0, 400, number, table=table)
