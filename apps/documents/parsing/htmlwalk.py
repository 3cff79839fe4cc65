"""Walks an HTML tree and yields blocks as a reader sees them. Used for uploaded HTML, Markdown, mail and feeds."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from apps.documents.parsing.cleaning import squeeze
from apps.documents.parsing.grid import Cell, lay_out, table_block
from apps.documents.parsing.ordinals import ordinal
from apps.documents.parsing.types import Block, BlockKind
from apps.documents.parsing.visibility import Look, StyleRules, look_of, read_rules

_DROPPED_TAGS = (
    "script style noscript template nav aside footer head svg button select input textarea iframe object embed canvas "
    "audio video map rp datalist progress meter frameset portal"
)
_BLOCK_TAGS = (
    "address article blockquote body center dd details dialog dir div dl dt fieldset figcaption figure form "
    "header hgroup hr html legend li main menu ol option p pre search section summary ul table caption"
)
_DROPPED = frozenset(_DROPPED_TAGS.split())
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_FURNITURE_ROLES = frozenset(("navigation", "banner", "contentinfo", "complementary", "search", "menu", "menubar"))
_ALT_WORDS = 4
_PARAGRAPH_BREAK = re.compile(r"\n\s*\n")


@dataclass(slots=True)
class HtmlWalker:
    """Collects ``blocks`` and the texts that were left out as ``hidden`` while walking one tree."""

    rules: StyleRules
    blocks: list[Block] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    _inline: list[str] = field(default_factory=list)
    _kind: BlockKind = BlockKind.PARAGRAPH
    _mark: str = ""

    def walk(self, element: etree._Element, look: Look) -> None:
        """Read one element with its children, but not its tail."""
        tag = element.tag.lower() if isinstance(element.tag, str) else ""
        if not tag or tag in _DROPPED or element.get("role") in _FURNITURE_ROLES:
            return
        own = look_of(element, look, self.rules)
        if own.is_hidden and not look.is_hidden:
            self._note_hidden(element)
        if own.is_hidden and not any("visible" in (e.get("style") or "") for e in element.iter("*")):
            return
        if tag in _HEADINGS:
            self._heading(element, own, _HEADINGS[tag])
        elif tag == "table":
            self._table(element, own)
        elif tag in ("ul", "ol", "menu", "dir"):
            self._list(element, own, tag == "ol")
        elif tag == "img":
            self._picture(element)
        elif tag == "br":
            self._inline.append("\n")
        elif tag == "pre":
            self._preformatted(element, own)
        elif tag in _BLOCKS:
            self._block(element, own, tag)
        else:
            self._children(element, own)

    def finish(self) -> list[Block]:
        """Close the open paragraph and return all blocks."""
        self._flush()
        return self.blocks

    def _children(self, element: etree._Element, look: Look) -> None:
        self._text(element.text, look)
        for child in element:
            self.walk(child, look)
            self._text(child.tail, look)

    def _text(self, text: str | None, look: Look) -> None:
        if text and not look.is_hidden:
            # Blanks of the source are one space; only <br> makes a line.
            self._inline.append(re.sub(r"[ \t\r\n\f]+", " ", text))

    def _block(self, element: etree._Element, look: Look, tag: str) -> None:
        self._flush()
        kind = self._kind
        if tag == "blockquote":
            self._kind = BlockKind.QUOTE
        elif tag == "figcaption":
            self._kind = BlockKind.FIGURE
        self._children(element, look)
        self._flush()
        self._kind = kind

    def _heading(self, element: etree._Element, look: Look, level: int) -> None:
        self._flush()
        text, rest = self._apart(element, look)
        if text:
            self.blocks.append(Block(BlockKind.HEADING, text, level=level))
        self.blocks.extend(block for block in rest if block.kind is BlockKind.FIGURE or block.kind is BlockKind.TABLE)

    def _apart(self, element: etree._Element, look: Look) -> tuple[str, list[Block]]:
        """Return an element's text on one line, and its blocks, read by a walker of its own."""
        inner = HtmlWalker(self.rules, hidden=self.hidden)
        inner._children(element, look)
        blocks = inner.finish()
        text = " ".join(_flat(block) for block in blocks if block.kind is not BlockKind.FIGURE or len(blocks) == 1)
        return squeeze(text), blocks

    def _preformatted(self, element: etree._Element, look: Look) -> None:
        self._flush()
        if not look.is_hidden:
            text = "\n".join(line.rstrip() for line in _all_text(element).split("\n")).strip("\n")
            if text.strip():
                self.blocks.append(Block(BlockKind.PARAGRAPH, squeeze(text, keep_lines=True)))

    def _list(self, element: etree._Element, look: Look, is_ordered: bool) -> None:
        self._flush()
        number = _whole_number(element.get("start"), 1)
        mark, self._mark = self._mark, ""
        for child in element:
            if not isinstance(child.tag, str):
                continue
            if child.tag.lower() != "li":
                self.walk(child, look)
                self._flush()
                continue
            number = _whole_number(child.get("value"), number)
            self._item(child, look, f"{ordinal(number, element.get('type') or '1')}." if is_ordered else "•")
            number += 1
        self._mark = mark

    def _item(self, element: etree._Element, look: Look, mark: str) -> None:
        own = look_of(element, look, self.rules)
        if own.is_hidden:
            if not look.is_hidden:
                self._note_hidden(element)
            return
        self._mark = mark
        self._children(element, own)
        self._flush()
        self._mark = ""

    def _table(self, element: etree._Element, look: Look) -> None:
        self._flush()
        rows = [row for row in element.iter("tr") if _owner(row, "table") is element]
        cells = [[c for c in row if isinstance(c.tag, str) and c.tag.lower() in ("td", "th")] for row in rows]
        if element.get("role") in ("presentation", "none") or max(map(len, cells), default=0) <= 1:
            self._children(element, look)
            self._flush()
            return
        for caption in element.iter("caption"):
            if _owner(caption, "table") is element:
                self.walk(caption, look)
                self._flush()
        headers = 0
        while headers < len(rows) and _is_header(rows[headers], cells[headers]):
            headers += 1
        width = max(map(len, cells), default=0)
        grid = [[self._cell(cell, row, look) for cell in line] for row, line in zip(rows, cells, strict=True)]
        block = table_block(lay_out(grid), header_rows=headers or int(width > 2 and len(rows) > 1))
        if block:
            self.blocks.append(block)

    def _cell(self, cell: etree._Element, row: etree._Element, look: Look) -> Cell:
        own = look_of(cell, look_of(row, look, self.rules), self.rules)
        text = ""
        if not own.is_hidden:
            text = self._apart(cell, own)[0]
        elif not look.is_hidden:
            self._note_hidden(cell)
        rows, columns = _whole_number(cell.get("rowspan"), 1), _whole_number(cell.get("colspan"), 1)
        return Cell(text, columns=max(1, columns), rows=max(1, rows))

    def _picture(self, element: etree._Element) -> None:
        alt = squeeze(element.get("alt") or "")
        in_figure = any(True for _ in element.iterancestors("figure"))
        if alt and (in_figure or len(alt.split()) >= _ALT_WORDS):
            self._flush()
            self.blocks.append(Block(BlockKind.FIGURE, alt))

    def _note_hidden(self, element: etree._Element) -> None:
        text = squeeze(" ".join(str(part) for part in element.itertext()))
        if text:
            self.hidden.append(text)

    def _flush(self) -> None:
        text = "".join(self._inline)
        self._inline.clear()
        for part in _PARAGRAPH_BREAK.split(text):
            clean = squeeze(part, keep_lines=True)
            if not clean:
                continue
            if self._mark:
                self.blocks.append(Block(BlockKind.LIST_ITEM, f"{self._mark} {clean}"))
                self._mark = ""
            else:
                self.blocks.append(Block(self._kind, clean))


