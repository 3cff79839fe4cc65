"""Invisible characters never reach the index."""

from __future__ import annotations

import pytest

from apps.documents.parsing.cleaning import clean_text, squeeze

CASES = {
    "soft hyphen": ("Bundes\u00adtag", "Bundestag"),
    "zero-width space between letters": ("i\u200bg\u200bn\u200bo\u200br\u200be", "ignore"),
    "zero-width joiner between letters": ("Ren\u200dte\u200c", "Rente"),
    "byte order mark inside": ("Wahl\ufeffrecht", "Wahlrecht"),
    "right-to-left override": ("Stimm\u202ezettel", "Stimmzettel"),
    "tag characters that smuggle an order": ("Text\U000e0049\U000e0067\U000e006e", "Text"),
    "variation selectors that smuggle bytes": ("A\ufe01\U000e0101B", "AB"),
    "NUL and control characters": ("a\x00b\x07c", "abc"),
    "lone surrogate": ("a\ud83db", "ab"),
    "decomposed umlaut": ("Su\u0308d", "Süd"),
    "Windows line ends": ("a\r\nb\rc", "a\nb\nc"),
    "line separator": ("a\u2028b", "a\nb"),
    "emoji family keeps its joiners": ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
    "Persian keeps its non-joiner": ("می\u200cخواهم", "می\u200cخواهم"),
    "heart keeps its emoji form": ("❤\ufe0f", "❤\ufe0f"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_nobody_sees_is_removed(case: str):
    text, expected = CASES[case]
    assert clean_text(text) == expected


def test_a_pile_of_marks_is_cut():
    assert len(clean_text("a" + "\u0301" * 10_000)) < 8


def test_squeeze_makes_one_line_or_keeps_the_lines():
    assert squeeze("  a \t b\u00a0c \n d ") == "a b c d"
    assert squeeze("  a \t b \n\n d ", keep_lines=True) == "a b\n\nd"
