"""ODT by zipfile and lxml over content.xml."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from apps.documents.parsing.archives import local_attribute, local_child, local_name, open_archive, read_xml
from apps.documents.parsing.cleaning import squeeze
from apps.documents.parsing.grid import Cell, lay_out, table_block
from apps.documents.parsing.html import hidden_warnings
from apps.documents.parsing.odfstyles import OdfStyles
from apps.documents.parsing.types import Block, BlockKind, ParsedDocument, ParsingError

_SKIPPED_NAMES = (
    "tracked-changes annotation annotation-end table-of-content alphabetical-index bibliography sequence-decls forms "
    "hidden-text hidden-paragraph ruby-text note-citation variable-decls user-field-decls title desc event-listeners"
)
_SKIPPED = frozenset(_SKIPPED_NAMES.split())
_LEVELS = 10
_MAX_REPEAT = 1000


def parse_odt(data: bytes, *, name: str = "") -> ParsedDocument:
    """Return the text with lists, tables, text boxes and notes. Raises ParsingError ``damaged`` or ``bomb``."""
    archive = open_archive(data)
    content = read_xml(archive, "content.xml")
    body = local_child(content, "body", "text")
    if body is None:
        raise ParsingError("damaged", "The file is damaged: it has no text part.")
    walker = OdtWalker(OdfStyles(read_xml(archive, "styles.xml"), content))
    blocks = tuple(walker.walk(body))
    facts = odf_facts(archive)
    first = next((block.text for block in blocks if block.kind is BlockKind.HEADING), "")
    return ParsedDocument(
        blocks,
        title=facts.get("title") or first,
        author=facts.get("initial-creator") or facts.get("creator", ""),
        language=facts.get("language", "").split("-")[0].lower(),
        warnings=hidden_warnings(tuple(walker.hidden)),
        hidden=tuple(walker.hidden),
    )


def odf_facts(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return title, creator and dates of meta.xml by local name."""
    meta = local_child(read_xml(archive, "meta.xml"), "meta")
    return {local_name(part): squeeze(part.text or "") for part in meta} if meta is not None else {}


