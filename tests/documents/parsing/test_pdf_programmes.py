"""Real programmes against their reference. Needs the data sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.documents.parsing.pdf import parse_pdf
from apps.documents.suites.hyphenation import read_labels
from apps.documents.suites.parsing import ProgrammeFigures
from apps.documents.suites.programmes_gold import GoldBlock, gold_blocks, stands_in


@pytest.mark.parametrize("slug", ["bsw", "buendnis-deutschland"])
def test_a_programme_stands_on_its_pages(slug: str, data_sets: Path) -> None:
    folder = data_sets / "programmes-2025"
    document = parse_pdf((folder / "pdf" / f"{slug}.pdf").read_bytes())
    result = ProgrammeFigures()
    result.add(slug, document, folder / "md-paged" / f"{slug}.md")
    figures = result.figures()
    assert figures["page_exact"] >= 0.98
    assert figures["heading_recall"] >= 0.98
    assert result.hyphens_wrong + result.risky_wrong == 0


def test_the_labels_are_a_sample_of_500_and_hold_no_text() -> None:
    assert sum(len(labels) for labels in read_labels("sample").values()) == 500
    kinds = {label for labels in read_labels("risky").values() for label in labels.values()}
    assert kinds == {"join", "keep", "keep_blank"}


def test_the_reference_is_cleaned(tmp_path: Path) -> None:
    path = tmp_path / "linke.md"
    path.write_text(
        "## 12 Wohnen\n\nDie Miete\n13 sinkt um\n20 Prozent.\n\nSchluss.\n[Seite 4; Abschnitt: Wohnen]\n",
        encoding="utf-8",
    )
    blocks = gold_blocks(path)
    assert [(block.pages, block.is_heading) for block in blocks] == [
        ((2, 3, 4), True),
        ((2, 3, 4), False),
        ((4,), False),
    ]
    assert stands_in(blocks[1], "DieMietesinktum20Prozent.")
    assert not stands_in(blocks[1], "DieMietesteigtum20Prozent.")


def test_pages_are_moved_where_the_marks_count_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "fdp.md"
    path.write_text("Ein Satz.\n[Seite 4; Abschnitt: A]\n", encoding="utf-8")
    assert gold_blocks(path) == [GoldBlock("Ein Satz.", (5,), False)]
