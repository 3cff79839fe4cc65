"""XLSX through openpyxl: stored values, visible sheets, rows and columns only."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date, datetime, time
from typing import Any

from apps.documents.parsing.archives import open_archive
from apps.documents.parsing.cleaning import squeeze
from apps.documents.parsing.html import hidden_warnings
from apps.documents.parsing.tables import sheet_blocks
from apps.documents.parsing.types import Block, BlockKind, ParsedDocument, ParsingError

_HIDDEN = re.compile(rb"<(?:\w+:)?(row|col)\b([^>]*\bhidden=\"(?:1|true)\"[^>]*)>")
_ATTRIBUTE = re.compile(rb'\b(r|min|max)="(\d+)"')
_PERCENT = re.compile(r"0(?:\.(0+))?%")
_MAX_COLUMNS = 2000
_MAX_ROWS = 300_000


def parse_xlsx(data: bytes, *, name: str = "") -> ParsedDocument:
    """Return each visible sheet's tables under a heading with its name. Raises ParsingError ``too_large``."""
    archive = open_archive(data)
    from openpyxl import load_workbook

    # Read-only mode trusts nothing a sheet says about its size, and keeps one row in memory.
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        return _document(book, archive)
    except (ParsingError, MemoryError):
        raise
    except Exception as error:  # openpyxl names no errors of its own: a broken part can raise anything
        raise ParsingError("damaged", "The workbook is damaged.") from error


def _document(book: Any, archive: zipfile.ZipFile) -> ParsedDocument:
    blocks: list[Block] = []
    hidden: list[str] = []
    sheets = book.worksheets
    for sheet in sheets:
        if sheet.sheet_state != "visible":
            hidden.append(sheet.title)
            continue
        rows, left_out = _visible_rows(sheet, archive)
        hidden.extend(left_out)
        content = sheet_blocks(rows)
        if content and len(sheets) > 1:
            blocks.append(Block(BlockKind.HEADING, squeeze(sheet.title), level=1))
        blocks.extend(content)
    facts = book.properties
    return ParsedDocument(
        tuple(blocks),
        title=squeeze(facts.title or ""),
        author=squeeze(facts.creator or "") if facts.creator != "openpyxl" else "",
        warnings=hidden_warnings(tuple(hidden)),
        hidden=tuple(hidden),
    )


def _visible_rows(sheet: Any, archive: zipfile.ZipFile) -> tuple[list[list[str]], list[str]]:
    hidden_rows, hidden_columns = _hidden_places(sheet, archive)
    sheet.reset_dimensions()
    rows: list[list[str]] = []
    left_out: list[str] = []
    # Without max_col: with it, openpyxl pads each of a million absent rows to the full width.
    for number, row in enumerate(sheet.iter_rows(), start=1):
        line = [_shown(cell) for cell in row[:_MAX_COLUMNS]]
        if not any(line):
            rows += [[]] if rows and rows[-1] else []
            continue
        if len(rows) > _MAX_ROWS:
            raise ParsingError("too_large", f"A sheet has more than {_MAX_ROWS} rows.")
        if number in hidden_rows:
            left_out.extend(filter(None, [squeeze(" | ".join(filter(None, line)))]))
            continue
        if hidden_columns:
            left_out.extend(cell for place, cell in enumerate(line, start=1) if cell and place in hidden_columns)
            line = [cell for place, cell in enumerate(line, start=1) if place not in hidden_columns]
        rows.append(line)
    return rows, left_out


def _hidden_places(sheet: Any, archive: zipfile.ZipFile) -> tuple[set[int], set[int]]:
    """Return the numbers of hidden rows and columns, which read-only mode does not know."""
    path = str(getattr(sheet, "_worksheet_path", "")).lstrip("/")
    if path not in archive.namelist():
        return set(), set()
    rows: set[int] = set()
    columns: set[int] = set()
    for kind, attributes in _HIDDEN.findall(archive.read(path)):
        values = {key: int(value) for key, value in _ATTRIBUTE.findall(attributes)}
        if kind == b"row" and b"r" in values:
            rows.add(values[b"r"])
        elif kind == b"col" and b"min" in values and b"max" in values:
            columns.update(range(values[b"min"], min(values[b"max"], _MAX_COLUMNS) + 1))
    return rows, columns


def _shown(cell: Any) -> str:
    """Return a cell's value nearly as the sheet shows it: dates without midnight, percentages, no float noise."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, int | float):
        percent = _PERCENT.search(_number_format(cell))
        if percent:
            return f"{value * 100:.{len(percent.group(1) or '')}f} %"
        return str(value) if isinstance(value, int) else f"{value:.12g}"
    return str(value)


def _number_format(cell: Any) -> str:
    try:
        return str(getattr(cell, "number_format", "") or "")
    except (IndexError, KeyError):
        # A style number that the workbook does not define.
        return ""
