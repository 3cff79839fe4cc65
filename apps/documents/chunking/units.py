"""Breaks sections into what is never cut: sentences, table rows, headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from apps.documents.chunking.types import ChunkSize, CountTokens, Group, Unit
from apps.documents.parsing.types import BlockKind
from apps.documents.sectioning import BlockSpan, SectionedDocument, SectionSpan
from apps.language.guessing import guess_language
from apps.language.sentences import split_sentences

# The only cut inside a sentence or a row: text without any full stop would otherwise make the embedder read for
# seconds (time grows with the square of the length). Nothing in 843 programme pages comes near it.
LONGEST_UNIT = 4000
# Fewer words than this say too little about their language.
_WORDS_TO_GUESS = 12


def group_units(document: SectionedDocument, cost: CountTokens, size: ChunkSize, language: str) -> Iterator[Group]:
    """One group per section with text of its own. Bare headings go to what follows, at the end to what precedes."""
    bare: tuple[Unit, ...] = ()
    ready: Group | None = None
    for number, section in enumerate(document.sections):
        units = (*bare, *_units(document, section, language))
        is_bare = all(unit.is_heading for unit in units)
        # A page that lists nothing but headings is a text of its own.
        if is_bare and cost(document.text[units[0].start : units[-1].end]) <= size.window:
            bare = units
            continue
        if ready:
            yield ready
        ready, bare = Group(number, units), ()
    if bare and ready:
        ready = Group(ready.section, (*ready.units, *bare))
    elif bare:
        ready = Group(len(document.sections) - 1, bare)
    if ready:
        yield ready


def _units(document: SectionedDocument, section: SectionSpan, language: str) -> Iterator[Unit]:
    text = document.text
    language = spoken_language(text[section.start : section.end], language)
    for index in range(section.first_block, section.last_block):
        block = document.blocks[index]
        if block.kind is BlockKind.HEADING and block.end - block.start <= LONGEST_UNIT:
            yield Unit(block.start, block.end, index, is_heading=True)
        elif block.kind is BlockKind.TABLE:
            yield from _rows(text, block, index)
        else:
            for span in split_sentences(text[block.start : block.end], language):
                yield from _capped(text, block.start + span.start, block.start + span.end, index)


def _rows(text: str, block: BlockSpan, index: int) -> Iterator[Unit]:
    rows = list(re.finditer(r"[^\n]+", text[block.start : block.end]))
    header = "\n".join(row.group() for row in rows[: block.header_rows])[:LONGEST_UNIT]
    for number, row in enumerate(rows):
        is_header = number < block.header_rows
        above = "" if is_header else header
        for unit in _capped(text, block.start + row.start(), block.start + row.end(), index):
            yield Unit(unit.start, unit.end, index, header=above, is_header=is_header)


def _capped(text: str, start: int, end: int, block: int) -> Iterator[Unit]:
    while end - start > LONGEST_UNIT:
        cut = text.rfind(" ", start + LONGEST_UNIT // 2, start + LONGEST_UNIT)
        cut = cut if cut > 0 else start + LONGEST_UNIT
        yield Unit(start, cut, block)
        start = cut + 1 if text[cut].isspace() else cut
    if text[start:end].strip():
        yield Unit(start, end, block)


# Remembered for a moment: a short section and its only chunk are mostly the same text.
@lru_cache(maxsize=4)
def spoken_language(text: str, default: str) -> str:
    """Return the language that a text is written in, ``default`` for a few words."""
    return guess_language(text, default) if len(text.split()) >= _WORDS_TO_GUESS else default
