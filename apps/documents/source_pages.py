"""A version's text as a reader sees it: blocks with the passage marked, and the boxes on a printed page. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.documents.parsing.types import BlockKind

# One stored block: kind, level, start, end, page_from, page_to, header_rows (see DocumentVersion.blocks).
StoredBlock = Sequence[object]


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text that is marked or not."""

    text: str
    is_marked: bool


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """One block to draw. ``rows`` is set for tables (header first), ``runs`` for everything else."""

    kind: str
    level: int
    runs: tuple[Run, ...] = ()
    header: tuple[tuple[tuple[Run, ...], ...], ...] = ()
    rows: tuple[tuple[tuple[Run, ...], ...], ...] = ()
    holds_passage_start: bool = False


def marked_runs(text: str, offset: int, start: int, end: int) -> tuple[Run, ...]:
    """Cut a text that begins at ``offset`` into runs, so that [start, end) of the whole is marked."""
    low, high = max(0, start - offset), max(0, min(len(text), end - offset))
    if low >= high:
        return (Run(text, False),) if text else ()
    parts = (Run(text[:low], False), Run(text[low:high], True), Run(text[high:], False))
    return tuple(part for part in parts if part.text)


def _cells(line: str, offset: int, start: int, end: int) -> tuple[tuple[Run, ...], ...]:
    cells: list[tuple[Run, ...]] = []
    for cell in line.split(" | "):
        cells.append(marked_runs(cell, offset, start, end))
        offset += len(cell) + 3
    return tuple(cells)


def shown_blocks(
    text: str, blocks: Sequence[StoredBlock], *, window: tuple[int, int], passage: tuple[int, int]
) -> Iterator[ShownBlock]:
    """Yield the blocks that touch ``window``, with ``passage`` marked. Spans are characters of the version's text."""
    start, end = passage
    for kind, level, block_start, block_end, _from, _to, header_rows in blocks:
        low, high = int(block_start), int(block_end)  # type: ignore[call-overload]
        if high <= window[0] or low >= window[1]:
            continue
        holds = low <= start < high
        words = text[low:high]
        if kind == BlockKind.TABLE:
            rows, offset = [], low
            for line in words.split("\n"):
                rows.append(_cells(line, offset, start, end))
                offset += len(line) + 1
            heads = int(header_rows)  # type: ignore[call-overload]
            yield ShownBlock(str(kind), 0, (), tuple(rows[:heads]), tuple(rows[heads:]), holds)
        else:
            runs = marked_runs(words, low, start, end)
            yield ShownBlock(str(kind), int(level), runs, holds_passage_start=holds)  # type: ignore[call-overload]
