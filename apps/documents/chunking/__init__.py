"""Cuts a sectioned document into chunks. Pure: token counts and the embedder are arguments. Called by indexing."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from apps.documents.chunking.ranges import find_ranges
from apps.documents.chunking.types import DEFAULT_SIZE, ChunkSize, ChunkSpan, CountTokens, Embed, Unit
from apps.documents.chunking.units import LONGEST_UNIT, group_units, spoken_language
from apps.documents.sectioning import SectionedDocument, page_range

__all__ = ["LONGEST_UNIT", "ChunkSize", "ChunkSpan", "chunk_context", "chunk_document"]

_PATH_SEPARATOR = " › "


def chunk_document(
    document: SectionedDocument,
    *,
    title: str,
    count_tokens: CountTokens,
    size: ChunkSize = DEFAULT_SIZE,
    language: str = "de",
    embed: Embed | None = None,
) -> list[ChunkSpan]:
    """Return the chunks in reading order; together they cover every block.

    With ``embed`` (texts to unit vectors, one row each) cuts fall where neighbouring sentences are least alike, no
    chunk is larger than ``size.window`` and none overlap. A single sentence or row over the window is one chunk.
    """
    # What the model adds to each text (prefix, marks), so that units can be summed.
    added = max(0, 2 * count_tokens("Wort") - count_tokens("Wort Wort"))
    pages = _PageIndex.of(document)

    def cost(part: str) -> int:
        return max(1, count_tokens(part) - added)

    chunks: list[ChunkSpan] = []
    for group in group_units(document, cost, size, language):
        context = partial(chunk_context, title, document.sections[group.section].path)
        for found in find_ranges(document.text, group, size, cost, embed):
            units = group.units[found.first : found.last]
            chunk = _chunk(document, group.section, units, context(_travelling_header(units)), pages)
            language_of_chunk = spoken_language(chunk.text, language)
            chunks.append(replace(chunk, token_count=found.tokens, language=language_of_chunk))
    return chunks


def chunk_context(title: str, path: Sequence[str], header: str = "") -> str:
    """Return the title, the heading path and the header rows of a table, one under the other."""
    headings = [heading for heading in path if heading.casefold() != title.casefold()]
    parts = (title, _PATH_SEPARATOR.join(headings), header)
    return "\n".join(part for part in parts if part)


def _chunk(
    document: SectionedDocument, section: int, units: Sequence[Unit], context: str, pages: _PageIndex
) -> ChunkSpan:
    """Return a chunk whose tokens and language are not told yet."""
    start, end = units[0].start, units[-1].end
    page_from, page_to = pages.range(start, end)
    if page_from is None:
        page_from, page_to = page_range(document.blocks[units[0].block : units[-1].block + 1])
    spoken = [unit for unit in units if not unit.is_heading and not unit.is_header] or list(units)
    return ChunkSpan(
        start=start,
        end=end,
        section=section,
        text=document.text[start:end],
        context=context,
        page_from=page_from,
        page_to=page_to,
        sentences=tuple((unit.start - start, unit.end - start) for unit in spoken),
    )


def _travelling_header(units: Sequence[Unit]) -> str:
    """Return the header rows of a table that began before this chunk."""
    return "" if units[0].is_header else units[0].header


@dataclass(frozen=True, slots=True)
class _PageIndex:
    """Printed lines in the order of the text: finds the pages of a span where the file has line boxes."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    numbers: tuple[int, ...]

    @classmethod
    def of(cls, document: SectionedDocument) -> _PageIndex:
        lines = sorted((line.start, line.end, page.number) for page in document.pages for line in page.lines)
        return cls(
            tuple(start for start, _, _ in lines),
            tuple(end for _, end, _ in lines),
            tuple(number for _, _, number in lines),
        )

    def range(self, start: int, end: int) -> tuple[int | None, int | None]:
        last = bisect_left(self.starts, end)
        first = max(0, bisect_right(self.starts, start) - 1)
        if first < last and self.ends[first] <= start:
            first += 1
        numbers = self.numbers[first:last]
        return (min(numbers), max(numbers)) if numbers else (None, None)
