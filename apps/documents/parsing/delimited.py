"""CSV files with any of the usual delimiters and charsets."""

from __future__ import annotations

import csv
import io
import statistics

from apps.documents.parsing.cleaning import clean_text
from apps.documents.parsing.decoding import decode
from apps.documents.parsing.tables import sheet_blocks
from apps.documents.parsing.types import BlockKind, ParsedDocument, ParsingError

_DELIMITERS = (";", "\t", "|", ",")
_SAMPLE_LINES = 20
_MAX_FIELD = 1_000_000


def parse_csv(data: bytes, *, name: str = "") -> ParsedDocument:
    """Return the table of a CSV file. Raises ParsingError ``damaged`` for a cell without an end."""
    text = clean_text(decode(data))
    csv.field_size_limit(_MAX_FIELD)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=choose_delimiter(text)))
    except csv.Error as error:
        raise ParsingError("damaged", "The table is damaged: a cell has no end.") from error
    blocks = sheet_blocks(rows)
    title = next((block.text for block in blocks if block.kind is BlockKind.HEADING), "")
    return ParsedDocument(tuple(blocks), title=title)


def choose_delimiter(text: str) -> str:
    """Return the delimiter with the largest minimum number of columns over the first 20 lines."""
    sample = [line for line in text[:200_000].splitlines() if line.strip()][:_SAMPLE_LINES]

    def columns(delimiter: str) -> tuple[float, float]:
        try:
            counts = [len(row) for row in csv.reader(sample, delimiter=delimiter) if row]
        except csv.Error:
            return (0, 0)
        return (min(counts), statistics.median(counts)) if counts else (0, 0)

    return max(_DELIMITERS, key=columns)
