"""Follow-up questions read like questions: whole, short, in the words of reader or source."""

from __future__ import annotations

import pytest

from apps.rag.followup_texts import about_all_parties, about_heading, fits, heading_words
from apps.rag.types import Source
from apps.rag.understanding import PartyDirectory, PartyName
from tests.rag.builders import DIRECTORY, MORGEN, source

GUIDE = source(kind="explainer")
ENGLISH = source(kind="explainer", language="en")
PARTY = source(MORGEN)
GREENS = PartyDirectory([PartyName("gruen", "Grüne")], {"gruen": ["Grüne", "Die Grünen"]})


@pytest.mark.parametrize(
    ("query", "language", "expected"),
    [
        ("Was sagt die Morgenpartei zur Rente?", "de", "Was sagen die Parteien zur Rente?"),
        ("Was will die Morgenpartei beim Klimaschutz tun?", "de", "Was sagen die Parteien zum Klimaschutz?"),
        ("Was will die Morgenpartei bei den Steuern ändern?", "de", "Was sagen die Parteien zu den Steuern?"),
        # Nobody knows the gender of what stands here without a preposition.
        ("Wie hoch ist der Mindestlohn der Morgenpartei?", "de", "Was sagen die Parteien zum Thema Mindestlohn?"),
        ("Was plant die Morgenpartei für die Schulen?", "de", "Was sagen die Parteien zum Thema Schulen?"),
        ("was will die morgenpartei zum klima", "de", "Was sagen die Parteien zum Klima?"),
        ("What does the Morgenpartei say about pensions?", "en", "What do the parties say about pensions?"),
        ("What minimum wage does the Morgenpartei want?", "en", "How do the parties see minimum wage?"),
        ("Was sagt die Morgenpartei?", "de", ""),
        ("Was sagt die Morgenpartei zu 2027?", "de", ""),
    ],
)
def test_all_parties_are_asked_about_the_readers_subject(query: str, language: str, expected: str) -> None:
    assert about_all_parties(query, language, DIRECTORY) == expected


@pytest.mark.parametrize(
    ("path", "document", "language", "expected"),
    [
        (("Vor dem Wahltag", "Umzug vor der Wahl"), GUIDE, "de", "Umzug vor der Wahl: Was gilt?"),
        (("Briefwahl", "Rückweg und Kosten"), GUIDE, "de", "Briefwahl, Rückweg und Kosten: Was gilt?"),
        (("Wer wählen darf", "Wählerverzeichnis"), GUIDE, "de", "Wählerverzeichnis: Was gilt?"),
        (("Bis wann die Briefwahl beantragt sein muss",), GUIDE, "de", "Bis wann muss die Briefwahl beantragt sein?"),
        (("Wer wählen darf",), GUIDE, "de", "Wer darf wählen?"),
        (("Wer darf helfen?",), GUIDE, "de", "Wer darf helfen?"),
        (("Was ist mit der Post, wenn sie streikt und nichts mehr kommt?",), GUIDE, "de", ""),
        (("Welche Unterlagen Sie brauchen können",), GUIDE, "de", ""),
        (("Wie die Auszählung abläuft",), GUIDE, "de", ""),
        (("So läuft die Wahl ab",), GUIDE, "de", ""),
        (("2027",), GUIDE, "de", ""),
        (("Was die Morgenpartei will",), GUIDE, "de", ""),
        ((), GUIDE, "de", ""),
        (("Voting by post", "How to apply"), ENGLISH, "en", "Voting by post: how to apply?"),
        (("Voting", "Secrecy and photographs"), ENGLISH, "en", "Voting, secrecy and photographs: what applies?"),
        (("What happens there",), ENGLISH, "en", ""),
    ],
)
def test_a_heading_of_a_guide_becomes_a_question(
    path: tuple[str, ...], document: Source, language: str, expected: str
) -> None:
    assert about_heading(path, document, "Wie wähle ich?", language, DIRECTORY) == expected


@pytest.mark.parametrize(
    ("query", "heading", "expected"),
    [
        ("Was sagt die Morgenpartei dazu?", "Klimageld für alle", "„Klimageld für alle“: Was plant die Morgenpartei?"),
        ("Was plant Morgenpartei?", "2.1 Eigentum für alle", "„Eigentum für alle“: Was plant Morgenpartei?"),
        # Whether one or several speak is not known from here.
        ("Wie hoch ist laut Morgenpartei der Lohn?", "Gute Löhne", "„Gute Löhne“: Was gilt laut Morgenpartei?"),
        ("Was will die Morgenpartei?", "Arbeit: weniger Stunden, mehr Lohn", "„Arbeit“: Was plant die Morgenpartei?"),
        ("Was will die Morgenpartei?", "Steuern, die lenken", "„Steuern, die lenken“: Was plant die Morgenpartei?"),
        ("Was will die Morgenpartei?", "Mieten deckeln, wo es fehlt", "„Mieten deckeln“: Was plant die Morgenpartei?"),
        ("Was will die Morgenpartei?", "Kitas und Schulen ohne Gebühr", "Was heißt „Kitas und Schulen ohne Gebühr“?"),
        ("Was will die Morgenpartei?", "120.000 Wohnungen im Jahr", "Was heißt „120.000 Wohnungen im Jahr“?"),
        ("Was will die Morgenpartei?", "Warum nicht der Talbund?", ""),
        ("Was will die Morgenpartei?", "Besser als der Talbund", ""),
    ],
)  # fmt: skip
def test_a_partys_heading_is_quoted_under_its_name(query: str, heading: str, expected: str) -> None:
    assert about_heading(("Programm", heading), PARTY, query, "de", DIRECTORY) == expected


def test_a_party_that_is_many_plans_as_many() -> None:
    party = source(PartyName("gruen", "Grüne"))
    found = about_heading(("P", "Wald und Wasser"), party, "Was wollen die Grünen beim Klima?", "de", GREENS)
    assert found == "„Wald und Wasser“: Was planen die Grünen?"


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("3.1 Eigentum für Familien", "Eigentum für Familien"),
        ("IV. Verkehr", "Verkehr"),
        ("b) Kosten:", "Kosten"),
        ("Kapitel 3: Wohnen", "Wohnen"),
        ("120.000 Wohnungen", "120.000 Wohnungen"),
        ("35 Stunden sind genug", "35 Stunden sind genug"),
    ],
)
def test_the_number_of_a_heading_is_left_out(heading: str, words: str) -> None:
    assert heading_words(heading) == words


def test_seven_words_fit_and_signs_are_no_words() -> None:
    assert fits("Eins zwei – drei vier fünf sechs sieben?")
    assert not fits("Eins zwei drei vier fünf sechs sieben acht?")
    assert not fits("?")
