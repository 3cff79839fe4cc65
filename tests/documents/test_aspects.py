"""Aspects and regions are proposed from words that one can point at."""

from __future__ import annotations

import pytest

from apps.documents.aspects import TOPICS, guess_region, propose_aspects


@pytest.mark.parametrize(
    ("headings", "text", "expected"),
    [
        (["Eine Rente mit Aktien"], "Das Rentenniveau steigt.", ["Rente"]),
        ([], "Mieten. Mietpreise. Wohnungen. Wohnraum. Mieterinnen.", ["Wohnen"]),
        (["Klimaschutz", "Erneuerbare Energien"], "", ["Klima und Umwelt", "Energie"]),
        (["Etwas"], "Ein Wort zur Rente macht noch keinen Aspekt.", []),
    ],
)
def test_topics_come_from_headings_and_from_words_that_repeat(headings, text, expected):
    assert propose_aspects(headings, text) == expected


def test_nouns_that_headings_repeat_fill_up_what_the_topics_leave():
    assert propose_aspects(["Das Dienstjahr kommt", "Dienstjahre im Vergleich", "Kapitel", "Kapitel"], "") == [
        "Dienstjahr"
    ]


def test_a_passing_word_in_a_long_text_is_no_aspect():
    text = "Rente " * 100 + "Steuern " * 6
    assert propose_aspects([], text) == ["Rente"]


def test_every_topic_is_reached_by_its_own_words():
    for topic, beginnings in TOPICS.items():
        assert topic in propose_aspects([], f"{beginnings[0]} " * 9)


@pytest.mark.parametrize(
    ("title", "region"),
    [
        ("Rente in Bayern", "Bayern"),
        ("Sachsen-Anhalts Haushalt", "Sachsen-Anhalt"),
        ("Sachsen und Thüringen wählen", ""),
        ("Hamburger für alle", ""),
        ("Bundestagswahl", ""),
    ],
)
def test_a_region_is_the_one_state_that_the_title_names(title, region):
    assert guess_region(title) == region
