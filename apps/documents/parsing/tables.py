"""Rows of a sheet or a CSV file to blocks: rows stay records that travel with their header."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from apps.documents.parsing.cleaning import squeeze
from apps.documents.parsing.grid import table_block
from apps.documents.parsing.types import Block, BlockKind, ParsingError

# Wider tables become one small table per row: nobody, and no embedding, reads a line of 200 cells.
_WIDE = 12
_MAX_HEADERS = 4
_MAX_CELLS = 1_500_000
_NOTE_LENGTH = 40
_TITLE_LENGTH = 80
_MAX_TITLES = 3
_NUMBER = re.compile(r"^[-+−–]?[\s(]*[€$£]?\s?\d[\d.,'  ]*\)?\s*(?:%|€|\$|Euro|EUR|Mio\.?|Mrd\.?)?$")

Row = list[str]


def sheet_blocks(rows: Sequence[Sequence[str]]) -> list[Block]:
    """Return the blocks of one sheet: lines of a single cell as titles or paragraphs, the rest as tables.

    Raises ParsingError ``too_large`` above 1.5 million filled cells.
    """
    clean = [[squeeze(cell) for cell in row] for row in rows]
    if sum(sum(1 for cell in row if cell) for row in clean) > _MAX_CELLS:
        raise ParsingError("too_large", f"The table has more than {_MAX_CELLS} cells.")
    blocks: list[Block] = []
    for region in _regions(clean):
        blocks.extend(_region_blocks(region))
    return blocks


def is_number(text: str) -> bool:
    """Return whether a cell is a figure ("1.234,5", "23 %", "12 €") and so no column name."""
    return bool(_NUMBER.match(text))


def _regions(rows: list[Row]) -> Iterator[list[Row]]:
    """Split at empty rows, but only where a new table seems to begin: data rows keep the header above the gap."""
    region: list[Row] = []
    after_gap = False
    for row in rows:
        if not any(row):
            after_gap = True
            continue
        begins = _filled(row) == 1 or not any(map(is_number, row))
        if after_gap and region and begins and (_filled(row) == 1 or any(map(is_number, _flat(region)))):
            yield region
            region = []
        region.append(row)
        after_gap = False
    if region:
        yield region


def _region_blocks(region: list[Row]) -> Iterator[Block]:
    width = max(_filled(row) for row in region)
    rows = list(region)
    titles = 0
    while rows and width > 1 and _filled(rows[0]) == 1:
        text = _only(rows.pop(0))
        is_title = len(text) <= _TITLE_LENGTH and not text.endswith(".") and titles < _MAX_TITLES
        # Titles go one below the other, so that every record keeps them all in its heading path.
        yield Block(BlockKind.HEADING, text, level=2 + titles) if is_title else Block(BlockKind.PARAGRAPH, text)
        titles += is_title
    notes = []
    while rows and width > 1 and _filled(rows[-1]) == 1 and len(_only(rows[-1])) > _NOTE_LENGTH:
        notes.append(Block(BlockKind.PARAGRAPH, _only(rows.pop())))
    headers = _header_rows(rows)
    if width == 1:
        yield from _single_column(rows)
    elif width > _WIDE and headers < len(rows):
        yield from _records(rows, headers)
    else:
        block = table_block(rows, header_rows=headers)
        if block:
            yield block
    yield from reversed(notes)


def _single_column(rows: list[Row]) -> Iterator[Block]:
    texts = [_only(row) for row in rows]
    is_list = len(texts) > 2 and max(map(len, texts)) <= _TITLE_LENGTH
    if is_list and not is_number(texts[0]):
        yield Block(BlockKind.TABLE, "\n".join(texts), header_rows=1)
    else:
        yield from (Block(BlockKind.PARAGRAPH, text) for text in texts)


def _header_rows(rows: list[Row]) -> int:
    """Return how many rows are header: one, or all rows before the first figure where names span columns."""
    leading = 0
    while leading < len(rows) and not any(map(is_number, rows[leading])):
        leading += 1
    has_groups = any("" in row[row.index(next(filter(None, row))) :] for row in rows[: leading - 1])
    return leading if 1 < leading <= _MAX_HEADERS and leading < len(rows) and has_groups else 1


def _records(rows: list[Row], headers: int) -> Iterator[Block]:
    """Yield one table per row: its name as the header line, then "column | value" for every filled cell."""
    names = _column_names(rows[:headers])
    data = rows[headers:]
    key = next((column for column in range(len(names)) if _is_key(data, column)), 0)
    for row in data:
        if key >= len(row) or not row[key]:
            continue
        lines = [f"{names[key]} | {row[key]}"]
        pairs = zip(names, row, strict=False)
        lines += [f"{name} | {cell}" for column, (name, cell) in enumerate(pairs) if cell and column != key]
        yield Block(BlockKind.TABLE, "\n".join(lines), header_rows=1 if len(lines) > 1 else 0)


def _is_key(data: list[Row], column: int) -> bool:
    cells = [row[column] for row in data if column < len(row) and row[column]]
    return 2 * len(cells) > len(data) and sum(map(is_number, cells)) * 10 < len(cells)


def _column_names(headers: list[Row]) -> list[str]:
    """Join the header rows of each column; a group's name reaches to the next group of the row above."""
    width = max(map(len, headers))
    names: list[list[str]] = [[] for _ in range(width)]
    borders = {0}
    for row in headers:
        current = ""
        for column in range(width):
            cell = row[column] if column < len(row) else ""
            if cell or column in borders:
                current = cell
                borders.add(column)
            if current and current not in names[column]:
                names[column].append(current)
    return [", ".join(parts) for parts in names]


def _filled(row: Row) -> int:
    return sum(1 for cell in row if cell)


def _only(row: Row) -> str:
    return next(filter(None, row), "")


def _flat(rows: list[Row]) -> Iterator[str]:
    for row in rows:
        yield from row
