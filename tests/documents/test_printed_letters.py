"""Quotations boxed letter by letter: wide and narrow letters, ligatures, what the parser left out."""

from __future__ import annotations

import pytest

from apps.documents.parsing.types import LineBox
from apps.documents.printed_letters import Letter, comparable, exact_boxes, page_letters
from tests.documents.pdf_files import printed

WIDTHS = {"i": 2.0, "W": 8.0}


def letters(text: str, *, y: float = 10.0) -> list[Letter]:
    """Set a line from x = 0: i is narrow, W is wide, the rest is 5 points."""
    placed, x = [], 0.0
    for character in text:
        width = WIDTHS.get(character, 5.0)
        if comparable(character):
            placed.append(Letter(comparable(character), x, y, x + width, y + 8))
        x += width
    return placed


def boxed(text: str, words: str, drawn: list[Letter]) -> tuple[float, float]:
    line = LineBox(0, len(text), 1, 0, 9, 200, 19)
    start = text.index(words)
    (box,) = exact_boxes(drawn, [line], text, start, start + len(words))
    return box.x0, box.x1


@pytest.mark.parametrize(
    ("text", "words", "drawn", "expected"),
    [
        ("iiii WWWW", "WWWW", "iiii WWWW", (13.0, 200.0)),
        ("iiii WWWW", "iiii", "iiii WWWW", (0.0, 8.0)),
        ("ab iii cd", "iii", "ab iii cd", (15.0, 21.0)),
        ("ab finden", "fin", "ab ﬁnden", (15.0, 25.0)),
        ("• ab cd", "ab", "\uf0b7 ab cd", (10.0, 20.0)),
        ("ab cd ef", "cd", "ab1 cd ef", (20.0, 30.0)),
        ("ab-cd ef", "cd", "ab\u00adcd ef", (15.0, 25.0)),
    ],
    ids=["end", "start", "middle", "ligature", "another bullet", "a footnote left out", "a soft hyphen"],
)
def test_a_box_begins_and_ends_with_its_letters(text, words, drawn, expected):
    assert boxed(text, words, letters(drawn)) == expected


def test_letters_of_other_lines_do_not_count():
    assert boxed("ab iii cd", "iii", letters("ab iii cd") + letters("WWWWWWWW", y=30.0)) == (15.0, 21.0)


def test_without_letters_the_place_is_estimated():
    assert boxed("ab iii cd", "iii", []) == (pytest.approx(200 / 9 * 3), pytest.approx(200 / 9 * 6))


def test_a_whole_line_keeps_its_box():
    line = LineBox(0, 9, 1, 3, 9, 77, 19)
    (box,) = exact_boxes(letters("WWWWWWWWW"), [line], "ab iii cd", 0, 9)
    assert (box.x0, box.x1) == (3, 77)


def test_letters_are_read_from_the_page_from_the_top_left():
    found = page_letters(printed([["# Eins"], ["Zwei Wörter", "darunter"]]), 2)
    assert "".join(letter.text for letter in found) == "ZweiWörterdarunter"
    assert found[0].x0 == pytest.approx(40, abs=1)
    assert 0 < found[0].y0 < found[-1].y0 < 595


@pytest.mark.parametrize("number", [0, 2])
def test_a_page_that_is_not_there_has_no_letters(number):
    assert page_letters(printed([["Eins"]]), number) == []


def test_a_file_that_is_not_a_pdf_has_no_letters(tmp_path):
    assert page_letters(b"no pdf", 1) == []
    assert page_letters(tmp_path / "gone.pdf", 1) == []
