"""What the format suites count, and that the figures of the data sets hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.core.suites import SuiteContext
from apps.documents.suites.formats import (
    FixtureCount,
    SegmentCount,
    count_fixture,
    fixture_files,
    measure_html,
    word_recall,
)

RECALLS = {
    "all words": ("# Rente\n\n- eins", "Rente eins", 1.0),
    "half": ("eins zwei", "zwei", 0.5),
    "a repeated word counts twice": ("ja ja", "ja", 0.5),
    "addresses of links are no words": ("[Amt](https://example.org/a)", "Amt", 1.0),
    "pictures and boxes are no words": ("<!-- image --> [x] Tee", "Tee", 1.0),
}


@pytest.mark.parametrize("case", RECALLS)
def test_word_recall(case: str):
    gold, text, expected = RECALLS[case]
    assert word_recall(gold, text) == expected


def test_segments_are_compared_without_their_blanks():
    count = SegmentCount()
    count.add("Ein  Satz\nhier. Werbung", ["Ein Satz hier", "fehlt"], ["Werbung", "Menü"])
    assert (count.kept, count.lost, count.let_in) == (1, 1, 1)
    assert (count.precision, count.recall, count.f_score) == (0.5, 0.5, 0.5)


def test_the_ends_of_fixtures_are_told_apart(tmp_path: Path):
    (tmp_path / "gut.txt").write_text("Ein Satz.")
    (tmp_path / "leer.txt").write_text("")
    (tmp_path / "README.md").write_text("nicht dabei")
    count = FixtureCount()
    for path in fixture_files(tmp_path):
        count_fixture(path, count)
    assert (count.parsed, count.rejected, count.crashed, count.timed_out) == (1, 1, 0, 0)
    assert "leer.txt: empty." in count.notes[0]


def test_main_text_of_web_pages(data_sets: Path):
    result = measure_html(SuiteContext(data=data_sets, say=lambda line: None))
    assert result.n == 88
    assert result.figures["f_score"] >= 0.935


def test_every_docx_fixture_is_read(data_sets: Path):
    count = FixtureCount()
    for path in fixture_files(data_sets / "parser-fixtures" / "docx"):
        count_fixture(path, count)
    assert (count.parsed, len(count.docx_recalls)) == (20, 20)
    assert sum(count.docx_recalls) / 20 >= 0.98
