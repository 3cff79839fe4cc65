"""Typos count as the words that were meant; words of the corpus and words of their own stay."""

from __future__ import annotations

import pytest

from apps.topics.modelling.spelling import corrections
from apps.topics.modelling.words import Analyser

LOG = ["Was wollen die Parteien bei den Mieten?"] * 6 + ["Welche Parteien senken Mieten?"] * 6


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Parteeien", "parteien"),
        ("Partein", "parteien"),
        ("Pareteien", "parteien"),
        ("Welhe", "welche"),
        ("Weclhe", "welche"),
    ],
)
def test_one_letter_off_is_a_typo(typed, meant):
    assert corrections([*LOG, f"{typed} bitte"], known=()) == {typed.casefold(): meant}


@pytest.mark.parametrize(
    ("typed", "known"),
    [
        ("Mieter", ("mieter",)),
        ("Lachgas", ()),
        ("Artei", ()),
        ("Sieten", ()),
    ],
    ids=["a word of the corpus", "a word of its own", "too far", "another first letter"],
)
def test_what_may_be_a_word_stays(typed, known):
    assert typed.casefold() not in corrections([*LOG, f"{typed} bitte"], known=known)


def test_the_corpus_decides_even_where_the_typo_is_commoner():
    assert corrections(["Tempolimitt"] * 5 + ["Tempolimit"], known={"tempolimit"}) == {"tempolimitt": "tempolimit"}


def test_a_typo_is_counted_as_meant_and_never_shown():
    analyser = Analyser(meant={"mietenn": "mieten", "welhe": "welche"})
    assert analyser("Welhe Mietenn steigen?") == analyser("Welche Mieten steigen?")
    assert analyser.shown(analyser("Mietenn")[0]) == "Mieten"
