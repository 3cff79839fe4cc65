"""Reads a file of rules: finds out what it is and returns its rows. Everything wrong with it is a sentence."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from difflib import get_close_matches
from typing import Any, Final

from apps.core.cleaning import clean_text
from apps.rules.exchange.columns import COLUMN_NAMES, Cells, to_columns
from apps.rules.exchange.decoding import decode
from apps.rules.exchange.formulas import unguard
from apps.rules.serialising import RuleFormatError, gettext_noop, rule_from_json

MOST_BYTES: Final = 20 * 2**20
MOST_ROWS: Final = 5_000
FORMAT: Final = "wegweiser-rules"
_MOST_COLUMNS: Final = 200
_DELIMITERS: Final = (",", ";", "\t")


@dataclass(frozen=True, slots=True)
class FileRow:
    """One rule of a file. ``cells`` hold texts in a table, JSON values in a JSON file; absent ones were not there.

    ``number`` is the row as a spreadsheet counts it, or the place in a JSON file, from 1.
    """

    number: int
    cells: Cells
    error: RuleFormatError | None = None


@dataclass(frozen=True, slots=True)
class RuleFile:
    """What a file holds. In a table (CSV, XLSX) the cells are still texts."""

    rows: tuple[FileRow, ...]
    is_table: bool


def read_file(data: bytes) -> RuleFile:
    """Return the rules of a CSV, XLSX or JSON file, told apart by what they begin with. Raises RuleFormatError."""
    if len(data) > MOST_BYTES:
        raise RuleFormatError(gettext_noop("The file is larger than %(size)s MB."), size=MOST_BYTES // 2**20)
    if data.startswith(b"PK\x03\x04"):
        return RuleFile(_table_rows(_workbook_rows(data)), is_table=True)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise RuleFormatError(gettext_noop("This is an old or protected Excel file. Save it as XLSX without password."))
    text = decode(data)
    if text.lstrip()[:1] in ("{", "["):
        return RuleFile(_json_rows(text), is_table=False)
    return RuleFile(_table_rows(_csv_rows(text)), is_table=True)


def _csv_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    skipped = 0
    if text[:4].lower() == "sep=":
        text, skipped = text.partition("\n")[2], 1
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    number = skipped
    try:
        for number, row in enumerate(rows, start=skipped + 1):
            yield number, row
    except csv.Error as error:
        sentence = gettext_noop(
            "The table cannot be read from row %(row)s on: a cell in quotation marks has no end, or is far too long."
        )
        raise RuleFormatError(sentence, row=number + 1) from error


def _delimiter(text: str) -> str:
    """Return the sign between cells: the one that makes the most known columns of the first row."""

    def known(delimiter: str) -> int:
        try:
            first = next(csv.reader(io.StringIO(text.lstrip(), newline=""), delimiter=delimiter), [])
        except csv.Error:
            return 0
        return len({_column_name(cell) for cell in first} & set(COLUMN_NAMES))

    return max(_DELIMITERS, key=known)


def _workbook_rows(data: bytes) -> Iterator[tuple[int, list[str]]]:
    from openpyxl import load_workbook

    from apps.documents.parsing.archives import open_archive
    from apps.documents.parsing.types import ParsingError

    try:
        open_archive(data)
        # Read-only mode keeps one row in memory and trusts nothing that a sheet says about its size.
        sheet = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False).worksheets[0]
        sheet.reset_dimensions()
        for number, row in enumerate(sheet.iter_rows(), start=1):
            yield number, [_cell_text(cell) for cell in row[:_MOST_COLUMNS]]
    except (RuleFormatError, MemoryError):
        raise
    except ParsingError as error:
        raise RuleFormatError(gettext_noop("The workbook cannot be opened: it is damaged or protected.")) from error
    except Exception as error:  # openpyxl names no errors of its own: a broken part can raise anything
        raise RuleFormatError(gettext_noop("The workbook cannot be opened: it is damaged or protected.")) from error


def _cell_text(cell: Any) -> str:
    """Return a workbook's value as its text in a CSV file would be: 1 for 1.0, ISO dates, 50 % for a share."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, int | float):
        is_share = "%" in str(getattr(cell, "number_format", ""))
        return f"{value * 100:.6g} %" if is_share else f"{value:.12g}"
    return str(value)


