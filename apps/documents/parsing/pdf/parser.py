"""PDF to blocks: the entry of the PDF side. Reads page by page, then decides what needs the whole document."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pypdfium2 as pdfium

from apps.documents.parsing.pdf import ocr as recognition
from apps.documents.parsing.pdf.bookmarks import bookmark_levels, level_of, simplified
from apps.documents.parsing.pdf.characters import page_frame
from apps.documents.parsing.pdf.columns import reading_order, usual_gutters
from apps.documents.parsing.pdf.furniture import remove_furniture
from apps.documents.parsing.pdf.geometry import PageContent, Segment
from apps.documents.parsing.pdf.headings import body_of, heading_levels
from apps.documents.parsing.pdf.hidden import visible_words
from apps.documents.parsing.pdf.hyphenation import Join, Lexicon, join_hyphen
from apps.documents.parsing.pdf.lines import segments_of
from apps.documents.parsing.pdf.opening import open_pdf
from apps.documents.parsing.pdf.paragraphs import Paragraph, block_of, paragraphs_of
from apps.documents.parsing.pdf.replacements import read_honest_words
from apps.documents.parsing.pdf.tables import TableFinder, has_rulings
from apps.documents.parsing.types import Block, BlockKind, Page, ParsedDocument, ParsingError

_SCANNED_SHARE = 0.5
_WORTH_READING = 0.2
_MAX_TITLE = 200
_USUAL_TITLE = 80
_TITLE_WORDS = 4
# The end of one column's line and the beginning of another's.
_RUN_TOGETHER = re.compile(r"[a-zäöüß]{3}[A-ZÄÖÜ][a-zäöüß]")
# Tesseract takes two or three seconds a page, and the child process has two minutes.
_MAX_RECOGNISED = 30


def parse_pdf(data: bytes, *, name: str = "", password: str | None = None, ocr: bool = True) -> ParsedDocument:
    """Parse a PDF into blocks with line boxes. ``name`` is the file's name; ``ocr`` lets Tesseract read scans.

    Raises ParsingError with the codes empty, encrypted, damaged, too_many_pages, scanned, no_text.
    """
    document = open_pdf(data, password)
    tables = TableFinder(data, password)
    try:
        contents = [_read_page(document, index, tables) for index in range(len(document))]
        if ocr:
            _recognise_scans(document, contents)
        bookmarks = bookmark_levels(document)
        claimed, author = _metadata(document)
    finally:
        tables.close()
        document.close()
    _refuse_unreadable(contents)
    blocks = _structure(contents, bookmarks)
    if not blocks:
        raise ParsingError("no_text", "The PDF contains no readable text.")
    hidden = tuple(dict.fromkeys(passage for content in contents for passage in content.hidden))
    return ParsedDocument(
        tuple(blocks),
        title=_title(blocks, claimed),
        author=author if _is_printed(author, blocks) else "",
        pages=tuple(Page(c.number, round(c.width, 2), round(c.height, 2), c.is_recognised) for c in contents),
        warnings=tuple(_warnings(contents, hidden)),
        needs_review=any(content.is_recognised for content in contents),
        hidden=hidden,
    )


def _read_page(document: pdfium.PdfDocument, index: int, tables: TableFinder) -> PageContent:
    number = index + 1
    try:
        page = document[index]
    except pdfium.PdfiumError as error:
        raise ParsingError("damaged", f"Page {number} of the PDF is damaged.") from error
    try:
        frame = page_frame(page)
        words, claims = read_honest_words(page, frame)
        sight = visible_words(page, words, frame)
        content = PageContent(number, frame.width, frame.height, hidden=sight.hidden + claims)
        seen = sight.visible
        content.is_scanned = recognition.is_scan(page, seen, frame)
        found: list[Segment] = []
        if has_rulings(page):
            found, seen = tables.take_tables(index, seen, number)
        content.segments = segments_of(seen, number, frame.width, frame.height) + found
        return content
    finally:
        page.close()


def _recognise_scans(document: pdfium.PdfDocument, contents: Sequence[PageContent]) -> None:
    """Read the scanned pages with Tesseract, unless they are a few pictures (covers) in a file of text."""
    scans = [content for content in contents if content.is_scanned]
    if len(scans) < _WORTH_READING * len(contents):
        return
    for content in scans[:_MAX_RECOGNISED]:
        page = document[content.number - 1]
        words = recognition.recognised_words(page, page_frame(page))
        page.close()
        if words:
            content.is_recognised = True
            content.segments = segments_of(words, content.number, content.width, content.height)


def _refuse_unreadable(contents: Sequence[PageContent]) -> None:
    unread = [content.number for content in contents if content.is_scanned and not content.is_recognised]
    if unread and len(unread) >= _SCANNED_SHARE * len(contents):
        raise ParsingError(
            "scanned", f"{len(unread)} of {len(contents)} pages are pictures without text, and no text was recognised."
        )
    if not any(content.segments for content in contents):
        raise ParsingError("no_text", "The PDF contains no readable text.")


def _structure(contents: Sequence[PageContent], bookmarks: Mapping[tuple[int, str], int]) -> list[Block]:
    remove_furniture(contents)
    usual = usual_gutters([content.segments for content in contents], [content.width for content in contents])
    pages = [reading_order(content.segments, content.width, usual) for content in contents]
    body = body_of([region for page in pages for region in page])
    paragraphs = paragraphs_of(pages, body)
    _set_levels(paragraphs, bookmarks)
    lexicon = Lexicon.of(_lexicon_lines(paragraphs))

    def join(left: str, right: str, soft: bool) -> Join:
        return join_hyphen(left, right, lexicon, soft=soft)

    found = (block_of(paragraph, join) for paragraph in paragraphs)
    return [block for block in found if block is not None]


def _set_levels(paragraphs: Sequence[Paragraph], bookmarks: Mapping[tuple[int, str], int]) -> None:
    """Give headings their level; a line that a bookmark names becomes a heading."""
    marked: list[int | None] = []
    headings: list[Paragraph] = []
    for paragraph in paragraphs:
        if paragraph.kind is BlockKind.TABLE or (not bookmarks and paragraph.kind is not BlockKind.HEADING):
            continue
        text = " ".join(line.text + ("-" if line.hyphen else "") for line in paragraph.lines[:4])
        level = level_of(bookmarks, paragraph.lines[0].page, text)
        if level is not None and len(paragraph.lines) <= 3:
            paragraph.kind = BlockKind.HEADING
        if paragraph.kind is BlockKind.HEADING:
            headings.append(paragraph)
            marked.append(level)
    levels = heading_levels([(p.style, level) for p, level in zip(headings, marked, strict=True)])
    for paragraph, level in zip(headings, marked, strict=True):
        paragraph.level = min(level or levels[paragraph.style], 6)


def _lexicon_lines(paragraphs: Sequence[Paragraph]) -> Iterator[tuple[str, bool, bool]]:
    for paragraph in paragraphs:
        cut = False
        for line in paragraph.lines:
            yield line.text, cut, bool(line.hyphen)
            cut = bool(line.hyphen)


def _metadata(document: pdfium.PdfDocument) -> tuple[str, str]:
    """Title and author as the file claims them."""
    try:
        found = document.get_metadata_dict(skip_empty=True)
    except (pdfium.PdfiumError, UnicodeDecodeError):
        return "", ""
    return found.get("Title", "").strip()[:_MAX_TITLE], found.get("Author", "").strip()[:_MAX_TITLE]


def _title(blocks: Sequence[Block], claimed: str) -> str:
    """The claimed title if it is printed on the first pages, else the headings that open the document."""
    early = [block for block in blocks if (block.page_from or 0) <= 3]
    if _is_printed(claimed, blocks):
        return claimed
    opening = list(itertools.takewhile(lambda block: block.kind is BlockKind.HEADING, early))
    if opening:
        first = opening[0]
        cover = itertools.takewhile(lambda b: b.page_from == first.page_from and b.level <= first.level, opening)
        title = _fitting(block.text for block in cover)
        return title if " " in title else _beside_a_slogan(opening) or title
    headings = [block for block in early if block.kind is BlockKind.HEADING]
    return min(headings, key=lambda block: block.level).text[:_MAX_TITLE] if headings else ""


def _beside_a_slogan(opening: Sequence[Block]) -> str:
    """The first whole line of a cover that scatters its slogan, a word here and a word there, around other lines."""
    mingled = [bool(_RUN_TOGETHER.search(block.text)) for block in opening]
    if not any(mingled):
        return ""
    whole = (block.text for block, is_mingled in zip(opening, mingled, strict=True) if not is_mingled)
    return next((text for text in whole if len(text.split()) >= _TITLE_WORDS), "")[:_MAX_TITLE]


def _is_printed(claim: str, blocks: Sequence[Block]) -> bool:
    """Whether the first pages show what the file claims: logins and leftovers of templates are not shown."""
    early = " ".join(block.text for block in blocks if (block.page_from or 0) <= 3)
    return len(simplified(claim)) > 3 and simplified(claim) in simplified(early)


def _fitting(lines: Iterable[str]) -> str:
    """The lines of a cover, as many as make a title of usual length."""
    title = ""
    for line in lines:
        if title and len(title) + len(line) > _USUAL_TITLE:
            break
        title = f"{title} {line}".strip()
    return title[:_MAX_TITLE]


def _warnings(contents: Sequence[PageContent], hidden: Sequence[str]) -> Iterator[str]:
    if hidden:
        yield f"{len(hidden)} hidden passages were left out." if len(hidden) > 1 else "1 hidden passage was left out."
    for text, numbers in (
        ("Text was recognised from pictures, please review pages: ", [c.number for c in contents if c.is_recognised]),
        (
            "These pages are pictures without text and were left out: ",
            [c.number for c in contents if c.is_scanned and not c.is_recognised],
        ),
    ):
        if numbers:
            yield text + ", ".join(map(str, numbers[:20])) + (" …" if len(numbers) > 20 else ".")
