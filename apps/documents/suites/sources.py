"""The source page on real programmes: is a quotation boxed where it is printed, and how fast is the page drawn?"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from apps.core.suites import SuiteContext, SuiteResult, bench
from apps.documents.page_images import render_page
from apps.documents.parsing.pdf import parse_pdf
from apps.documents.parsing.types import BlockKind
from apps.documents.printed_letters import Letter, comparable, page_letters
from apps.documents.sectioning import PageLines, SectionedDocument, section_document
from apps.documents.source_pages import MarkedBox, ShownPage, passage_pages, shown_page
from apps.language.sentences import split_sentences

SEED = 20250223
SENTENCES = 500
SHORTEST, LONGEST = 60, 300
_PROSE = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of a programme as characters of its text."""

    path: Path
    start: int
    end: int


@bench("source", needs_data=True)
def measure_source(context: SuiteContext) -> SuiteResult:
    """500 random sentences of the programmes: boxed on the printed page, and the time to draw that page."""
    texts = {path: _read(path, context) for path in sorted((context.folder("programmes-2025") / "pdf").glob("*.pdf"))}
    every = [quote for path, text in texts.items() for quote in _quotes(path, text)]
    chosen = random.Random(SEED).sample(every, min(SENTENCES, len(every)))
    boxed, milliseconds, working, notes = 0, [], [], []
    for quote in sorted(chosen, key=lambda quote: (quote.path, quote.start)):
        text = texts[quote.path]
        wanted = text.text[quote.start : quote.end]
        pages = _marked(text, quote)
        found = "".join(_letters_under(quote.path, page.number, page.boxes) for page in pages)
        is_boxed = comparable(found) == comparable(wanted)
        boxed += is_boxed
        if not is_boxed:
            notes.append(f"{quote.path.stem}: {wanted!r} is marked as {found!r}")
        if pages:
            start, worked = time.perf_counter(), time.process_time()
            render_page(quote.path, pages[0].number)
            milliseconds.append((time.perf_counter() - start) * 1000)
            working.append((time.process_time() - worked) * 1000)
    median, late = np.percentile(milliseconds, [50, 95])
    figures = {
        "quote_boxed": boxed / len(chosen),
        "page_image_p50_ms": float(median),
        "page_image_p95_ms": float(late),
    }
    # Tells a busy machine from slow code.
    notes.append(f"Processor time of a page image: p95 {np.percentile(working, 95):.1f} ms.")
    return SuiteResult(n=len(chosen), figures=figures, notes=notes[-20:])


def _read(path: Path, context: SuiteContext) -> SectionedDocument:
    context.say(path.stem)
    return section_document(parse_pdf(path.read_bytes(), name=path.name))


def _quotes(path: Path, document: SectionedDocument) -> Iterator[Quote]:
    for block in document.blocks:
        if block.kind not in _PROSE:
            continue
        for span in split_sentences(document.text[block.start : block.end]):
            if SHORTEST <= span.end - span.start <= LONGEST:
                yield Quote(path, block.start + span.start, block.start + span.end)


def _marked(document: SectionedDocument, quote: Quote) -> list[ShownPage]:
    """Return the pages with boxes, found as the source page finds them."""
    blocks = [(b.kind, b.level, b.start, b.end, b.page_from, b.page_to, b.header_rows) for b in document.blocks]
    pages: dict[int, PageLines] = {page.number: page for page in document.pages}
    span = (quote.start, quote.end)
    shown = []
    for number in passage_pages(blocks, span):
        page = pages[number]
        lines = [(line.start, line.end, line.x0, line.y0, line.x1, line.y1) for line in page.lines]
        size, letters = (page.width, page.height), _letters(quote.path, number)
        shown.append(shown_page(number, size, lines, text=document.text, passage=span, letters=letters))
    return [page for page in shown if page.boxes]


def _letters_under(path: Path, number: int, boxes: Sequence[MarkedBox]) -> str:
    """Return the characters whose middle lies in the boxes, read by pdfium's own order of a line."""
    letters = _letters(path, number)
    found = []
    for box in boxes:
        corners = (box.x, box.y, box.x + box.width, box.y + box.height)
        inside = [letter for letter in letters if letter.is_inside(*corners)]
        found.append("".join(letter.text for letter in sorted(inside, key=lambda letter: letter.x0)))
    return "".join(found)


@lru_cache(maxsize=8)
def _letters(path: Path, number: int) -> tuple[Letter, ...]:
    return tuple(page_letters(path, number))