def walk_html(root: etree._Element) -> HtmlWalker:
    """Return a finished walker over ``root`` (its ``blocks`` and ``hidden``)."""
    walker = HtmlWalker(read_rules(root))
    walker.walk(root, Look())
    walker.finish()
    walker.blocks = _joined_captions(walker.blocks)
    return walker


def _joined_captions(blocks: list[Block]) -> list[Block]:
    """Drop a picture's alternative text where the caption that follows says the same."""
    kept: list[Block] = []
    for block in blocks:
        if kept and kept[-1].kind is block.kind is BlockKind.FIGURE and kept[-1].text in block.text:
            kept[-1] = block
        else:
            kept.append(block)
    return kept


def _flat(block: Block) -> str:
    if block.kind is BlockKind.TABLE:
        return block.text.replace(" | ", ", ").replace("\n", "; ")
    return block.text


def _owner(element: etree._Element, tag: str) -> etree._Element | None:
    return next(element.iterancestors(tag), None)


def _is_header(row: etree._Element, cells: list[etree._Element]) -> bool:
    parent = row.getparent()
    if parent is not None and parent.tag == "thead":
        return True
    return bool(cells) and all(cell.tag == "th" for cell in cells)


def _all_text(element: etree._Element) -> str:
    return "".join(str(text) for text in element.itertext())


def _whole_number(text: str | None, default: int) -> int:
    found = re.match(r"\s*(-?\d{1,5})", text or "")
    return int(found.group(1)) if found else default
