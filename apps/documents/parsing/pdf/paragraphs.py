"""Lines to paragraphs, list items and headings; joined over columns and pages; blocks with exact line boxes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from apps.documents.parsing.pdf.continuing import goes_on
from apps.documents.parsing.pdf.furniture import BULLET
from apps.documents.parsing.pdf.geometry import Segment
from apps.documents.parsing.pdf.headings import Body, heading_groups, is_contents_page, is_large
from apps.documents.parsing.pdf.hyphenation import Join
from apps.documents.parsing.types import Block, BlockKind, LineBox

_GAP = 1.2
_INDENT = 0.8
_SHORT = 0.8
_SIZE_CHANGE = 1.2
_FOOTNOTE = 0.92
# A bracket opened so many lines before is looked for at a border.
_REMEMBERED = 3
# An entry of so many lines is written like prose.
_LONG_ENTRY = 3
_DASHES = "–—-"
_SENTENCE_END = re.compile(r"[.!?:;…][\"'”“«»)\]]*\d{0,3}$")
_NUMBERED = re.compile(r"^\s*(?:\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|[IVX]{1,5}\.)\s")


@dataclass(slots=True)
class Paragraph:
    """Lines that belong together, before they become text."""

    kind: BlockKind
    lines: list[Segment]
    region: int
    style: tuple[float, int] = (0.0, 0)
    is_note: bool = False
    level: int = 0
    block: Block | None = field(default=None)

    @property
    def is_open(self) -> bool:
        """Whether the last sentence goes on: no mark at its end, or a hyphen."""
        last = self.lines[-1]
        return bool(last.hyphen) or not _SENTENCE_END.search(last.text.strip())


def paragraphs_of(pages: Sequence[Sequence[Sequence[Segment]]], body: Body) -> list[Paragraph]:
    """Paragraphs of the whole document from regions per page, joined where a sentence runs over a border."""
    found: list[Paragraph] = []
    region_number = 0
    for regions in pages:
        contents = is_contents_page([line for region in regions for line in region])
        for region in regions:
            region_number += 1
            new = _of_region(region, region_number, body, contents, not found or not found[-1].is_open)
            found = _with_joined(found, new, body)
    return found


def _of_region(
    region: Sequence[Segment], number: int, body: Body, contents: bool, after_sentence: bool
) -> list[Paragraph]:
    headings = {} if contents else dict(heading_groups(region, body, after_sentence=after_sentence))
    right = max(line.x1 for line in region)
    found: list[Paragraph] = []
    index = 0
    while index < len(region):
        line = region[index]
        if index in headings:
            end = headings[index]
            style = (round(line.size * 2) / 2, line.weight)
            found.append(Paragraph(BlockKind.HEADING, list(region[index:end]), number, style))
            index = end
            continue
        if line.table:
            found.append(Paragraph(BlockKind.TABLE, [line], number))
            index += 1
            continue
        last = region[index - 1] if index else None
        current = found[-1] if found and found[-1].kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM) else None
        if current is None or last is None or contents or _starts(line, last, current, right, body):
            kind = BlockKind.LIST_ITEM if is_list_item(line.text) and not contents else BlockKind.PARAGRAPH
            note = line.size < _FOOTNOTE * body.size
            found.append(Paragraph(kind, [line], number, (line.size, line.weight), note))
        else:
            current.lines.append(line)
        index += 1
    return found


def is_list_item(text: str) -> bool:
    return bool(BULLET.match(text) or _NUMBERED.match(text))


def _starts(line: Segment, last: Segment, current: Paragraph, right: float, body: Body) -> bool:
    """Whether ``line`` begins a new paragraph after ``last``."""
    size = min(line.size, last.size)
    if line.angle != last.angle or abs(line.size - last.size) > _SIZE_CHANGE:
        return True
    if line.baseline - last.baseline > _GAP * body.pitch(size) or line.baseline < last.baseline:
        return True
    ended = bool(_SENTENCE_END.search(last.text.strip())) and not last.hyphen
    if BULLET.match(line.text):
        # A dash may also stand inside a sentence that runs over the line end.
        is_dash = line.text.strip()[0] in _DASHES
        return not is_dash or ended or last.text.rstrip().endswith(",") or current.kind is BlockKind.LIST_ITEM
    if not ended:
        return False
    if _NUMBERED.match(line.text) and (current.kind is BlockKind.LIST_ITEM or line.x0 <= current.lines[0].x0 + 1):
        return current.kind is BlockKind.LIST_ITEM or last.x1 < right - 2 * size
    inner = current.lines[1].x0 if len(current.lines) > 1 else None
    if inner is not None and abs(line.x0 - inner) > _INDENT * size:
        return True
    if inner is None and line.x0 > last.x0 + _INDENT * size and current.kind is not BlockKind.LIST_ITEM:
        return True
    left = min(piece.x0 for piece in current.lines)
    return last.x1 - left < _SHORT * (right - left)


def _with_joined(found: list[Paragraph], new: list[Paragraph], body: Body) -> list[Paragraph]:
    """Append a region's paragraphs; its first one continues the last open one where a sentence goes on."""
    if not new:
        return found
    open_one = next((p for p in reversed(found[-4:]) if not p.is_note), None)
    first = new[0]
    if open_one is not None and _continues(open_one, first, body):
        open_one.lines.extend(first.lines)
        new = new[1:]
    return found + new


