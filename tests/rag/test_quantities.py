"""Quantities in words and in figures: what a sentence says has to be stated by its source."""

from __future__ import annotations

import pytest

from apps.rag.amounts import amounts_in, other_amount
from apps.rag.quantities import said_quantities, stated_quantities

BORNE_OUT = [
    ("rund 5 Prozent", "5,0 %"),
    ("vierzig Prozent", "40 %"),
    ("fünfundzwanzig Prozent", "25 Prozent"),
    ("25 Prozent", "fünfundzwanzig Prozent"),
    ("zweihundertfünfzig Euro", "250 Euro"),
    ("zwei Millionen Euro", "2.000.000 Euro"),
    ("1200 Euro", "1.200 Euro"),
    ("zwischen zehn und zwölf Prozent", "10 bis 12 Prozent"),
    ("10 Prozent", "10 bis 12 Prozent"),
    ("10 Millionen Euro", "10 bis 12 Millionen Euro"),
    ("von 8 Uhr bis 18 Uhr", "von 8 bis 18 Uhr"),
    ("drei Viertel der Mitglieder", "75 Prozent der Mitglieder"),
    ("75 Prozent der Mitglieder", "Drei Viertel der Mitglieder"),
    ("die Hälfte", "50 %"),
    ("doppelt so hoch", "Die Zahl hat sich verdoppelt."),
    ("im November", "am 14. November 2026"),
    ("Mitte November", "am 14. November 2026"),
    ("Ende 2026", "im November 2026"),
    ("im Herbst", "am 14. November 2026"),
    ("am Sonntag", "am 21. Februar 2027"),
    ("fünf Prozent", "Fünf-Prozent-Hürde"),
    ("eine Frist", "die Frist"),
]
MADE_UP = [
    ("vierzig Prozent", "5,0 %"),
    ("vierzehn Tage", "15 Tage"),
    ("fünfundzwanzig Prozent", "20 Prozent"),
    ("dreihundert Euro", "200 Euro"),
    ("zwei Millionen Euro", "2 Milliarden Euro"),
    ("13 Prozent", "10 bis 12 Prozent"),
    ("zwei Drittel", "drei Viertel"),
    ("die Hälfte", "ein Drittel"),
    ("doppelt so hoch", "dreimal so hoch"),
    ("verdoppelt", "erhöht"),
    ("Mitte Dezember", "Mitte November"),
    ("Anfang November", "Mitte November"),
    ("im Dezember", "am 14. November 2026"),
    ("Anfang 2026", "im November 2026"),
    ("im Frühjahr", "am 14. November 2026"),
    ("am Montag", "am 21. Februar 2027"),
    ("in drei Stufen", "in Stufen"),
]


@pytest.mark.parametrize(("sentence", "source"), BORNE_OUT, ids=[" | ".join(each) for each in BORNE_OUT])
def test_the_same_quantity_in_other_words_is_stated(sentence: str, source: str) -> None:
    assert said_quantities(sentence, "de") <= stated_quantities(source, "de")


@pytest.mark.parametrize(("sentence", "source"), MADE_UP, ids=[" | ".join(each) for each in MADE_UP])
def test_another_quantity_is_not_stated_whether_in_words_or_figures(sentence: str, source: str) -> None:
    assert not said_quantities(sentence, "de") <= stated_quantities(source, "de")


@pytest.mark.parametrize(
    ("sentence", "source", "is_stated"),
    [
        ("twenty-four days", "24 Tage", True),
        ("twenty-four days", "20 Tage", False),
        ("three quarters of them", "drei Viertel", True),
        ("two billion euros", "2 Milliarden Euro", True),
        ("in mid-November", "Mitte November", True),
        ("in mid-December", "Mitte November", False),
        ("on Sunday", "am 21. Februar 2027", True),
    ],
)
def test_quantities_are_compared_across_languages(sentence: str, source: str, *, is_stated: bool) -> None:
    assert (said_quantities(sentence, "en") <= stated_quantities(source, "de")) is is_stated


def test_a_word_that_only_looks_like_a_number_is_none() -> None:
    for text in ("Darauf ist Acht zu geben.", "Deshalb innerhalb der Frist.", "Es ist eine gute Sache."):
        assert not said_quantities(text, "de")


@pytest.mark.parametrize(
    ("sentence", "source", "differs"),
    [
        ("5 Euro", "5 Prozent", True),
        ("14 Monate", "14 Tage", True),
        ("vierzehn Monate", "14 Tage", True),
        ("höchstens 15 Euro", "mindestens 15 Euro", True),
        ("weniger als 15 Euro", "mehr als 15 Euro", True),
        ("15 Euro", "mindestens 15 Euro", False),
        ("14 Tage", "vierzehn Tage", False),
        ("5 Euro", "Stufe 5", False),
        ("1,5 Millionen Euro", "1.500.000 Euro", False),
        ("5 Euro", "5 Prozent oder 5 €", False),
    ],
)
def test_a_number_keeps_its_unit_and_its_bound(sentence: str, source: str, *, differs: bool) -> None:
    assert other_amount(amounts_in(sentence, "de"), amounts_in(source, "de")) is differs
