"""Main text of a crawled page: trafilatura finds it, its XML becomes our blocks."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from lxml import etree

from apps.documents.parsing.archives import raise_if_memory
from apps.documents.parsing.cleaning import squeeze
from apps.documents.parsing.grid import Cell, lay_out, table_block
from apps.documents.parsing.types import Block, BlockKind
from apps.documents.parsing.visibility import Look, StyleRules, look_of, read_rules

_LEAD_START = 50
_LEAD_LENGTH = 1500
_FURNITURE = ("nav", "footer", "aside", "head", "script", "a")
_CONTAINED = frozenset(("div", "p", "section", "article", "ul", "table", "h2", "h3"))
_NESTED = ("list", "table", "head", "p", "quote", "item")


def main_text_blocks(root: etree._Element) -> tuple[Block, ...]:
    """Return the blocks of the main text; empty when trafilatura finds none."""
    import trafilatura

    visible = copy.deepcopy(root)
    _drop_hidden(visible)
    try:
        found = trafilatura.extract(visible, output_format="xml", include_comments=False)
    except etree.XMLSyntaxError as error:
        raise_if_memory(error)
        found = None
    if not found:
        return ()
    # Recovering, since trafilatura copies attribute names of broken pages that XML does not allow.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, recover=True)
    page = etree.fromstring(found.encode("utf-8"), parser)
    main = page.find("main") if page is not None else None
    blocks: list[Block] = []
    for element in main if main is not None else ():
        blocks.extend(_blocks(element))
    lead = _lost_lead(visible, blocks)
    if lead:
        place = 1 if blocks and blocks[0].kind is BlockKind.HEADING else 0
        blocks.insert(place, Block(BlockKind.PARAGRAPH, lead))
    return tuple(blocks)


def _lost_lead(root: etree._Element, blocks: list[Block]) -> str:
    """Return the printed paragraph that the page describes itself with, where the main text lacks it.

    Trafilatura takes leads with names such as "teaser" for links to other pages. The page's own description tells
    them apart: it repeats this page's lead. It brings back 7 of the
    18 segments of html-de that were lost without it.
    """
    text = squeeze(" ".join(block.text for block in blocks))
    for description in _descriptions(root):
        start = description[:_LEAD_START].rstrip()
        if len(start) < _LEAD_START // 2 or start in text:
            continue
        found = [lead for lead in _paragraphs(root) if start in lead[: 2 * _LEAD_START]]
        if found:
            return min(found, key=len)
    return ""


def _paragraphs(root: etree._Element) -> Iterator[str]:
    for element in root.iter("p", "div", "h2", "h3"):
        if any(child.tag in _CONTAINED for child in element):
            continue
        text = squeeze("".join(str(part) for part in element.itertext()))
        if len(text) < _LEAD_LENGTH and next(element.iterancestors(*_FURNITURE), None) is None:
            yield text


def _descriptions(root: etree._Element) -> list[str]:
    names = ("description", "og:description")
    metas = [meta for meta in root.iter("meta") if (meta.get("property") or meta.get("name") or "").lower() in names]
    return [squeeze(meta.get("content") or "") for meta in metas]


def _drop_hidden(root: etree._Element) -> None:
    """Remove what inline styles and attributes hide, since trafilatura keeps some of it."""
    _prune(root, Look(), read_rules(root))


def _prune(element: etree._Element, look: Look, rules: StyleRules) -> None:
    for child in list(element):
        if not isinstance(child.tag, str):
            continue
        own = look_of(child, look, rules)
        if own.is_hidden and child.tag not in ("body", "main", "article"):
            _remove(child)
        else:
            _prune(child, own, rules)


def _remove(element: etree._Element) -> None:
    parent = element.getparent()
    if parent is None:
        return
    previous = element.getprevious()
    if element.tail and previous is not None:
        previous.tail = (previous.tail or "") + element.tail
    elif element.tail:
        parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def _blocks(element: etree._Element) -> list[Block]:
    tag = element.tag
    if tag == "head":
        level = element.get("rend") or "h2"
        return _block(BlockKind.HEADING, _text(element), int(level[1]) if level[1:].isdigit() else 2)
    if tag == "list":
        return _items(element)
    if tag == "table":
        return _table(element)
    if tag in ("quote", "code"):
        return _block(BlockKind.QUOTE if tag == "quote" else BlockKind.PARAGRAPH, _text(element))
    if tag == "graphic":
        return _block(BlockKind.FIGURE, element.get("alt") or "")
    if any(child.tag in ("list", "table") for child in element):
        inner = _block(BlockKind.PARAGRAPH, element.text or "")
        for child in element:
            inner += _blocks(child) + _block(BlockKind.PARAGRAPH, child.tail or "")
        return inner
    return _block(BlockKind.PARAGRAPH, _text(element))


def _block(kind: BlockKind, text: str, level: int = 0) -> list[Block]:
    clean = squeeze(text, keep_lines=kind is not BlockKind.HEADING)
    return [Block(kind, clean, level=level)] if clean else []


def _items(element: etree._Element) -> list[Block]:
    blocks: list[Block] = []
    is_ordered = element.get("rend") == "ol"
    for number, item in enumerate(element.iter("item"), start=1):
        own = squeeze(_text(item, skip=("list",)))
        if own:
            blocks += _block(BlockKind.LIST_ITEM, f"{number}. {own}" if is_ordered else f"• {own}")
    return blocks


def _table(element: etree._Element) -> list[Block]:
    rows = list(element.iter("row"))
    grid = [[Cell(_text(cell), columns=_span(cell)) for cell in row.iter("cell")] for row in rows]
    headers = 0
    while headers < len(rows) and all(cell.get("role") == "head" for cell in rows[headers].iter("cell")):
        headers += 1
    width = max(map(len, grid), default=0)
    if width <= 1:
        return [block for row in grid for cell in row for block in _block(BlockKind.PARAGRAPH, cell.text)]
    block = table_block(lay_out(grid), header_rows=headers or int(width > 2 and len(rows) > 1))
    return [block] if block else []


def _span(cell: etree._Element) -> int:
    text = cell.get("cols") or cell.get("span") or "1"
    return max(1, int(text)) if text.isdigit() and len(text) < 4 else 1


def _text(element: etree._Element, skip: tuple[str, ...] = ()) -> str:
    parts = [element.text or ""]
    for child in element:
        if child.tag == "lb":
            parts.append("\n")
        elif child.tag not in skip:
            inner = _text(child, skip)
            parts.append(f" {inner} " if child.tag in _NESTED else inner)
        parts.append(child.tail or "")
    return "".join(parts)
