"""One canonical text, and spans that point into it."""

from __future__ import annotations

from apps.documents.parsing.types import Block, BlockKind, LineBox, Page, ParsedDocument
from apps.documents.sectioning import section_document

H, P = BlockKind.HEADING, BlockKind.PARAGRAPH


def _document(*blocks: Block, pages: tuple[Page, ...] = ()) -> ParsedDocument:
    return ParsedDocument(blocks, pages=pages)


def test_blocks_are_joined_by_blank_lines_and_their_spans_are_exact():
    blocks = (Block(H, "Rente", 1), Block(P, "Sie steigt."), Block(BlockKind.LIST_ITEM, "• 48 Prozent"))
    sectioned = section_document(_document(*blocks))
    assert sectioned.text == "Rente\n\nSie steigt.\n\n• 48 Prozent"
    assert [sectioned.text[span.start : span.end] for span in sectioned.blocks] == [block.text for block in blocks]


def test_heading_paths_follow_the_levels_even_when_one_is_skipped():
    sectioned = section_document(
        _document(
            Block(P, "Vorspann."),
            Block(H, "Soziales", 1),
            Block(P, "a."),
            Block(H, "Rente", 3),
            Block(P, "b."),
            Block(H, "Pflege", 2),
            Block(P, "c."),
            Block(H, "Umwelt", 1),
            Block(P, "d."),
        )
    )
    assert [(section.path, section.parent) for section in sectioned.sections] == [
        ((), None),
        (("Soziales",), None),
        (("Soziales", "Rente"), 1),
        (("Soziales", "Pflege"), 1),
        (("Umwelt",), None),
    ]


def test_sections_cover_every_block_once_and_in_order():
    sectioned = section_document(_document(Block(P, "a."), Block(H, "B", 1), Block(H, "C", 2), Block(P, "d.")))
    covered = [index for section in sectioned.sections for index in range(section.first_block, section.last_block)]
    assert covered == [0, 1, 2, 3]


def test_a_section_knows_its_pages():
    sectioned = section_document(
        _document(Block(H, "A", 1, page_from=2, page_to=2), Block(P, "über die Seite.", page_from=2, page_to=3))
    )
    assert (sectioned.sections[0].page_from, sectioned.sections[0].page_to) == (2, 3)


def test_lines_point_into_the_whole_text_and_stand_on_their_page():
    first = LineBox(0, 6, 1, 10, 10, 50, 20)
    second = LineBox(7, 12, 2, 10, 10, 50, 20)
    pages = (Page(1, 595, 842), Page(2, 595, 842, is_recognised=True))
    sectioned = section_document(
        _document(Block(H, "Rente", 1), Block(P, "Erste, Zeile", lines=(first, second)), pages=pages)
    )
    lines = [[sectioned.text[line.start : line.end] for line in page.lines] for page in sectioned.pages]
    assert lines == [["Erste,"], ["Zeile"]]
    assert [page.is_recognised for page in sectioned.pages] == [False, True]


def test_figures_are_found_by_their_caption():
    sectioned = section_document(_document(Block(BlockKind.FIGURE, "Abb. 1: Renten"), Block(P, "Text.")))
    assert [sectioned.text[figure.start : figure.end] for figure in sectioned.figures] == ["Abb. 1: Renten"]


def test_empty_blocks_leave_no_trace():
    sectioned = section_document(_document(Block(P, " "), Block(P, "Text.")))
    assert sectioned.text == "Text."
    assert len(sectioned.sections) == 1


def test_a_document_without_blocks_has_no_sections():
    assert section_document(_document()).sections == ()
