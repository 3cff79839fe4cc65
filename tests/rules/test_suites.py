"""The suites of the rules app: what they promise on the data sets, and that they can fail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apps.core.suites import BENCHES, SUITES, MissingDataError, SuiteContext, load_suites
from apps.rules.suites import cases, swaps
from apps.rules.suites.speed import rules as rules_bench
from apps.rules.suites.swap_texts import Pair, Sources, harmless_pairs, swapped_pairs
from apps.rules.types import ProtectedName

SOURCES = Sources(
    (
        "Die Kita-Gebühren sollen nicht steigen.",
        "Straßen sollen für 30 Autos gesperrt werden.",
        "Welche Frist gilt für den Wahlbrief?",
    ),
    ("Mieten", "Wälder"),
    (ProtectedName("kompass", ("Kompass", "KOM")), ProtectedName("auen", ("Auenpartei", "Auen"))),
)


def quiet(data=None, **options):
    return SuiteContext(data, lambda line: None, options)


def test_all_suites_are_registered():
    load_suites()
    assert {"rules:cases", "rules:swaps", "rules:near-misses"} <= set(SUITES)
    assert "rules" in BENCHES


def test_every_case_is_right():
    assert cases.cases(quiet()).figures == {"correct": 1.0}


def test_a_wrong_case_is_counted_and_said(monkeypatch):
    table = replace(cases.TABLES[0], rows=(("Wahl in München", "token"), ("Wahl in München", "exact")))
    monkeypatch.setattr(cases, "TABLES", (table,))
    said: list[str] = []
    assert cases.cases(SuiteContext(None, said.append)).figures == {"correct": 0.5}
    assert len(said) == 1


def test_the_same_seed_gives_the_same_pairs():
    assert swapped_pairs(SOURCES, 50) == swapped_pairs(SOURCES, 50)
    assert harmless_pairs(SOURCES, 60) == harmless_pairs(SOURCES, 60)


def test_every_kind_of_swap_and_change_is_drawn_and_changes_something():
    swapped, harmless = swapped_pairs(SOURCES, 50), harmless_pairs(SOURCES, 60)
    assert {pair.kind for pair in swapped} == {"name", "number", "year", "section", "negation"}
    assert {pair.kind for pair in harmless} == {"typo", "umlauts", "case", "punctuation", "hyphen", "plural"}
    assert all(pair.phrase != pair.question for pair in swapped + harmless)


def test_a_wrong_match_would_be_noticed():
    pair = Pair("name", "Was will der Kompass bei den Mieten tun?", "Was will der Kompost bei den Mieten tun?")
    assert swaps.is_matched(pair, ())
    assert not swaps.is_matched(pair, SOURCES.names)


def test_without_data_a_suite_says_so():
    load_suites()
    for name in ("rules:swaps", "rules:near-misses"):
        with pytest.raises(MissingDataError):
            SUITES[name].measure(quiet())


def test_nothing_is_taken_for_another_on_the_data_sets(data_sets):
    figures = swaps.swaps(quiet(data_sets)).figures
    assert figures["wrong_matches"] == 0
    assert figures["kept_matches"] >= 0.95


def test_near_misses_are_measured_on_the_data_sets(data_sets):
    figures = SUITES["rules:near-misses"].measure(quiet(data_sets)).figures
    assert set(figures) == {
        f"{kind}_{what}" for kind in ("exact", "fuzzy", "token") for what in ("precision", "recall")
    }
    assert figures["exact_recall"] <= figures["fuzzy_recall"]


def test_the_bench_measures_every_size():
    figures = rules_bench(quiet(sizes="1000,2000")).figures
    for label in ("1k", "2k"):
        assert figures[f"cascade_{label}_p50_ms"] > 0
        assert figures[f"loop_{label}_ratio"] > 0
        assert {f"compile_{label}_s", f"cascade_{label}_p99_ms", f"long_question_{label}_p50_ms"} <= set(figures)


@pytest.mark.django_db
def test_a_small_backtest_is_timed_and_finds_the_changed_rules():
    load_suites()
    result = BENCHES["backtest"].measure(quiet(None, rules="200", questions="400"))
    assert result.figures["differences"] > 0
    assert result.figures["run_s"] > 0
