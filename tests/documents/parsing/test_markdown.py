"""Markdown: front matter is metadata, comments and hidden HTML are not text."""

from __future__ import annotations

from datetime import date

from apps.documents.parsing.markdown import parse_markdown
from apps.documents.parsing.types import Block, BlockKind


def test_blocks_of_a_programme():
    text = """# Wahlprogramm

Erste Zeile
zweite Zeile mit **fett** und [Link](https://example.org).

## § 2 Wohnen

- Punkt
    1. Unterpunkt
- [ ] offen

> Zitat

| Jahr | Wert |
| ---- | ---: |
| 2025 | 3 % |
"""
    assert parse_markdown(text.encode()).blocks == (
        Block(BlockKind.HEADING, "Wahlprogramm", level=1),
        Block(BlockKind.PARAGRAPH, "Erste Zeile zweite Zeile mit fett und Link."),
        Block(BlockKind.HEADING, "§ 2 Wohnen", level=2),
        Block(BlockKind.LIST_ITEM, "• Punkt"),
        Block(BlockKind.LIST_ITEM, "1. Unterpunkt"),
        Block(BlockKind.LIST_ITEM, "• [ ] offen"),
        Block(BlockKind.QUOTE, "Zitat"),
        Block(BlockKind.TABLE, "Jahr | Wert\n2025 | 3 %", header_rows=1),
    )


def test_front_matter_is_read_as_metadata():
    text = '---\nTitle: "Erst- und Zweitstimme"\ndate: 2025-02-01\nlang: de-DE\nauthor: Desk\nweight: 3\n---\n\nText'
    document = parse_markdown(text.encode())
    assert (document.title, document.published, document.language) == ("Erst- und Zweitstimme", date(2025, 2, 1), "de")
    assert [block.text for block in document.blocks] == ["Text"]


def test_toml_front_matter_too():
    assert parse_markdown(b"+++\ntitle = 'Rente'\n+++\nText").title == "Rente"


def test_a_rule_at_the_start_is_no_front_matter():
    assert [block.text for block in parse_markdown(b"---\n\nText\n\n# Titel").blocks] == ["Text", "Titel"]


def test_what_nobody_sees_is_left_out():
    text = (
        "Sichtbar <!-- Nein\nüber Zeilen --> hier <span style='display:none'>Nein</span>\n\n"
        "<div hidden>\n\nNein\n\n</div>\n\n{{< youtube Nein >}}\n\n[//]: # (Nein)\n\n<script>Nein</script>\n\nEnde"
    )
    document = parse_markdown(text.encode())
    assert [block.text for block in document.blocks] == ["Sichtbar hier", "Ende"]
    assert document.hidden == ("Nein", "Nein")


def test_nesting_without_end_ends():
    document = parse_markdown((">" * 20_000 + " x\n\nDanach").encode())
    assert document.blocks[-1].text == "Danach"
