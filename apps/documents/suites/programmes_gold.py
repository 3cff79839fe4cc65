"""The reference of programmes-2025: cleaned paged markdown, and what of it a parsed programme shows. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from apps.documents.parsing.types import BlockKind, ParsedDocument

_MARK = re.compile(r"^\[Seite (\d+); Abschnitt: ?(.*)\]$")
_PAGE_OFFSETS = {"cdu-csu": 2, "fdp": 1}
_LINE_NUMBERS = frozenset({"afd", "linke"})
_TICK = re.compile(r"^[vV✓] (?=\S)")
_LINE_NUMBER = re.compile(r"^(#*) ?(\d{1,4}(?: \d{4})?)(?= |$)")
_FIGURE = re.compile(r"<figure>.*?</figure>", re.DOTALL)
_OPTIONAL = "\ue000{}\ue001"
_DROPPED = re.compile(r"[\s\-‐‑–—−\u00ad\u200b\ufeff·•✓▪*_\\]+")
_QUOTES = str.maketrans(dict.fromkeys("„“”«»‟″", '"') | dict.fromkeys("’‘‚‛´`′", "'"))


@dataclass(frozen=True, slots=True)
class GoldBlock:
    """One paragraph of the reference. ``pages`` are the PDF pages on which it may be found."""

    text: str
    pages: tuple[int, ...]
    is_heading: bool


def gold_blocks(path: Path) -> list[GoldBlock]:
    """The reference blocks of one document, cleaned of recognition slips that are known by kind.

    A mark names the page on which its chunk ends. The other blocks of the chunk may stand one page earlier, or two
    where the chunk before it ended there (a divider page lies between). Text inside pictures is left out.
    """
    slug = path.stem
    found: list[GoldBlock] = []
    waiting: list[str] = []
    chunk: list[str] = []

    def close_block() -> None:
        if waiting:
            chunk.append("\n".join(waiting))
            waiting.clear()

    previous = 1
    for line in _FIGURE.sub("", path.read_text(encoding="utf-8")).splitlines():
        mark = _MARK.match(line)
        if mark:
            close_block()
            page = int(mark.group(1)) + _PAGE_OFFSETS.get(slug, 0)
            found += _chunk_blocks(chunk, max(previous, page - 2), page)
            chunk.clear()
            previous = page
        elif not line.strip():
            close_block()
        elif line.startswith("#"):
            close_block()
            chunk.append(_cleaned(line, slug))
        else:
            waiting.append(_cleaned(line, slug))
    return found


def _chunk_blocks(chunk: Sequence[str], first: int, page: int) -> list[GoldBlock]:
    blocks = []
    for index, text in enumerate(chunk):
        pages = (page,) if index == len(chunk) - 1 else tuple(range(min(first, page - 1), page + 1))
        heading = text.startswith("#")
        plain = text.lstrip("#").strip()
        if comparable(plain).strip("\ue000\ue0010123456789"):
            blocks.append(GoldBlock(plain, pages, heading))
    return blocks


def _cleaned(line: str, slug: str) -> str:
    """A leading number may be a line number or part of the text: it is set in marks that make it optional."""
    if slug == "bsw":
        return _TICK.sub("", line)
    if slug in _LINE_NUMBERS:
        return _LINE_NUMBER.sub(lambda match: match.group(1) + " " + _OPTIONAL.format(match.group(2)), line)
    return line


def stands_in(block: GoldBlock, text: str) -> bool:
    """Whether the block's comparable text occurs in ``text``, with or without its leading numbers."""
    plain = comparable(block.text)
    if "\ue000" not in plain:
        return plain in text
    pattern = re.escape(plain).replace("\ue000", "(?:").replace("\ue001", ")?")
    return re.search(pattern, text) is not None


def comparable(text: str) -> str:
    """The text without blanks, hyphens, dashes and list marks, quotation marks made equal."""
    return _DROPPED.sub("", unicodedata.normalize("NFKC", text).translate(_QUOTES))


def page_texts(document: ParsedDocument) -> dict[int, str]:
    """Per page the comparable text of every block that touches it."""
    texts: dict[int, list[str]] = {page.number: [] for page in document.pages}
    for block in document.blocks:
        plain = comparable(block.text)
        for page in range(block.page_from or 0, (block.page_to or 0) + 1):
            texts.setdefault(page, []).append(plain)
    return {page: "".join(parts) for page, parts in texts.items()}


def found_on_page(blocks: Iterable[GoldBlock], document: ParsedDocument) -> list[bool]:
    """For each reference block whether it stands word for word on one of its pages."""
    texts = page_texts(document)
    return [any(stands_in(block, texts.get(page, "")) for page in block.pages) for block in blocks]


def found_headings(blocks: Iterable[GoldBlock], document: ParsedDocument) -> list[bool]:
    """For each reference heading whether the parser printed it as a heading on one of its pages (or its neighbours)."""
    by_page: dict[int, str] = {}
    for block in document.blocks:
        if block.kind is BlockKind.HEADING:
            for page in range(block.page_from or 0, (block.page_to or 0) + 1):
                by_page[page] = by_page.get(page, "") + comparable(block.text.casefold())
    return [_has_heading(block, by_page) for block in blocks if block.is_heading]


def _has_heading(block: GoldBlock, by_page: dict[int, str]) -> bool:
    folded = replace(block, text=block.text.casefold())
    return any(stands_in(folded, by_page.get(page, "")) for page in block.pages)
