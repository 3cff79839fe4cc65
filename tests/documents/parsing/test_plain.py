"""Plain text: paragraphs, list items and a modest guess at headings."""

from __future__ import annotations

import pytest

from apps.documents.parsing.plain import parse_plain
from apps.documents.parsing.types import Block, BlockKind

LINES = {
    "numbered heading": ("2.1 Rente und Pflege", BlockKind.HEADING, 2),
    "section sign": ("§ 36 Briefwahl", BlockKind.HEADING, 1),
    "short line": ("Unsere Ziele", BlockKind.HEADING, 1),
    "sentence": ("Wir senken die Steuer.", BlockKind.PARAGRAPH, 0),
    "introduces a list": ("Wir wollen:", BlockKind.PARAGRAPH, 0),
    "begins in lower case": ("und so weiter", BlockKind.PARAGRAPH, 0),
    "bullet": ("- Erstens", BlockKind.LIST_ITEM, 0),
    "figures only": ("12 345", BlockKind.PARAGRAPH, 0),
}


@pytest.mark.parametrize("case", LINES)
def test_what_a_single_line_is(case: str):
    line, kind, level = LINES[case]
    assert parse_plain(line.encode()).blocks == (Block(kind, line, level=level),)


def test_lines_become_paragraphs_and_items():
    text = "Titel\n=====\n\nErste Zeile geht wei-\nter mit Bau- \nund Mietrecht.\n\n"
    text += "Dazu:\n* eins\n  weiter\n* zwei\n\f\nEnde."
    document = parse_plain(text.encode())
    assert document.title == "Titel"
    assert [block.text for block in document.blocks] == [
        "Titel",
        "Erste Zeile geht weiter mit Bau- und Mietrecht.",
        "Dazu:",
        "* eins weiter",
        "* zwei",
        "Ende.",
    ]


def test_windows_files_are_read():
    assert parse_plain("Schöne „Grüße“ – 5 €.".encode("cp1252")).blocks[0].text == "Schöne „Grüße“ – 5 €."
