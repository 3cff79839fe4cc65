"""A source's text as it is drawn: what is marked, what is shown, on which printed pages."""

from __future__ import annotations

import pytest

from apps.documents.source_pages import (
    LONGEST_WINDOW,
    WHOLE_BLOCK,
    Run,
    marked_runs,
    passage_pages,
    shown_blocks,
    shown_page,
    text_window,
)


def paragraph(start: int, end: int, *, kind: str = "paragraph", pages: tuple[int | None, int | None] = (None, None)):
    return [kind, 0, start, end, *pages, 0]


def table(text: str, *, start: int = 0, header_rows: int = 1):
    return ["table", 0, start, start + len(text), None, None, header_rows]


def drawn(text: str, blocks, passage, window=None):
    return list(shown_blocks(text, blocks, window=window or (0, len(text)), passage=passage))


def marked(runs) -> str:
    return "".join(run.text for run in runs if run.is_marked)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (10, 13, [("Wir", True), (" wählen.", False)]),
        (14, 20, [("Wir ", False), ("wählen", True), (".", False)]),
        (0, 99, [("Wir wählen.", True)]),
        (0, 10, [("Wir wählen.", False)]),
        (21, 30, [("Wir wählen.", False)]),
        (15, 15, [("Wir wählen.", False)]),
    ],
    ids=["start", "umlaut inside", "all of it", "before", "after", "nothing"],
)
def test_runs_cut_at_exactly_the_marked_characters(start, end, expected):
    assert marked_runs("Wir wählen.", 10, start, end) == tuple(Run(text, is_marked) for text, is_marked in expected)


def test_a_passage_over_two_blocks_is_marked_in_both_and_starts_once():
    text = "Größe zählt.\n\nÄußerst wichtig."
    blocks = drawn(text, [paragraph(0, 12), paragraph(14, 30)], (6, 21))
    assert [marked(block.runs) for block in blocks] == ["zählt.", "Äußerst"]
    assert [block.holds_passage_start for block in blocks] == [True, False]


def test_a_table_row_is_marked_cell_by_cell():
    text = "Partei | Lohn\nA | 15 Euro\nB | 14 Euro"
    (block,) = drawn(text, [table(text)], (14, 25))
    assert [[marked(cell) for cell in row] for row in block.rows] == [["A", "15 Euro"], ["", ""]]
    assert [[cell[0].text for cell in row] for row in block.header] == [["Partei", "Lohn"]]
    assert block.holds_passage_start


def test_a_part_of_one_cell_is_marked_exactly():
    text = "Partei | Lohn\nA | 15 Euro brutto"
    start = text.index("15")
    (block,) = drawn(text, [table(text)], (start, start + 7))
    assert block.rows[0][1] == (Run("15 Euro", True), Run(" brutto", False))
    assert marked(block.rows[0][0]) == ""


def test_a_table_without_a_header_has_none():
    (block,) = drawn("A | 1\nB | 2", [table("A | 1\nB | 2", header_rows=0)], (0, 5))
    assert (len(block.header), len(block.rows)) == (0, 2)


def test_an_empty_cell_stays_a_cell():
    (block,) = drawn("A |  | 2", [table("A |  | 2", header_rows=0)], (0, 8))
    assert len(block.rows[0]) == 3


def test_of_a_very_long_table_only_the_rows_around_are_drawn_under_the_header():
    lines = ["Nummer | Wert", *(f"{number} | Wert der Zeile {number}" for number in range(3000))]
    text = "\n".join(lines)
    start = text.index("2000 | ")
    window = text_window((0, len(text)), (start, start + 10), len(text))
    (block,) = drawn(text, [table(text)], (start, start + 10), window)
    first_cells = [row[0][0].text for row in block.rows]
    assert "2000" in first_cells
    assert "0" not in first_cells
    assert len(first_cells) < 1500
    assert (block.is_cut_before, block.is_cut_after) == (True, True)
    assert block.header[0][0][0].text == "Nummer"


def test_a_very_long_paragraph_is_cut_between_words_and_never_in_the_passage():
    text = "wort " * 20_000
    start = 50_001  # in the middle of a word
    window = text_window((0, len(text)), (start, start + 9), len(text))
    (block,) = drawn(text, [paragraph(0, len(text))], (start, start + 9), window)
    shown = "".join(run.text for run in block.runs)
    assert marked(block.runs) == text[start : start + 9]
    assert shown.startswith("wort ")
    assert shown.endswith(" wort")
    assert len(shown) <= LONGEST_WINDOW
    assert (block.is_cut_before, block.is_cut_after) == (True, True)


def test_a_paragraph_of_ordinary_length_is_never_cut():
    text = "x" * WHOLE_BLOCK
    (block,) = drawn(text, [paragraph(0, len(text))], (5, 10), (0, 100))
    assert "".join(run.text for run in block.runs) == text
    assert not block.is_cut_after


@pytest.mark.parametrize(
    ("section", "passage", "length", "expected"),
    [
        ((1000, 3000), (1200, 1300), 9000, (1000, 3000)),
        ((1000, 1100), (1020, 1050), 9000, (400, 1700)),
        ((0, 100), (0, 50), 120, (0, 120)),
        (None, (500, 600), 9000, (0, 1200)),
        ((1000, 2000), (1900, 2600), 9000, (1000, 2600)),
    ],
    ids=["the section", "a short one with its surroundings", "a short text", "no section", "a passage over its end"],
)
def test_the_window_is_the_section(section, passage, length, expected):
    assert text_window(section, passage, length) == expected


def test_a_window_is_never_longer_than_the_limit_and_holds_the_passage():
    low, high = text_window((0, 500_000), (250_000, 250_200), 500_000)
    assert high - low == LONGEST_WINDOW
    assert low < 250_000 < 250_200 < high
    low, high = text_window((0, 500_000), (0, 500_000), 500_000)
    assert (low, high - low) == (0, LONGEST_WINDOW)


@pytest.mark.parametrize(
    ("passage", "expected"),
    [((0, 5), [3]), ((0, 12), [3, 4]), ((11, 19), [3, 4]), ((20, 30), [])],
    ids=["first block", "two blocks", "over a page break", "a format without pages"],
)
def test_pages_are_those_of_the_blocks_around(passage, expected):
    blocks = [paragraph(0, 9, pages=(3, 3)), paragraph(11, 19, pages=(3, 4)), paragraph(20, 30)]
    assert list(passage_pages(blocks, passage)) == expected


def test_a_page_has_one_box_per_line_that_the_passage_touches():
    lines = [
        [0, 10, 50.0, 100.0, 150.0, 112.0],
        [10, 20, 50.0, 114.0, 150.0, 126.0],
        [20, 30, 50.0, 128.0, 150.0, 140.0],
    ]
    page = shown_page(7, (595.0, 842.0), lines, text="x" * 30, passage=(5, 20))
    assert (page.number, page.width, page.height) == (7, 595.0, 842.0)
    assert [(box.x, box.y, box.width, box.height) for box in page.boxes] == [
        (100.0, 100.0, 50.0, 12.0),
        (50.0, 114.0, 100.0, 12.0),
    ]
