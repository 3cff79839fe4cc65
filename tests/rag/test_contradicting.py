"""A sentence that turns its source round in the source's own words, and paraphrases that do not."""

from __future__ import annotations

import pytest

from apps.rag.contradicting import amounts_differ_from, contradicts

SOURCE = (
    "Wir erhöhen den Mindestlohn zum 1. Juli 2026 auf 15 Euro, weil niemand trotz Arbeit arm sein darf. "
    "Das Kindergeld steigt auf 250 Euro im Monat. Eine Vermögenssteuer lehnen wir ab. "
    "Wir wollen kein Tempolimit auf Autobahnen. Der Kohleausstieg kommt 2030, und zwar ohne Ausnahmen. "
    "Wir fördern nicht nur Betriebe, sondern auch Vereine. Ein Fahrverbot, wie andere es fordern, lehnen wir ab. "
    "Mieten werden für fünf Jahre eingefroren. Die Stromsteuer schaffen wir ab. Die Ämter öffnen nicht vor 8 Uhr. "
    "Das Wahlrecht ab 16 Jahren erlauben wir."
)
OPPOSITE = [
    "Der Mindestlohn wird nicht auf 15 Euro erhöht.",
    "Sie lehnt einen Mindestlohn von 15 Euro ab.",
    "Sie senkt den Mindestlohn auf 15 Euro.",
    "Das Kindergeld sinkt auf 250 Euro im Monat.",
    "Sie will eine Vermögenssteuer.",
    "Sie fordert eine Vermögenssteuer.",
    "Sie will ein Tempolimit auf Autobahnen.",
    "Der Kohleausstieg kommt 2030 mit Ausnahmen.",
    "Sie fordert ein Fahrverbot.",
    "Sie will die Stromsteuer.",
    "Das Wahlrecht ab 16 Jahren verbietet sie.",
]
THE_SAME = [
    "Der Mindestlohn steigt auf 15 Euro.",
    "Sie will den Mindestlohn auf 15 Euro erhöhen, damit niemand arm ist.",
    "Sie lehnt eine Vermögenssteuer ab.",
    "Eine Vermögenssteuer soll es nicht geben.",
    "Sie will kein Tempolimit auf Autobahnen.",
    "Sie ist gegen ein Tempolimit auf Autobahnen.",
    "Der Kohleausstieg kommt 2030 ohne Ausnahmen.",
    "Der Kohleausstieg kommt 2030.",
    "Sie fördert auch Vereine.",
    "Ein Fahrverbot lehnt sie ab.",
    "Fünf Jahre lang sollen die Mieten nicht steigen.",
    "Sie schafft die Stromsteuer ab.",
    "Die Stromsteuer soll entfallen.",
    "Die Ämter öffnen erst ab 8 Uhr.",
    "Sie erlaubt das Wahlrecht ab 16 Jahren.",
]


@pytest.mark.parametrize("text", OPPOSITE)
def test_the_opposite_is_found_though_nearly_every_word_is_the_sources(text: str) -> None:
    assert contradicts(text, "de", [SOURCE], "de")


@pytest.mark.parametrize("text", THE_SAME)
def test_what_says_the_same_in_other_words_is_no_contradiction(text: str) -> None:
    assert not contradicts(text, "de", [SOURCE], "de")


@pytest.mark.parametrize(
    ("text", "is_opposite"),
    [
        ("It wants a wealth tax.", True),
        ("It rejects a wealth tax.", False),
    ],
)
def test_across_languages_the_nearest_sentence_is_compared(text: str, *, is_opposite: bool) -> None:
    near = ["Eine Vermögenssteuer lehnen wir ab."]
    assert contradicts(text, "en", [SOURCE], "de", near) is is_opposite
    assert not contradicts(text, "en", [SOURCE], "de")


@pytest.mark.parametrize(
    ("text", "differs"),
    [
        ("Das Kindergeld steigt auf 15 Euro im Monat.", True),
        ("Das Kindergeld steigt auf 250 Euro im Monat.", False),
        ("Der Mindestlohn steigt auf 15 Prozent.", True),
        ("Die Lohnuntergrenze liegt bei 15 Euro.", False),
    ],
)
def test_a_number_belongs_to_its_subject(text: str, *, differs: bool) -> None:
    assert amounts_differ_from(text, "de", [SOURCE], "de") is differs


def test_a_sentence_that_goes_on_from_the_one_before_keeps_its_number() -> None:
    source = "Das Fernsehduell wird verschoben. Neuer Termin ist der 7. Februar 2027. Der Mindestlohn bleibt."
    assert not amounts_differ_from("Das Fernsehduell ist am 7. Februar 2027.", "de", [source], "de")
