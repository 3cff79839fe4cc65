"""Walks the body of a DOCX and yields blocks in reading order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lxml import etree

from apps.documents.parsing.archives import local_attribute, local_child, local_name
from apps.documents.parsing.cleaning import squeeze
from apps.documents.parsing.docx.numbering import BULLET, Numbering
from apps.documents.parsing.docx.runs import Surroundings, has_fill, is_run_hidden
from apps.documents.parsing.docx.styles import Styles, is_dark
from apps.documents.parsing.grid import Cell, lay_out, table_block
from apps.documents.parsing.types import Block, BlockKind

# Deleted text, moved-away text, field codes, properties, comments and the phonetic guide of ruby text.
_SKIPPED_NAMES = (
    "del moveFrom delText instrText delInstrText pPr rPr tblPr trPr tcPr sdtPr sdtEndPr rt annotationRef sectPr "
    "commentReference bookmarkStart bookmarkEnd proofErr softHyphen fldData lastRenderedPageBreak pgNum"
)
_SKIPPED = frozenset(_SKIPPED_NAMES.split())
_BREAKS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}
_DRAWINGS = frozenset(("drawing", "pict", "object"))
_ALT_WORDS = 4


@dataclass(slots=True)
class _Paragraph:
    """What one paragraph's runs yield: its text, and what hangs on it."""

    text: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    boxes: list[Block] = field(default_factory=list)
    notes: list[etree._Element] = field(default_factory=list)


@dataclass(slots=True)
class DocxWalker:
    """One walk over one document; list numbers count on while it goes."""

    styles: Styles
    numbering: Numbering
    notes: dict[tuple[str, str], etree._Element]
    hidden: list[str] = field(default_factory=list)
    title: str = ""

    def walk(self, container: etree._Element, around: Surroundings | None = None) -> Iterator[Block]:
        """Yield the blocks of a body, cell, text box or note."""
        around = around or Surroundings()
        for element in container:
            name = local_name(element)
            if name == "p":
                yield from self._paragraph(element, around)
            elif name == "tbl":
                yield from self._table(element, around)
            elif name == "AlternateContent":
                choice = _choice(element)
                if choice is not None:
                    yield from self.walk(choice, around)
            elif name not in _SKIPPED:
                # Content controls, insertions, smart tags: wrappers around what Word prints.
                yield from self.walk(element, around)

    def _paragraph(self, element: etree._Element, around: Surroundings) -> Iterator[Block]:
        properties = local_child(element, "pPr")
        style = self.styles.paragraph_style(properties)
        if is_dark(local_child(properties, "shd")):
            around = replace(around, is_dark=True)
        parts = _Paragraph()
        self._inline(element, replace(around, style=style), parts)
        hidden = squeeze("".join(parts.hidden))
        if hidden:
            self.hidden.append(hidden)
        text = squeeze("".join(parts.text), keep_lines=True)
        if text and not self.styles.is_table_of_contents(style):
            yield self._block(text, properties, style)
        yield from parts.boxes
        for note in parts.notes:
            yield from self.walk(note, around)

    def _block(self, text: str, properties: etree._Element | None, style: str) -> Block:
        level = self.styles.heading_level(style, properties)
        label = self.numbering.label(properties, style)
        if level:
            text = squeeze(text)
            if self.styles.is_title(style):
                self.title = self.title or text
            return Block(BlockKind.HEADING, f"{label} {text}" if label not in ("", BULLET) else text, level=level)
        if label:
            return Block(BlockKind.LIST_ITEM, f"{label} {text}")
        return Block(BlockKind.PARAGRAPH, text)

    def _inline(self, element: etree._Element, around: Surroundings, parts: _Paragraph) -> None:
        for child in element:
            name = local_name(child)
            if name == "r":
                is_hidden = is_run_hidden(child, around, self.styles)
                self._run(child, around, parts, parts.hidden if is_hidden else parts.text)
            elif name == "AlternateContent":
                choice = _choice(child)
                if choice is not None:
                    self._inline(choice, around, parts)
            elif name in _DRAWINGS:
                self._drawing(child, around, parts)
            elif name not in _SKIPPED:
                self._inline(child, around, parts)

    def _run(self, run: etree._Element, around: Surroundings, parts: _Paragraph, target: list[str]) -> None:
        for child in run:
            name = local_name(child)
            if name == "t":
                target.append(child.text or "")
            elif name in _BREAKS:
                is_page = local_attribute(child, "type") in ("page", "column")
                target.append(" " if is_page else _BREAKS[name])
            elif name in _DRAWINGS:
                self._drawing(child, around, parts)
            elif name == "AlternateContent":
                choice = _choice(child)
                if choice is not None:
                    self._run(choice, around, parts, target)
            elif name in ("footnoteReference", "endnoteReference"):
                key = (name.removesuffix("Reference"), local_attribute(child, "id") or "")
                # Popped: a note that refers to itself must not walk for ever.
                note = self.notes.pop(key, None)
                if note is not None:
                    parts.notes.append(note)
            elif name not in _SKIPPED and len(child):
                self._inline(child, around, parts)

    def _drawing(self, drawing: etree._Element, around: Surroundings, parts: _Paragraph) -> None:
        for box, filled in _text_boxes(drawing):
            inner = replace(around, is_dark=around.is_dark or filled)
            parts.boxes.extend(self.walk(box, inner))
        for picture in drawing.iter():
            if local_name(picture) == "docPr":
                alt = squeeze(picture.get("descr") or "")
                if len(alt.split()) >= _ALT_WORDS:
                    parts.boxes.append(Block(BlockKind.FIGURE, alt))

    def _table(self, table: etree._Element, around: Surroundings) -> Iterator[Block]:
        properties = local_child(table, "tblPr")
        style = local_attribute(local_child(properties, "tblStyle"), "val") or ""
        if self.styles.has_dark_shading(style):
            around = replace(around, is_dark=True)
        rows = [(row, list(_cells(row))) for row in _wrapped(table, "tr")]
        if max((len(cells) for _, cells in rows), default=0) <= 1:
            # One column is a frame around text, not a table.
            for _, cells in rows:
                for cell in cells:
                    yield from self.walk(cell, _in_cell(cell, around))
            return
        grid: list[list[Cell]] = []
        headers = 0
        for row, cells in rows:
            is_head = local_child(row, "trPr", "tblHeader") is not None
            headers += is_head and headers == len(grid)
            before = local_attribute(local_child(row, "trPr", "gridBefore"), "val")
            line = [Cell("", columns=min(int(before), 100))] if before and before.isdigit() and before != "0" else []
            grid.append(line + [Cell(self._cell_text(cell, around), columns=_span(cell)) for cell in cells])
        texts = _merge_down(lay_out(grid), [[(_span(cell), _merge(cell)) for cell in cells] for _, cells in rows])
        block = table_block(texts, header_rows=headers or int(len(rows) > 1))
        if block:
            yield block

    def _cell_text(self, cell: etree._Element, around: Surroundings) -> str:
        texts = []
        for block in self.walk(cell, _in_cell(cell, around)):
            is_table = block.kind is BlockKind.TABLE
            texts.append(block.text.replace(" | ", ", ").replace("\n", "; ") if is_table else block.text)
        return " ".join(texts)


