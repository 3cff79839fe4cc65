"""Rules as files: CSV and XLSX with one row per rule, JSON with everything."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from apps.rules.exchange.files import FORMAT
from apps.rules.exchange.resource import RuleResource, spec_row
from apps.rules.serialising import RuleFormatError, gettext_noop, rule_to_json
from apps.rules.types import RuleSpec

# A longer text in one cell is cut off by spreadsheet programs without a word.
MOST_CELL: Final = 32_767
_COLUMN_WIDTH: Final = 24


class FileKind(StrEnum):
    """The formats, by their file name's ending. ``csv`` has semicolons, as German spreadsheet programs expect."""

    CSV = "csv"
    XLSX = "xlsx"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Export:
    """A file ready to be sent."""

    data: bytes
    content_type: str


def rules_export(specs: Sequence[RuleSpec], kind: FileKind, *, delimiter: str = ";") -> Export:
    """Return the rules in a file that ``read_file`` reads back as the same rules.

    Raises RuleFormatError where a rule has a text that is too long for a cell of a workbook.
    """
    if kind is FileKind.JSON:
        document = {"format": FORMAT, "version": 1, "rules": [rule_to_json(spec) for spec in specs]}
        return Export(json.dumps(document, ensure_ascii=False, indent=1).encode(), "application/json")
    table = RuleResource().export([spec_row(spec) for spec in specs])
    table.title = "rules"
    if kind is FileKind.CSV:
        # The byte order mark tells spreadsheet programs that it is UTF-8.
        text = table.export("csv", delimiter=delimiter)
        return Export(text.encode("utf-8-sig"), "text/csv; charset=utf-8")
    for spec, row in zip(specs, table, strict=True):
        for name, cell in zip(table.headers, row, strict=True):
            if len(cell) > MOST_CELL:
                sentence = gettext_noop(
                    "The rule “%(uid)s” has more in the column “%(name)s” than a cell of a workbook can hold. "
                    "Export it as CSV or JSON."
                )
                raise RuleFormatError(sentence, uid=spec.uid, name=name)
    data = table.export("xlsx", column_width=_COLUMN_WIDTH)
    return Export(data, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
