"""Table cells to the text of a table block: merged cells are repeated, so that every row reads alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.documents.parsing.cleaning import squeeze
from apps.documents.parsing.types import Block, BlockKind

_MAX_COLUMNS = 500
_MAX_CELLS = 400_000


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell as the file stores it, with the columns and rows that it covers (1 or more)."""

    text: str
    columns: int = 1
    rows: int = 1


def lay_out(rows: Sequence[Sequence[Cell]]) -> list[list[str]]:
    """Return the rectangular grid of texts; a merged cell appears in every place it covers.

    A cell over the whole width (a title inside the table) appears once. Spans beyond the table are cut, and so are
    columns beyond 500, since a file may claim any number.
    """
    open_spans: dict[int, tuple[int, str]] = {}
    grid: list[list[str]] = []
    cells = 0
    for number, row in enumerate(rows):
        line: list[str] = []
        waiting = list(row)
        while len(line) < _MAX_COLUMNS and (waiting or len(line) in open_spans):
            column = len(line)
            if column in open_spans:
                left, text = open_spans.pop(column)
                line.append(text)
                if left > 1:
                    open_spans[column] = (left - 1, text)
                continue
            cell = waiting.pop(0)
            covered_rows = min(cell.rows, len(rows) - number)
            for place in range(column, min(column + max(cell.columns, 1), _MAX_COLUMNS)):
                line.append(cell.text)
                if covered_rows > 1:
                    open_spans[place] = (covered_rows - 1, cell.text)
        cells += len(line)
        if cells > _MAX_CELLS:
            break
        is_title = len(row) == 1 and row[0].columns > 1 and len(line) == min(row[0].columns, _MAX_COLUMNS)
        grid.append([row[0].text] + [""] * (len(line) - 1) if is_title else line)
    return grid


def table_block(grid: Sequence[Sequence[str]], *, header_rows: int) -> Block | None:
    """Return a table block without empty rows and columns, or None when nothing is left.

    ``header_rows`` counts rows of ``grid``; empty ones among them are not counted in the block.
    """
    rows = [[_cell_text(cell) for cell in row] for row in grid]
    width = max((len(row) for row in rows), default=0)
    used = [column for column in range(width) if any(column < len(row) and row[column] for row in rows)]
    lines: list[str] = []
    headers = 0
    for number, row in enumerate(rows):
        if not any(row):
            continue
        lines.append(" | ".join(row[column] if column < len(row) else "" for column in used).rstrip())
        headers += number < header_rows
    if not lines:
        return None
    return Block(BlockKind.TABLE, "\n".join(lines), header_rows=headers if headers < len(lines) else 0)


def _cell_text(text: str) -> str:
    return squeeze(text).replace(" | ", " / ")
