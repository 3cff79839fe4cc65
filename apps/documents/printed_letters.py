"""Where exactly a quotation begins and ends on a printed line, read from the letters in the PDF itself. Pure.

Lines are stored with one box each; letters differ in width, so that a share of the box misses by a word. A page is
opened when somebody looks at it, which costs less than keeping every letter of every document.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from apps.documents.page_images import PDFIUM, Box, PrintedLine, quote_boxes
from apps.documents.parsing.pdf.characters import page_frame

# What a line break adds or takes away: blanks, every kind of hyphen, and what pdfium puts in their place.
_BREAKS = re.compile(r"[\s\-\u00ad\u2010\u2011\u0000\u0002\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Letter:
    """A printed letter and its box in points from the top left of the page."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float

    def is_inside(self, x0: float, y0: float, x1: float, y1: float) -> bool:
        """Whether its middle lies in a box."""
        return x0 <= (self.x0 + self.x1) / 2 <= x1 and y0 <= (self.y0 + self.y1) / 2 <= y1


def comparable(text: str) -> str:
    """Return a text without blanks and hyphens, ligatures taken apart."""
    return _BREAKS.sub("", unicodedata.normalize("NFKC", text))


def page_letters(pdf: bytes | Path, number: int) -> list[Letter]:
    """Return the letters of page ``number`` (from 1), or none when the file cannot be read."""
    try:
        with PDFIUM:
            document = pdfium.PdfDocument(pdf)
            try:
                return list(_letters(document[number - 1]))
            finally:
                document.close()
    except (pdfium.PdfiumError, OSError, IndexError):
        return []


def exact_boxes(letters: Sequence[Letter], lines: Sequence[PrintedLine], text: str, start: int, end: int) -> list[Box]:
    """Return one box per line that [start, end) of ``text`` touches, its ends at the very letters where they are found.

    Without letters the ends are those of ``quote_boxes``.
    """
    touched = [line for line in lines if line.start < end and line.end > start]
    boxes = quote_boxes(touched, start, end)
    return [_fitted(box, letters, line, text, start, end) for box, line in zip(boxes, touched, strict=True)]


def _fitted(box: Box, letters: Sequence[Letter], line: PrintedLine, text: str, start: int, end: int) -> Box:
    low, high = max(start, line.start), min(end, line.end)
    if (low, high) == (line.start, line.end):
        return box
    inside = [letter for letter in letters if letter.is_inside(line.x0, line.y0, line.x1, line.y1)]
    printed = [(part, letter) for letter in sorted(inside, key=lambda letter: letter.x0) for part in letter.text]
    before, wanted = comparable(text[line.start : low]), comparable(text[low:high])
    known = comparable(text[line.start : line.end])
    places = _places(known, "".join(part for part, _ in printed))
    first, last = places.get(len(before)), places.get(len(before) + len(wanted) - 1)
    x0 = printed[first][1].x0 if first is not None and low > line.start else box.x0
    x1 = printed[last][1].x1 if last is not None and high < line.end else box.x1
    return replace(box, x0=x0, x1=x1) if x0 < x1 else box


def _places(known: str, printed: str) -> dict[int, int]:
    """Return which printed letter each letter of the text is; those that the parser changed are missing."""
    if len(known) == len(printed):
        return {index: index for index in range(len(known))}
    matches = SequenceMatcher(None, known, printed, autojunk=False).get_matching_blocks()
    return {match.a + step: match.b + step for match in matches for step in range(match.size)}


def _letters(page: pdfium.PdfPage) -> Iterator[Letter]:
    frame = page_frame(page)
    text = page.get_textpage()
    edges = raw.FS_RECTF()
    for index in range(text.count_chars()):
        character = comparable(chr(raw.FPDFText_GetUnicode(text, index)))
        if character and raw.FPDFText_GetLooseCharBox(text, index, edges):
            yield Letter(character, *frame.box(edges.left, edges.bottom, edges.right, edges.top))
    text.close()
    page.close()
