"""The one cleaning function."""

from __future__ import annotations

import unicodedata

import pytest

from apps.core.cleaning import clean_line, clean_text


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("Die Steuer\x00n", "Die Steuern"),
        ("halbes \ud83d Zeichen", "halbes  Zeichen"),
        ("Su\u0308d", "Süd"),
        ("eins\r\nzwei\rdrei", "eins\nzwei\ndrei"),
        ("ab\u202ecd\u2066ef", "abcdef"),
        ("Glocke\x07 und \x1b[31mrot", "Glocke und [31mrot"),
        ("", ""),
        ("Familie 👩‍👩‍👧", "Familie 👩‍👩‍👧"),
    ],
)
def test_text_from_outside_becomes_storable(dirty, clean):
    assert clean_text(dirty) == clean


def test_ten_thousand_combining_marks_become_few():
    cleaned = clean_text("e" + "\u0301\u0316" * 5_000)
    assert len(cleaned) <= 6
    assert unicodedata.is_normalized("NFC", cleaned)


def test_a_megabyte_is_cut():
    assert len(clean_text("ä" * 1_000_000, limit=500)) == 500


def test_both_spellings_of_an_umlaut_are_one():
    assert clean_line("Süd", limit=10) == clean_line("Su\u0308d", limit=10)


def test_a_line_has_no_breaks_and_bare_ends():
    assert clean_line("  Wie \n\t wähle\u00a0ich?  ", limit=500) == "Wie wähle ich?"


def test_cleaning_twice_changes_nothing():
    dirty = "\x00 a\u0308\u0301\u0302\u0303\u0304\u0305 \ud800 \u202e x \r\n y"
    once = clean_text(dirty)
    assert clean_text(once) == once
