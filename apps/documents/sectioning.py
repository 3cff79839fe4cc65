"""From a parsed file to one canonical text with blocks, sections, pages and figures as spans of it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apps.documents.parsing.types import BlockKind, ParsedDocument

BLOCK_SEPARATOR = "\n\n"


@dataclass(frozen=True, slots=True)
class BlockSpan:
    """Where a block stands in the text; pages count from 1 and are None for formats without pages."""

    kind: BlockKind
    level: int
    start: int
    end: int
    page_from: int | None = None
    page_to: int | None = None
    header_rows: int = 0


@dataclass(frozen=True, slots=True)
class SectionSpan:
    """A heading with its own text, up to the next heading of any level.

    ``path`` holds the headings from the top down to this one. ``parent`` is the index of the section above, None at
    the top. ``first_block`` and ``last_block`` are indexes into the blocks, the last one exclusive.
    """

    heading: str
    level: int
    path: tuple[str, ...]
    parent: int | None
    start: int
    end: int
    page_from: int | None
    page_to: int | None
    first_block: int
    last_block: int


@dataclass(frozen=True, slots=True)
class LineSpan:
    """A printed line: characters of the text, and its box in PDF points from the top left of the page."""

    start: int
    end: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class PageLines:
    """A page with the lines that stand on it."""

    number: int
    width: float
    height: float
    is_recognised: bool
    lines: tuple[LineSpan, ...]


@dataclass(frozen=True, slots=True)
class SectionedDocument:
    """The text of a version and everything that points into it. Sections cover all blocks, in order."""

    text: str
    blocks: tuple[BlockSpan, ...]
    sections: tuple[SectionSpan, ...]
    pages: tuple[PageLines, ...]

    @property
    def figures(self) -> tuple[BlockSpan, ...]:
        """The blocks that are captions of pictures."""
        return tuple(block for block in self.blocks if block.kind is BlockKind.FIGURE)


def section_document(document: ParsedDocument) -> SectionedDocument:
    """Join the blocks by blank lines and find sections, pages and figures as spans of the joined text."""
    kept = [block for block in document.blocks if block.text.strip()]
    spans: list[BlockSpan] = []
    position = 0
    for block in kept:
        end = position + len(block.text)
        level = max(1, block.level) if block.kind is BlockKind.HEADING else 0
        spans.append(BlockSpan(block.kind, level, position, end, block.page_from, block.page_to, block.header_rows))
        position = end + len(BLOCK_SEPARATOR)
    text = BLOCK_SEPARATOR.join(block.text for block in kept)
    boxes: dict[int, list[LineSpan]] = {}
    for block, span in zip(kept, spans, strict=True):
        for line in block.lines:
            box = LineSpan(span.start + line.start, span.start + line.end, line.x0, line.y0, line.x1, line.y1)
            boxes.setdefault(line.page, []).append(box)
    pages = tuple(
        PageLines(page.number, page.width, page.height, page.is_recognised, tuple(boxes.get(page.number, ())))
        for page in document.pages
    )
    return section_text(text, spans, pages)


def section_text(text: str, blocks: Sequence[BlockSpan], pages: Sequence[PageLines] = ()) -> SectionedDocument:
    """Find the sections of a text whose blocks are known, as when a stored version is indexed again."""
    return SectionedDocument(text, tuple(blocks), tuple(_sections(text, blocks)), tuple(pages))


def page_range(spans: Sequence[BlockSpan | SectionSpan]) -> tuple[int | None, int | None]:
    """Return the first and last page of some spans, or two times None."""
    first = [span.page_from for span in spans if span.page_from is not None]
    last = [span.page_to for span in spans if span.page_to is not None]
    return (min(first) if first else None), (max(last) if last else None)


def _sections(text: str, blocks: Sequence[BlockSpan]) -> Iterator[SectionSpan]:
    starts = [index for index, block in enumerate(blocks) if block.kind is BlockKind.HEADING]
    if blocks and (not starts or starts[0] != 0):
        starts.insert(0, 0)
    above: list[tuple[int, SectionSpan]] = []
    for number, (first, last) in enumerate(zip(starts, [*starts, len(blocks)][1:], strict=True)):
        section = _section(text, blocks, first, last)
        # Text before the first heading belongs to no heading and has none below it.
        above = [(index, other) for index, other in above if 0 < other.level < section.level]
        if above:
            parent, other = above[-1]
            section = replace(section, parent=parent, path=(*other.path, *section.path))
        above.append((number, section))
        yield section


def _section(text: str, blocks: Sequence[BlockSpan], first: int, last: int) -> SectionSpan:
    head = blocks[first]
    heading = " ".join(text[head.start : head.end].split()) if head.kind is BlockKind.HEADING else ""
    page_from, page_to = page_range(blocks[first:last])
    return SectionSpan(
        heading=heading,
        level=head.level,
        path=(heading,) if heading else (),
        parent=None,
        start=head.start,
        end=blocks[last - 1].end,
        page_from=page_from,
        page_to=page_to,
        first_block=first,
        last_block=last,
    )