@dataclass(slots=True)
class OdtWalker:
    """One walk over one text document; list and heading numbers count on while it goes."""

    styles: OdfStyles
    hidden: list[str] = field(default_factory=list)
    _outline: list[int] = field(default_factory=lambda: [0] * _LEVELS)
    _last_numbers: dict[str, list[int]] = field(default_factory=dict)
    _after: list[etree._Element] = field(default_factory=list)

    def walk(self, container: etree._Element, is_dark: bool = False) -> Iterator[Block]:
        """Yield the blocks of a body, section, cell, text box or note."""
        for element in container:
            name = local_name(element)
            if name == "h":
                yield from self._heading(element, is_dark)
            elif name == "p":
                yield from self._paragraph(element, is_dark)
            elif name == "list":
                yield from self._list(element, "", 1, is_dark)
            elif name == "table":
                yield from self._table(element, is_dark)
            elif name not in _SKIPPED and len(element):
                yield from self.walk(element, is_dark)

    def _heading(self, element: etree._Element, is_dark: bool) -> Iterator[Block]:
        text = squeeze(self._text(element, is_dark))
        written = local_attribute(element, "outline-level") or "1"
        level = min(int(written) if written.isdigit() else 1, _LEVELS)
        if text:
            self._outline[level - 1] += 1
            self._outline[level:] = [0] * (_LEVELS - level)
            label = self.styles.outline_label(level, self._outline)
            yield Block(BlockKind.HEADING, f"{label} {text}".strip(), level=level)
        yield from self._hanging(is_dark)

    def _paragraph(self, element: etree._Element, is_dark: bool, mark: str = "") -> Iterator[Block]:
        text = squeeze(self._text(element, is_dark), keep_lines=True)
        if text and mark:
            yield Block(BlockKind.LIST_ITEM, f"{mark} {text}")
        elif text and self.styles.is_title(local_attribute(element, "style-name") or ""):
            yield Block(BlockKind.HEADING, squeeze(text), level=1)
        elif text:
            yield Block(BlockKind.PARAGRAPH, text)
        yield from self._hanging(is_dark)

    def _hanging(self, is_dark: bool) -> Iterator[Block]:
        """Yield the notes and text boxes anchored in the paragraph just read."""
        waiting, self._after = self._after, []
        for element in waiting:
            filled = self.styles.has_dark_ground(local_attribute(element, "style-name") or "")
            yield from self.walk(element, is_dark or filled)

    def _text(self, element: etree._Element, is_dark: bool, is_hidden: bool = False) -> str:
        style = local_attribute(element, "style-name") or ""
        dark = is_dark or self.styles.has_dark_ground(style)
        was_hidden = is_hidden
        if not dark and self.styles.is_hidden(style):
            is_hidden = True
        elif is_hidden and self.styles.is_visibly_coloured(style):
            is_hidden = False
        parts = [element.text or ""]
        for child in element:
            parts.append(self._inline(child, dark, is_hidden))
            parts.append(child.tail or "")
        text = "".join(parts)
        if is_hidden and not was_hidden:
            if squeeze(text):
                self.hidden.append(squeeze(text))
            return ""
        return text

    def _inline(self, child: etree._Element, is_dark: bool, is_hidden: bool) -> str:
        name = local_name(child)
        if name in ("s", "tab"):
            return " "
        if name == "line-break":
            return "\n"
        if name == "note":
            self._after.extend(part for part in child if local_name(part) == "note-body")
            return ""
        if name in ("frame", "custom-shape", "rect", "g"):
            self._after.append(child)
            return ""
        return "" if name in _SKIPPED else self._text(child, is_dark, is_hidden)

    def _list(self, element: etree._Element, style: str, level: int, is_dark: bool) -> Iterator[Block]:
        style = local_attribute(element, "style-name") or style
        level = min(level, _LEVELS)
        numbers = self._last_numbers.setdefault(style, [0] * _LEVELS)
        if local_attribute(element, "continue-numbering") != "true" and not local_attribute(element, "continue-list"):
            numbers[level - 1 :] = [self.styles.list_start(style, place) - 1 for place in range(level, _LEVELS + 1)]
        for item in element:
            if local_name(item) not in ("list-item", "list-header"):
                continue
            mark = ""
            if local_name(item) == "list-item" and any(local_name(part) in ("p", "h") for part in item):
                start = local_attribute(item, "start-value") or ""
                numbers[level - 1] = int(start) if start.isdigit() else numbers[level - 1] + 1
                mark = self.styles.list_label(style, level, numbers)
            for part in item:
                if local_name(part) == "list":
                    yield from self._list(part, style, level + 1, is_dark)
                elif local_name(part) == "h":
                    yield from self._heading(part, is_dark)
                elif local_name(part) == "p":
                    yield from self._paragraph(part, is_dark, mark)
                    mark = ""
                else:
                    yield from self.walk([part], is_dark)  # type: ignore[arg-type]

    def _table(self, table: etree._Element, is_dark: bool) -> Iterator[Block]:
        rows = list(table_rows(table))
        headers = sum(1 for _, is_head in rows if is_head)
        grid = [[self._cell(cell, is_dark) for cell in row if local_name(cell) == "table-cell"] for row, _ in rows]
        if max((len(row) for row in grid), default=0) <= 1:
            yield from (Block(BlockKind.PARAGRAPH, cell.text) for row in grid for cell in row if cell.text)
            return
        block = table_block(lay_out(grid), header_rows=headers or int(len(rows) > 1))
        if block:
            yield block

    def _cell(self, cell: etree._Element, is_dark: bool) -> Cell:
        dark = is_dark or self.styles.has_dark_ground(local_attribute(cell, "style-name") or "")
        texts = [block.text.replace(" | ", ", ").replace("\n", "; ") for block in self.walk(cell, dark)]
        return Cell(
            squeeze(" ".join(texts)),
            columns=_count(cell, "number-columns-spanned"),
            rows=_count(cell, "number-rows-spanned"),
        )


def table_rows(table: etree._Element, is_head: bool = False) -> Iterator[tuple[etree._Element, bool]]:
    """Yield the visible rows of a table, also those in row groups, and whether they are header rows."""
    for child in table:
        name = local_name(child)
        if name == "table-row" and local_attribute(child, "visibility") not in ("collapse", "filter"):
            yield child, is_head
        elif name in ("table-header-rows", "table-rows", "table-row-group"):
            yield from table_rows(child, is_head or name == "table-header-rows")


def _count(element: etree._Element, attribute: str) -> int:
    text = local_attribute(element, attribute) or "1"
    return min(int(text), _MAX_REPEAT) if text.isdigit() and text != "0" and len(text) < 8 else 1
