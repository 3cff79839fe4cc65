"""What every parser returns: a document as blocks in reading order. Pure; no Django."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum


class BlockKind(StrEnum):
    """What a block is. Chunking never cuts a table row; headings open sections."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"
    QUOTE = "quote"
    FIGURE = "figure"


@dataclass(frozen=True, slots=True)
class LineBox:
    """Where one printed line of a block stands.

    ``start`` and ``end`` are character offsets into ``Block.text`` (end exclusive). ``page`` counts from 1.
    The box is in PDF points with the origin at the top left of the page's crop box; y grows downwards.
    """

    start: int
    end: int
    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Block:
    """One heading, paragraph, list item, table or figure, as a reader sees it.

    ``level`` is 1 for the top heading and 0 for everything that is not a heading. A table's ``text`` has one
    row per line, cells separated by " | ", the header row first; ``header_rows`` says how many lines are header.
    A list item keeps its printed mark ("•", "1.") at the start of ``text``. ``page_from``/``page_to`` count from 1
    and are None for formats without pages. A figure's text is its caption or alternative text.
    """

    kind: BlockKind
    text: str
    level: int = 0
    page_from: int | None = None
    page_to: int | None = None
    header_rows: int = 0
    lines: tuple[LineBox, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """Size of one page in PDF points, and whether its text came from optical character recognition."""

    number: int
    width: float
    height: float
    is_recognised: bool = False


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A parsed file: blocks in reading order plus what the file says about itself.

    ``warnings`` are whole German-independent sentences for the editor (English source strings), such as
    "2 hidden passages were left out." ``needs_review`` is set when text came from OCR.
    """

    blocks: tuple[Block, ...]
    title: str = ""
    language: str = ""
    author: str = ""
    published: date | None = None
    address: str = ""
    pages: tuple[Page, ...] = ()
    warnings: tuple[str, ...] = ()
    needs_review: bool = False
    hidden: tuple[str, ...] = field(default=())


class ParsingError(Exception):
    """A file that cannot become a document. ``code`` is stable, ``reason`` is a sentence for the editor."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
