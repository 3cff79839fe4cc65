"""The demo's binary files say what their sources say, and the tools that print them are right."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from apps.documents.demo.build import LAYOUTS
from apps.documents.demo.hyphenation import hyphenate
from apps.documents.demo.wordfile import write_docx
from apps.documents.parsing.formats import parse
from apps.documents.parsing.types import BlockKind

DEMO = Path(__file__).parents[2] / "apps" / "documents" / "demo"
PRINTED = {layout.source: layout.target for layout in LAYOUTS} | {"kompass.md": "programme/kompass.docx"}


def passages(source: str) -> list[str]:
    """Headings, paragraphs, list items and table cells of a Markdown source, in plain words."""
    markdown = (DEMO / "sources" / source).read_text(encoding="utf-8")
    return [token.content for token in MarkdownIt().enable("table").parse(markdown) if token.type == "inline"]


@pytest.mark.parametrize("source", PRINTED)
def test_a_printed_file_reads_like_its_source(source: str) -> None:
    path = DEMO / PRINTED[source]
    text = " ".join(" ".join(block.text for block in parse(path.read_bytes(), name=path.name).blocks).split())
    expected = passages(source)
    missing = [passage for passage in expected if passage not in text]
    assert len(missing) <= 0.02 * len(expected), missing


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("Versicherung", "Ver-sicherung"),
        ("Vermögensteuer", "Ver-mö-gensteuer"),
        ("mindestens", "min-destens"),
        ("Betriebsvermögen", "Betriebsver-mö-gen"),
        ("Wohnung", "Wohnung"),
        ("BWahlGesetz", "BWahlGesetz"),
    ],
)
def test_soft_hyphens_stand_between_syllables(word: str, parts: str) -> None:
    assert hyphenate(word).replace("\u00ad", "-") == parts


def test_the_word_file_keeps_headings_lists_and_tables() -> None:
    source = "# Titel\n\nAbsatz & mehr\n\n1. eins\n2. zwei\n\n| A | B |\n|---|---|\n| c | d |\n\n1. neu\n"
    blocks = parse(write_docx(source, title="Titel", author="Wer"), name="probe.docx").blocks
    assert [(block.kind, block.text) for block in blocks] == [
        (BlockKind.HEADING, "Titel"),
        (BlockKind.PARAGRAPH, "Absatz & mehr"),
        (BlockKind.LIST_ITEM, "1. eins"),
        (BlockKind.LIST_ITEM, "2. zwei"),
        (BlockKind.TABLE, "A | B\nc | d"),
        (BlockKind.LIST_ITEM, "1. neu"),
    ]
