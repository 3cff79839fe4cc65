"""PDF to blocks: the entry of the PDF side. Reads page by page, then decides on what needs the whole document."""

from __future__ import annotations

from collections.abc import Sequence

import pypdfium2 as pdfium

from apps.documents.parsing.pdf.characters import page_frame, read_words
from apps.documents.parsing.pdf.columns import reading_order, usual_gutters
from apps.documents.parsing.pdf.furniture import remove_furniture
from apps.documents.parsing.pdf.geometry import PageContent
from apps.documents.parsing.pdf.headings import body_of, heading_levels
from apps.documents.parsing.pdf.hidden import visible_words
from apps.documents.parsing.pdf.hyphenation import Join, Lexicon, join_hyphen
from apps.documents.parsing.pdf.lines import segments_of
from apps.documents.parsing.pdf.opening import open_pdf
from apps.documents.parsing.pdf.paragraphs import Paragraph, block_of, paragraphs_of
from apps.documents.parsing.types import Block, BlockKind, Page, ParsedDocument, ParsingError


def parse_pdf(data: bytes, *, name: str = "", password: str | None = None, ocr: bool = True) -> ParsedDocument:
    """Parse a PDF. Raises ParsingError (empty, encrypted, damaged, too_many_pages, scanned, no_text)."""
    document = open_pdf(data, password)
    try:
        contents = [_read_page(document, index) for index in range(len(document))]
    finally:
        document.close()
    if not any(content.segments for content in contents):
        raise ParsingError("no_text", "The PDF contains no text.")
    blocks = _structure(contents)
    pages = tuple(Page(c.number, round(c.width, 2), round(c.height, 2), c.is_recognised) for c in contents)
    hidden = tuple(passage for content in contents for passage in content.hidden)
    return ParsedDocument(tuple(blocks), title=_title(blocks), pages=pages, warnings=_warnings(hidden), hidden=hidden)


def _warnings(hidden: Sequence[str]) -> tuple[str, ...]:
    if not hidden:
        return ()
    return (f"{len(hidden)} hidden passages were left out." if len(hidden) > 1 else "1 hidden passage was left out.",)


def _read_page(document: pdfium.PdfDocument, index: int) -> PageContent:
    page = document[index]
    try:
        frame = page_frame(page)
        textpage = page.get_textpage()
        try:
            words = read_words(textpage, frame)
        finally:
            textpage.close()
        sight = visible_words(page, words, frame)
        content = PageContent(index + 1, frame.width, frame.height, hidden=sight.hidden)
        content.segments = segments_of(sight.visible, index + 1, frame.width, frame.height)
        return content
    finally:
        page.close()


def _structure(contents: Sequence[PageContent]) -> list[Block]:
    remove_furniture(contents)
    usual = usual_gutters([content.segments for content in contents], [content.width for content in contents])
    pages = [reading_order(content.segments, content.width, usual) for content in contents]
    regions = [region for page in pages for region in page]
    body = body_of(regions)
    paragraphs = paragraphs_of(pages, body)
    _set_levels(paragraphs)
    lexicon = _lexicon(paragraphs)

    def join(left: str, right: str, soft: bool) -> Join:
        return join_hyphen(left, right, lexicon, soft=soft)

    found = (block_of(paragraph, join) for paragraph in paragraphs)
    return [block for block in found if block is not None]


def _set_levels(paragraphs: Sequence[Paragraph]) -> None:
    headings = [p for p in paragraphs if p.kind is BlockKind.HEADING]
    levels = heading_levels([(p.style, None) for p in headings])
    for paragraph in headings:
        paragraph.level = levels[paragraph.style]


def _lexicon(paragraphs: Sequence[Paragraph]) -> Lexicon:
    def lines() -> list[tuple[str, bool, bool]]:
        found = []
        for paragraph in paragraphs:
            cut = False
            for line in paragraph.lines:
                found.append((line.text, cut, bool(line.hyphen)))
                cut = bool(line.hyphen)
        return found

    return Lexicon.of(lines())


def _title(blocks: Sequence[Block]) -> str:
    headings = [block for block in blocks[:40] if block.kind is BlockKind.HEADING]
    return min(headings, key=lambda block: block.level).text if headings else ""