def _continues(before: Paragraph, after: Paragraph, body: Body) -> bool:
    if (
        before.kind in (BlockKind.HEADING, BlockKind.TABLE)
        or after.kind is not BlockKind.PARAGRAPH
        or not before.is_open
    ):
        return False
    first, last = after.lines[0], before.lines[-1]
    if first.angle != last.angle or abs(first.size - last.size) > _SIZE_CHANGE or is_large(first, body):
        return False
    if first.page - last.page > 2:
        return False
    text = first.text.strip()
    if bool(last.hyphen) or text[:1].islower() or (text[:1] in "„(" and last.text.strip()[-1:] not in ".!?:"):
        return True
    said = " ".join(line.text.strip() for line in before.lines[-_REMEMBERED:])
    is_entry = before.kind is BlockKind.LIST_ITEM and len(before.lines) < _LONG_ENTRY
    return goes_on(said, text, in_list=is_entry)


def block_of(paragraph: Paragraph, join: Callable[[str, str, bool], Join]) -> Block | None:
    """The paragraph's text, hyphens at line ends resolved, with the offsets of each printed line."""
    if paragraph.kind is BlockKind.TABLE:
        return _table_block(paragraph.lines[0])
    text = ""
    boxes: list[LineBox] = []
    lines = [line for line in paragraph.lines if line.text.strip()]
    for index, line in enumerate(lines):
        piece = clean(line.text)
        if index and text and not lines[index - 1].hyphen and not text.endswith(" "):
            text += " "
        start = len(text)
        text += piece
        if line.hyphen and index + 1 < len(lines):
            choice = join(piece, clean(lines[index + 1].text), line.hyphen == "\u00ad")
            text += {Join.WORD: "", Join.KEEP: "-", Join.KEEP_BLANK: "- "}[choice]
        elif line.hyphen == "-":
            text += "-"
        boxes.append(LineBox(start, len(text.rstrip()), line.page, *_rounded(line.printed_box)))
    if not text.strip():
        return None
    pages = [line.page for line in lines]
    return Block(paragraph.kind, text, paragraph.level, min(pages), max(pages), 0, tuple(boxes))


def _table_block(segment: Segment) -> Block:
    """One line of text per row, the first one as header, and one box per row."""
    text = "\n".join(row.text for row in segment.table)
    boxes, start = [], 0
    for row in segment.table:
        boxes.append(LineBox(start, start + len(row.text), segment.page, *_rounded(row.box)))
        start += len(row.text) + 1
    return Block(BlockKind.TABLE, text, 0, segment.page, segment.page, 1, tuple(boxes))


def _rounded(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    return round(box[0], 2), round(box[1], 2), round(box[2], 2), round(box[3], 2)


_INVISIBLE = re.compile(
    "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufffe\uffff\x00-\x1f\x7f]|[\U000e0000-\U000e01ef]"
)
_LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}


def clean(text: str) -> str:
    """Ligatures spelled out, symbol-font bullets named, invisible characters and double blanks removed."""
    text = _INVISIBLE.sub("", text)
    text = re.sub("[\ufb00-\ufb06]", lambda match: _LIGATURES[match.group()], text)
    text = re.sub("^\\s*[\uf000-\uf0ff](?=\\s|$)", "•", text)
    return " ".join(text.split())
