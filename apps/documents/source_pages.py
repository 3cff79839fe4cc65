"""A version's text as a reader sees it: blocks with the passage marked, and the boxes on a printed page. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from apps.documents.parsing.types import BlockKind, LineBox
from apps.documents.printed_letters import Letter, exact_boxes

# One stored block: kind, level, start, end, page_from, page_to, header_rows (see DocumentVersion.blocks).
StoredBlock = Sequence[object]
Span = tuple[int, int]
Cells = tuple[tuple["Run", ...], ...]

# A section shorter than this is shown with its neighbours, so that a reader sees what stands around it.
SHORT_SECTION = 600
LONGEST_WINDOW = 20_000
# A block up to this size is never cut.
WHOLE_BLOCK = 4_000
MOST_PAGES = 4


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text that is marked or not."""

    text: str
    is_marked: bool


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """One block to draw. ``rows`` is set for tables (header first), ``runs`` for everything else.

    ``is_cut_before`` and ``is_cut_after`` say that the block goes on outside the window.
    """

    kind: str
    level: int
    runs: tuple[Run, ...] = ()
    header: tuple[Cells, ...] = ()
    rows: tuple[Cells, ...] = ()
    holds_passage_start: bool = False
    is_cut_before: bool = False
    is_cut_after: bool = False


@dataclass(frozen=True, slots=True)
class MarkedBox:
    """A marked rectangle in PDF points from the top left of its page."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A printed page with its marks; sizes in PDF points from the top left."""

    number: int
    width: float
    height: float
    boxes: tuple[MarkedBox, ...]


def text_window(section: Span | None, passage: Span, length: int) -> Span:
    """Return how much of a text of ``length`` is shown: the section, or a stretch where that is too short or long."""
    start, end = passage
    low, high = section or passage
    if high - low < SHORT_SECTION:
        low, high = low - SHORT_SECTION, high + SHORT_SECTION
    low, high = min(low, start), max(high, end)
    if high - low > LONGEST_WINDOW:
        low = max(low, start - LONGEST_WINDOW // 2)
        high = min(high, low + LONGEST_WINDOW)
    return max(0, low), min(length, high)


def marked_runs(text: str, offset: int, start: int, end: int) -> tuple[Run, ...]:
    """Cut a text that begins at ``offset`` into runs, so that [start, end) of the whole is marked."""
    low, high = max(0, start - offset), max(0, min(len(text), end - offset))
    if low >= high:
        return (Run(text, False),) if text else ()
    parts = (Run(text[:low], False), Run(text[low:high], True), Run(text[high:], False))
    return tuple(part for part in parts if part.text)


def shown_blocks(text: str, blocks: Iterable[StoredBlock], *, window: Span, passage: Span) -> Iterator[ShownBlock]:
    """Yield the blocks that touch ``window``, with ``passage`` marked. Spans are characters of the version's text."""
    for kind, level, block_start, block_end, _from, _to, header_rows in blocks:
        span = (int(block_start), int(block_end))  # type: ignore[call-overload]
        if span[1] <= window[0] or span[0] >= window[1]:
            continue
        if kind == BlockKind.TABLE:
            yield _table(text, span, window, passage, int(header_rows))  # type: ignore[call-overload]
        else:
            yield _words(text, span, window, passage, str(kind), int(level))  # type: ignore[call-overload]


def without(blocks: Iterable[StoredBlock], held: Sequence[Span]) -> list[StoredBlock]:
    """Return the blocks that touch none of these spans."""
    return [
        block
        for block in blocks
        if not any(block[2] < high and low < block[3] for low, high in held)  # type: ignore[operator]
    ]


def passage_pages(blocks: Iterable[StoredBlock], passage: Span) -> range:
    """Return the numbers of the pages that the blocks around a passage stand on; empty for formats without pages."""
    touched = [block for block in blocks if block[2] < passage[1] and block[3] > passage[0]]  # type: ignore[operator]
    numbers = [int(page) for block in touched for page in block[4:6] if page is not None]  # type: ignore[call-overload]
    return range(min(numbers), max(numbers) + 1) if numbers else range(0)


def shown_page(
    number: int,
    size: tuple[float, float],
    lines: Sequence[Sequence[float]],
    *,
    text: str,
    passage: Span,
    letters: Sequence[Letter] = (),
) -> ShownPage:
    """Return a page with the boxes of a passage; ``lines`` as stored in Page.lines, ``letters`` as printed on it."""
    printed = [LineBox(int(line[0]), int(line[1]), number, *line[2:6]) for line in lines]
    boxes = [
        MarkedBox(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0)
        for box in exact_boxes(letters, printed, text, *passage)
    ]
    return ShownPage(number, *size, tuple(boxes))


def _table(text: str, span: Span, window: Span, passage: Span, heads: int) -> ShownBlock:
    """Rows are never cut; of a very long table only those in the window are drawn, always under their header."""
    is_long = span[1] - span[0] > WHOLE_BLOCK
    header, rows, offset = [], [], span[0]
    cut_before = cut_after = False
    for number, line in enumerate(text[span[0] : span[1]].split("\n")):
        end = offset + len(line)
        if number < heads:
            header.append(_cells(line, offset, passage))
        elif is_long and end <= window[0]:
            cut_before = True
        elif is_long and offset >= window[1]:
            cut_after = True
        else:
            rows.append(_cells(line, offset, passage))
        offset = end + 1
    holds = span[0] <= passage[0] < span[1] and passage[0] < passage[1]
    return ShownBlock(
        BlockKind.TABLE,
        0,
        header=tuple(header),
        rows=tuple(rows),
        holds_passage_start=holds,
        is_cut_before=cut_before,
        is_cut_after=cut_after,
    )


def _cells(line: str, offset: int, passage: Span) -> Cells:
    cells: list[tuple[Run, ...]] = []
    for cell in line.split(" | "):
        cells.append(marked_runs(cell, offset, *passage))
        offset += len(cell) + 3
    return tuple(cells)


def _words(text: str, span: Span, window: Span, passage: Span, kind: str, level: int) -> ShownBlock:
    low, high = span
    if high - low > WHOLE_BLOCK:
        low, high = max(low, window[0]), min(high, window[1])
        # Not in the middle of a word, but never past the passage.
        if low > span[0]:
            low = min(text.find(" ", low) + 1 or low, max(low, passage[0]))
        if high < span[1]:
            high = max(text.rfind(" ", low, high), min(high, passage[1]))
    return ShownBlock(
        kind,
        level,
        marked_runs(text[low:high], low, *passage),
        holds_passage_start=low <= passage[0] < high and passage[0] < passage[1],
        is_cut_before=low > span[0],
        is_cut_after=high < span[1],
    )
