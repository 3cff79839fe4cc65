"""Plain text: paragraphs at blank lines, with a modest guess at headings and list items."""

from __future__ import annotations

import re

from apps.documents.parsing.cleaning import clean_text, squeeze
from apps.documents.parsing.decoding import decode
from apps.documents.parsing.types import Block, BlockKind, ParsedDocument

_PARAGRAPH_BREAK = re.compile(r"\n[ \t]*\n")
_LIST_MARK = re.compile(r"^\s*(?:[-*•–·‣◦]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S")
_NUMBERED_HEADING = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[IVX]{1,5}\.|§\s*\d+[a-z]?)\s+\S")
_HEADING_LENGTH = 80
_LINE_END_HYPHEN = re.compile(r"(?<=[a-zäöüß])-\n[ \t]*(?=[a-zäöüß])(?!(?:und|oder|bzw|sowie|bis|als)\b)")
_UNDERLINE = re.compile(r"^\s*(={3,}|-{3,}|~{3,})\s*$")


def parse_plain(data: bytes, *, name: str = "") -> ParsedDocument:
    """Return the paragraphs of a text file in any usual charset."""
    text = clean_text(decode(data))
    blocks: list[Block] = []
    for part in _PARAGRAPH_BREAK.split(text.replace("\f", "\n\n")):
        blocks.extend(_blocks(part.strip("\n")))
    title = blocks[0].text if blocks and blocks[0].kind is BlockKind.HEADING else ""
    return ParsedDocument(tuple(blocks), title=title)


def _blocks(part: str) -> list[Block]:
    lines = [line for line in part.split("\n") if line.strip()]
    if not lines:
        return []
    if len(lines) > 1 and (underline := _UNDERLINE.match(lines[1])) and len(lines[0]) <= _HEADING_LENGTH:
        level = 1 if underline.group(1)[0] == "=" else 2
        return [Block(BlockKind.HEADING, squeeze(lines[0]), level=level), *_blocks("\n".join(lines[2:]))]
    if len(lines) == 1 and _is_heading(squeeze(lines[0])):
        return [_heading(squeeze(lines[0]))]
    blocks: list[Block] = []
    current: list[str] = []
    is_item = False
    for line in lines:
        if _LIST_MARK.match(line):
            blocks.extend(_joined(current, is_item))
            current, is_item = [], True
        current.append(line)
    blocks.extend(_joined(current, is_item))
    return blocks


def _joined(lines: list[str], is_item: bool) -> list[Block]:
    text = squeeze(_LINE_END_HYPHEN.sub("", "\n".join(lines)))
    return [Block(BlockKind.LIST_ITEM if is_item else BlockKind.PARAGRAPH, text)] if text else []


def _is_heading(line: str) -> bool:
    if len(line) > _HEADING_LENGTH or line[-1] in ".,;!?" or not any(c.isalpha() for c in line):
        return False
    if _NUMBERED_HEADING.match(line):
        return True
    words = line.split()
    return line[0].isupper() and len(words) <= 10 and not line.endswith(":") and not _LIST_MARK.match(line)


def _heading(line: str) -> Block:
    number = re.match(r"^\d{1,2}((?:\.\d{1,2})*)\.?\s", line)
    return Block(BlockKind.HEADING, line, level=min(6, 1 + number.group(1).count(".")) if number else 1)
