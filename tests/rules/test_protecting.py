"""Protected terms: what two similar texts must have in common."""

from __future__ import annotations

import pytest

from apps.language.normalising import normalise
from apps.language.number_words import number_values
from apps.language.opposites import turning
from apps.rules.engine.protecting import NameFinder, protected_terms
from apps.rules.types import ProtectedName

NAMES = NameFinder(
    [
        ProtectedName("auen", ("Auenpartei", "Die Auen", "AUP", "Bunte")),
        ProtectedName("gruenfeld", ("Grünfelder Liste", "Die Grünfelden", "Bunte")),
        ProtectedName("neunzig", ("Bündnis 90/Die Brücke", "Brücke")),
        ProtectedName("lang", ("Rika Lang", "Lang")),
        ProtectedName("lange", ("Lange",)),
    ]
)


def terms(text):
    return protected_terms(normalise(text).split(), NAMES)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("5 Prozent", "fünf Prozent"),
        ("Fünf-Prozent-Hürde", "5 %-Hürde"),
        ("fünfprozenthürde", "5-Prozent-Hürde"),
        ("die erste Wahl", "die 1. Wahl"),
        ("Erststimme", "Erst-Stimme"),
        ("einundzwanzig", "21"),
        ("der einundzwanzigste Bundestag", "der 21. Bundestag"),
        ("Zweidrittelmehrheit", "2/3-Mehrheit"),
        ("1.000 Euro", "1000 Euro"),
        ("Gesetz IV", "Gesetz 4"),
        ("15. Juni", "15.6."),
        ("§ 218", "Paragraf 218"),
        ("the second vote", "the 2nd vote"),
        ("March 3", "3. März"),
        ("nicht", "nciht"),
        ("kein", "keine"),
        ("unmöglich", "nicht"),
        ("Auenpartei", "AUP"),
        ("die Auen", "auen"),
        ("Auenparteichef", "die Auenpartei"),
        ("#NoAUP", "AUP"),
        ("Bündnis 90 / die Brücke", "Brücke"),
        ("Rika Lang", "Langs"),
        ("Grünfelder Liste", "gruenfelder liste"),
        ("can't", "not"),
    ],
)
def test_the_same_in_other_words(left, right):
    assert terms(left) == terms(right) != ()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("2021", "2025"),
        ("2021 und 2025", "2025 und 2021"),
        ("Erststimme", "Zweitstimme"),
        ("§ 218", "Artikel 218"),
        ("§ 218", "218"),
        ("möglich", "unmöglich"),
        ("eine Frist", "keine Frist"),
        ("für", "gegen"),
        ("vor der Wahl", "nach der Wahl"),
        ("mehr", "weniger"),
        ("Vorteile", "Nachteile"),
        ("letzte", "nächste"),
        ("Auenpartei", "Grünfelder Liste"),
        ("Lang", "Lange"),
        ("Bunte", "Auenpartei"),
        ("Auenpartei", "Partei"),
        ("legal", "illegal"),
        ("with", "without"),
        ("Juni", "Juli"),
    ],
)
def test_what_never_stands_for_another(left, right):
    assert terms(left) != terms(right)


@pytest.mark.parametrize(
    "text",
    [
        "Unternehmen und Universität",
        "unsere Union",
        "Wähler:innen",
        "Erstattung erstellen",
        "Achtung",
        "Antrag",
        "einen",
    ],
)
def test_everyday_words_are_not_protected(text):
    assert terms(text) == ()


@pytest.mark.parametrize(
    ("token", "values"),
    [("0", ("0",)), ("007", ("7",)), ("co2", ("2",)), ("dreijahresplan", ("3",)), ("zweimal", ("2",)), ("achtung", ())],
)
def test_numbers_within_words(token, values):
    assert number_values(token) == values


@pytest.mark.parametrize(
    ("token", "turned"), [("gegen", "gegen"), ("geegn", "gegen"), ("gegend", ""), ("one", ""), ("unten", "")]
)
def test_slips_are_forgiven_and_real_words_left_alone(token, turned):
    assert turning(token) == turned


def test_no_names_no_keys():
    assert protected_terms(("spd", "cdu"), NameFinder([])) == ()
