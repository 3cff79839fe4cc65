"""The title of a PDF whose cover is set by a designer."""

from __future__ import annotations

import pytest

from apps.documents.parsing.pdf.parser import _title
from apps.documents.parsing.types import Block, BlockKind


def cover(*lines: str) -> list[Block]:
    return [Block(BlockKind.HEADING, line, level=number, page_from=1) for number, line in enumerate(lines, 1)]


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (("Wohnen für alle", "Programm zur Wahl"), "Wohnen für alle"),
        # A slogan down the cover, with the line beside it in between.
        (
            ("Neu", "denktDas Wahlprogramm zur Wahl", "jetzt", "Das Programm der Auenpartei zur Wahl"),
            "Das Programm der Auenpartei zur Wahl",
        ),
        # One word can be the title.
        (("Satzung", "1. Name und Sitz des Vereins"), "Satzung"),
        (("Neu", "denktDas Wahlprogramm zur Wahl"), "Neu"),
    ],
)
def test_the_title_is_a_line_that_reads_like_one(lines, title):
    assert _title(cover(*lines), "") == title
