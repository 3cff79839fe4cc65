"""Topics from texts: for every size of log, whatever the order, without an exception."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from apps.topics.modelling import guards
from apps.topics.modelling.discovery import CancelledError, discover, sample_rows
from apps.topics.modelling.grouping import near_duplicates, without_small
from apps.topics.modelling.types import UNPLACED, Corpus, Discovery, Method
from apps.topics.text_keys import text_key
from tests.topics.texts import clusters

ROOT = Path(__file__).resolve().parents[2]


def same_groups(labels, subjects) -> bool:
    """Say whether each found group has one subject, and each subject one group."""
    pairs = {(label, subject) for label, subject in zip(labels, subjects, strict=True) if label != UNPLACED}
    return len({label for label, _ in pairs}) == len({subject for _, subject in pairs}) == len(pairs)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 5, 7, 10, 29])
def test_few_texts_are_listed_and_not_grouped(size):
    corpus, _ = clusters({"Rente": size})
    found = discover(corpus)
    assert found.refusal == ("no_texts" if size == 0 else "too_few_texts")
    assert found.count == 0
    assert len(found.labels) == size


def test_some_dozens_are_grouped_by_subject():
    corpus, subject = clusters(
        dict.fromkeys(["Rente", "Klima", "Wohnen", "Bildung", "Verkehr", "Pflege", "Steuern", "Kita"], 8)
    )
    found = discover(corpus)
    assert found.method == Method.AGGLOMERATIVE
    assert not found.refusal
    assert found.count == 8
    assert found.unplaced_share <= 0.2
    assert same_groups(found.labels, [subject[key] for key in corpus.keys])


def test_hundreds_are_grouped_by_subject_in_the_same_way_each_time():
    corpus, subject = clusters(
        dict.fromkeys(["Rente", "Klima", "Wohnen", "Bildung", "Verkehr", "Pflege", "Steuern", "Kita"], 40)
    )
    first, second = discover(corpus), discover(corpus)
    assert first.method == Method.DENSITY
    assert first.count == 8
    assert same_groups(first.labels, [subject[key] for key in corpus.keys])
    assert (first.labels == second.labels).all()


@pytest.mark.parametrize("size", [30, 64, 300])
def test_texts_without_any_difference_are_refused_with_a_reason(size):
    keys = tuple(sorted(text_key(f"gleich {number}") for number in range(size)))
    corpus = Corpus(keys, ("gleich",) * size, np.zeros((size, 8), dtype=np.float32), np.ones(size))
    assert discover(corpus).refusal in {"too_few_topics", "one_topic_swallows_all", "too_many_unplaced"}


def test_a_cancelled_run_stops():
    corpus, _ = clusters(dict.fromkeys(["Rente", "Klima", "Wohnen", "Bildung"], 100))
    with pytest.raises(CancelledError):
        discover(corpus, is_cancelled=lambda: True)


def test_a_corpus_has_no_duplicates_and_one_order():
    with pytest.raises(ValueError, match="unique and sorted"):
        Corpus(("b", "a"), ("b", "a"), np.zeros((2, 3), dtype=np.float32), np.ones(2))


def test_the_sample_of_a_large_corpus_is_spread_over_it():
    corpus, _ = clusters({"Rente": 100})
    rows = sample_rows(corpus, 10)
    assert len(rows) == 10
    assert rows[0] == 0
    assert rows[-1] == 99


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ([0] * 5 + [1] * 5, "too_few_topics"),
        ([0] * 60 + [1] * 20 + [2] * 20, "one_topic_swallows_all"),
        ([0] * 10 + [1] * 10 + [2] * 10 + [-1] * 70, "too_many_unplaced"),
        ([0] * 30 + [1] * 30 + [2] * 30 + [-1] * 10, ""),
    ],
)
def test_bad_runs_are_refused(labels, reason):
    assert guards.refusal(Discovery(np.array(labels), Method.DENSITY)) == reason


def test_too_many_lost_topics_refuse_a_run_but_two_topics_prove_nothing():
    assert guards.survival_refusal(0.5, 10) == "too_many_lost"
    assert guards.survival_refusal(0.5, 2) == ""
    assert guards.survival_refusal(0.9, 10) == ""


def test_typos_of_one_question_are_one_line_of_the_list():
    labels = near_duplicates(("Wie hoch ist die Rente?", "Wie hoch ist die Rnete?", "Wann ist die Wahl?"))
    assert labels[0] == labels[1] != labels[2]


def test_small_groups_are_no_topics():
    assert without_small(np.array([5, 5, 5, 2, 7, 7, 7]), 3).tolist() == [0, 0, 0, -1, 1, 1, 1]


def test_another_process_finds_the_same():
    code = """
import hashlib
from tests.topics.texts import clusters
from apps.topics.modelling.discovery import discover
corpus, _ = clusters({name: 60 for name in "Rente Klima Wohnen Bildung Verkehr".split()}, spread=0.9)
print(hashlib.sha256(discover(corpus).labels.tobytes()).hexdigest())
"""
    runs = [
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
        for _ in range(2)
    ]
    assert all(run.returncode == 0 for run in runs), runs[0].stderr[-1500:]
    assert runs[0].stdout == runs[1].stdout != ""