def _choice(element: etree._Element) -> etree._Element | None:
    choice = local_child(element, "Choice")
    return choice if choice is not None else local_child(element, "Fallback")


def _text_boxes(element: etree._Element, filled: bool = False) -> Iterator[tuple[etree._Element, bool]]:
    """Yield each outermost text box in a drawing, and whether its shape is filled."""
    for child in element:
        name = local_name(child)
        if name == "txbxContent":
            yield child, filled
        elif name == "AlternateContent":
            choice = _choice(child)
            if choice is not None:
                yield from _text_boxes(choice, filled)
        elif len(child):
            yield from _text_boxes(child, filled or has_fill(child))


def _wrapped(container: etree._Element, name: str) -> Iterator[etree._Element]:
    """Yield the rows or cells of a table, also those inside content controls and tracked insertions."""
    for child in container:
        found = local_name(child)
        if found == name:
            is_deleted = name == "tr" and local_child(child, "trPr", "del") is not None
            if not is_deleted:
                yield child
        elif found in ("sdt", "sdtContent", "customXml", "ins", "bookmarkStart"):
            yield from _wrapped(child, name)


def _cells(row: etree._Element) -> Iterator[etree._Element]:
    yield from _wrapped(row, "tc")


def _in_cell(cell: etree._Element, around: Surroundings) -> Surroundings:
    shading = local_child(cell, "tcPr", "shd")
    return replace(around, is_dark=True) if is_dark(shading) else around


def _span(cell: etree._Element) -> int:
    text = local_attribute(local_child(cell, "tcPr", "gridSpan"), "val") or "1"
    return int(text) if text.isdigit() and 0 < len(text) < 4 else 1


def _merge(cell: etree._Element) -> str:
    merge = local_child(cell, "tcPr", "vMerge")
    return "" if merge is None else (local_attribute(merge, "val") or "continue")


def _merge_down(grid: list[list[str]], marks: list[list[tuple[int, str]]]) -> list[list[str]]:
    """Fill the continuation of vertically merged cells with the text above."""
    for number, line in enumerate(marks[: len(grid)]):
        column = len(grid[number]) - sum(span for span, _ in line)
        for span, mark in line:
            for place in range(max(column, 0), min(column + span, len(grid[number]))):
                if mark == "continue" and number and place < len(grid[number - 1]):
                    grid[number][place] = grid[number][place] or grid[number - 1][place]
            column += span
    return grid