def _table_rows(rows: Iterable[tuple[int, Sequence[str]]]) -> tuple[FileRow, ...]:
    lines = iter(rows)
    names: list[str] = next(([*map(_column_name, row)] for _, row in lines if any(map(str.strip, row))), [])
    _check_names(names)
    found: list[FileRow] = []
    for number, row in lines:
        cells = [unguard(clean_text(cell)) for cell in row]
        if not any(cell.strip() for cell in cells):
            continue
        if any(cell.strip() for place, cell in enumerate(cells) if place >= len(names) or not names[place]):
            sentence = gettext_noop("Row %(row)s has a cell in a column without a name. Name the column or empty it.")
            raise RuleFormatError(sentence, row=number)
        cells += [""] * (len(names) - len(cells))
        found.append(FileRow(number, {name: cell for name, cell in zip(names, cells, strict=False) if name}))
        if len(found) > MOST_ROWS:
            raise RuleFormatError(gettext_noop("The file has more than %(most)s rules. Split it."), most=MOST_ROWS)
    return tuple(found)


def _column_name(cell: str) -> str:
    return unguard(clean_text(cell)).replace("\ufeff", "").strip().lower()


def _check_names(names: Sequence[str]) -> None:
    if "uid" not in names:
        sentence = gettext_noop("The file has no column “uid” in its first row, so no rule can be told from another.")
        raise RuleFormatError(sentence)
    for name in filter(None, names):
        if name not in COLUMN_NAMES:
            near = get_close_matches(name, COLUMN_NAMES, 1)
            if near:
                sentence = gettext_noop("There is no column “%(name)s”. Is “%(near)s” meant?")
                raise RuleFormatError(sentence, name=name[:80], near=near[0])
            sentence = gettext_noop("There is no column “%(name)s”. Correct its name or take the column out.")
            raise RuleFormatError(sentence, name=name[:80])
        if names.count(name) > 1:
            raise RuleFormatError(gettext_noop("The column “%(name)s” is there twice."), name=name)


def _json_rows(text: str) -> tuple[FileRow, ...]:
    try:
        data = _clean(json.loads(text, object_pairs_hook=_no_twins))
    except RuleFormatError:
        raise
    except json.JSONDecodeError as error:
        sentence = gettext_noop("The file is no JSON from line %(line)s, column %(column)s on.")
        raise RuleFormatError(sentence, line=error.lineno, column=error.colno) from error
    except (ValueError, RecursionError) as error:
        raise RuleFormatError(
            gettext_noop("The file's JSON is nested too deeply or has too large a number.")
        ) from error
    if isinstance(data, Mapping):
        if data.get("format") != FORMAT or data.get("version") != 1 or set(data) - {"format", "version", "rules"}:
            sentence = gettext_noop("The file is not in the format “%(format)s”, version 1.")
            raise RuleFormatError(sentence, format=FORMAT)
        data = data.get("rules")
    if not isinstance(data, list):
        raise RuleFormatError(gettext_noop("The file must hold a list of rules."))
    if len(data) > MOST_ROWS:
        raise RuleFormatError(gettext_noop("The file has more than %(most)s rules. Split it."), most=MOST_ROWS)
    return tuple(_json_row(number, rule) for number, rule in enumerate(data, start=1))


def _json_row(number: int, rule: Any) -> FileRow:
    try:
        rule_from_json(rule)
        return FileRow(number, to_columns(rule))
    except RuleFormatError as error:
        uid = rule.get("uid") if isinstance(rule, Mapping) else None
        return FileRow(number, {"uid": uid if isinstance(uid, str) else ""}, error)


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twin = next(name for place, (name, _) in enumerate(pairs) if name in dict(pairs[:place]))
        raise RuleFormatError(gettext_noop("A rule has the field “%(name)s” twice."), name=twin[:80])
    return found


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [_clean(each) for each in value]
    if isinstance(value, dict):
        return {clean_text(name): _clean(each) for name, each in value.items()}
    return value
