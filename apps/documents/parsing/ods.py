"""ODS by zipfile and lxml over content.xml: the shown text of each cell of the visible sheets."""

from __future__ import annotations

from lxml import etree

from apps.documents.parsing.archives import local_attribute, local_child, local_name, open_archive, read_xml
from apps.documents.parsing.cleaning import squeeze
from apps.documents.parsing.html import hidden_warnings
from apps.documents.parsing.odfstyles import OdfStyles
from apps.documents.parsing.odt import odf_facts, table_rows
from apps.documents.parsing.tables import sheet_blocks
from apps.documents.parsing.types import Block, BlockKind, ParsedDocument, ParsingError

_MAX_COLUMNS = 2000
_MAX_REPEATED_ROWS = 1000


def parse_ods(data: bytes, *, name: str = "") -> ParsedDocument:
    """Return each visible sheet's tables under a heading with its name. Raises ParsingError ``damaged``."""
    archive = open_archive(data)
    content = read_xml(archive, "content.xml")
    book = local_child(content, "body", "spreadsheet")
    if book is None:
        raise ParsingError("damaged", "The file is damaged: it has no sheets.")
    styles = OdfStyles(content)
    sheets = [element for element in book if local_name(element) == "table"]
    blocks: list[Block] = []
    hidden: list[str] = []
    for sheet in sheets:
        title = squeeze(local_attribute(sheet, "name") or "")
        style = local_attribute(sheet, "style-name") or ""
        if styles.property(style, "table-properties", "display") == "false":
            hidden.append(title)
            continue
        rows = [line for row, _ in table_rows(sheet) for line in _repeated(row, styles)]
        found = sheet_blocks(rows)
        if found and len(sheets) > 1:
            blocks.append(Block(BlockKind.HEADING, title, level=1))
        blocks.extend(found)
    facts = odf_facts(archive)
    return ParsedDocument(
        tuple(blocks),
        title=facts.get("title", ""),
        author=facts.get("initial-creator") or facts.get("creator", ""),
        warnings=hidden_warnings(tuple(hidden)),
        hidden=tuple(hidden),
    )


def _repeated(row: etree._Element, styles: OdfStyles) -> list[list[str]]:
    """Return a row as often as the file repeats it; empty rows once, since files end in a million of them."""
    line: list[str] = []
    for cell in row:
        if local_name(cell) not in ("table-cell", "covered-table-cell"):
            continue
        is_hidden = styles.is_hidden(local_attribute(cell, "style-name") or "")
        text = "" if is_hidden or local_name(cell) == "covered-table-cell" else _shown(cell)
        line += [text] * min(_repeats(cell, "number-columns-repeated"), _MAX_COLUMNS - len(line))
    times = min(_repeats(row, "number-rows-repeated"), _MAX_REPEATED_ROWS) if any(line) else 1
    return [line] * times


def _shown(cell: etree._Element) -> str:
    paragraphs = [part for part in cell if local_name(part) == "p"]
    return squeeze(" ".join("".join(str(text) for text in part.itertext()) for part in paragraphs))


def _repeats(element: etree._Element, attribute: str) -> int:
    text = local_attribute(element, attribute) or "1"
    return int(text) if text.isdigit() and len(text) < 8 else 1
