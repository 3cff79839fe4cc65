"""Parties, language and sub-questions of a question."""

import pytest

from apps.rag.understanding import PartyDirectory, PartyName, asked_parties, understand
from tests.rag.builders import BUND, DIRECTORY, FLUT, MORGEN


@pytest.mark.parametrize(
    ("text", "parties"),
    [
        ("Wie hoch soll die Rente sein?", ()),
        ("Was sagt der Talbund zur Rente?", (BUND,)),
        ("Was sagen Talbund und Morgenpartei zur Rente?", (MORGEN, BUND)),
        ("Was sagen Talbund und Flutliste zur Rente?", (FLUT, BUND)),
        ("Was sagen die Parteien zur Rente?", (FLUT, MORGEN, BUND)),
        ("What do all parties say about pensions?", (FLUT, MORGEN, BUND)),
        ("Was sagen die Parteien Talbund und Flutliste?", (FLUT, BUND)),
    ],
)
def test_parties_come_in_alphabetical_order(text: str, parties: tuple[object, ...]) -> None:
    assert understand(text, "de", DIRECTORY, at_most=8).parties == parties


def test_an_enumeration_becomes_one_question_per_party() -> None:
    understood = understand("Was sagen Talbund, Flutliste und die Morgenpartei zur Rente?", "de", DIRECTORY, at_most=8)
    assert [sub.text for sub in understood.sub_questions] == [
        "Was sagen Flutliste zur Rente?",
        "Was sagen Morgenpartei zur Rente?",
        "Was sagen Talbund zur Rente?",
    ]
    assert understood.compares


def test_an_umlaut_is_no_letter_behind_z() -> None:
    directory = PartyDirectory([PartyName("z", "Zeder"), PartyName("o", "Ölbaum")], {"z": ["Zeder"], "o": ["Ölbaum"]})
    parties = understand("Was sagen Zeder und Ölbaum?", "de", directory, at_most=8).parties
    assert [party.slug for party in parties] == ["o", "z"]


def test_a_draw_puts_each_party_first_about_as_often() -> None:
    firsts = [
        understand("Was sagen die Parteien?", "de", DIRECTORY, at_most=8, party_draw=f"{draw}").parties[0].slug
        for draw in range(300)
    ]
    assert all(70 < firsts.count(party.slug) < 130 for party in (FLUT, MORGEN, BUND))


def test_one_draw_is_one_order() -> None:
    first, second = (
        understand(text, "de", DIRECTORY, at_most=8, party_draw="a").parties
        for text in ("Was sagen Talbund, Flutliste und Morgenpartei?", "Was sagen die Parteien?")
    )
    assert first == second


def test_names_that_stand_apart_leave_the_question_whole() -> None:
    text = "Will der Talbund eine höhere Rente als die Flutliste?"
    assert {sub.text for sub in understand(text, "de", DIRECTORY, at_most=8).sub_questions} == {text}


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Wer führt den Talbund in die Wahl?", "Wer führt in die Wahl?"),
        ("Wer führt Talbund in die Wahl?", "Wer führt in die Wahl?"),
        ("Wer führt die Flutliste und den Talbund in die Wahl?", "Wer führt und in die Wahl?"),
        ("Who leads the Talbund into the election?", "Who leads into the election?"),
        ("Was sagt der Talbund zu der Rente?", "Was sagt zu der Rente?"),
    ],
)
def test_a_party_leaves_the_topic_with_its_article(text: str, topic: str) -> None:
    assert understand(text, "de", DIRECTORY, at_most=8).topic == topic


def test_the_topic_is_free_of_party_names() -> None:
    assert "Talbund" not in understand("Was will der Talbund beim Wohnen?", "de", DIRECTORY, at_most=8).topic


def test_the_number_of_parties_is_limited() -> None:
    assert understand("Was sagen die Parteien zur Rente?", "de", DIRECTORY, at_most=2).parties == (MORGEN, BUND)


@pytest.mark.parametrize(
    ("text", "given", "language"),
    [
        ("How can I vote by post from abroad?", "de", "en"),
        ("Wie kann ich aus dem Ausland wählen?", "en", "de"),
        ("Rente", "de", "de"),
    ],
)
def test_the_language_is_the_questions_own(text: str, given: str, language: str) -> None:
    assert understand(text, given, DIRECTORY, at_most=8).language == language


@pytest.mark.parametrize(
    ("text", "parties"),
    [
        ("Was hält die Morgenpartei vom Rentenplan des Talbunds?", [MORGEN]),
        ("What does the Talbund think about the pension plan of the Flutliste?", [BUND]),
        ("Was sagt die Morgenpartei zur Rente und was die Flutliste?", [MORGEN, FLUT]),
        ("Was sagen Morgenpartei und Talbund zur Rente?", [MORGEN, BUND]),
        ("Wann treffen alle Parteien zusammen im Fernsehen auf?", []),
    ],
)
def test_a_party_asked_about_another_one_is_not_compared_with_it(text: str, parties: list[PartyName]) -> None:
    directory = PartyDirectory(
        DIRECTORY.parties, {**DIRECTORY.names, "bund": ["Talbund", "Talbunds"], "flut": ["Flutliste"]}
    )
    assert list(asked_parties(text, directory)) == parties


@pytest.mark.parametrize(
    ("text", "parties"),
    [
        ("Was wollen alle Parteien außer dem Talbund bei der Rente?", [FLUT, MORGEN]),
        ("Wer will außer Talbund und Flutliste eine höhere Rente?", [MORGEN]),
        ("Which parties other than the Talbund want higher pensions?", [FLUT, MORGEN]),
        ("Was will der Talbund außer einer höheren Rente?", [BUND]),
        ("Welche Kosten trägt der Staat außer dem Talbund?", [BUND]),
    ],
)
def test_all_but_those_that_are_named(text: str, parties: list[PartyName]) -> None:
    assert set(asked_parties(text, DIRECTORY)) == set(parties)


def test_each_of_the_others_is_asked_by_its_name() -> None:
    understood = understand("Was wollen alle Parteien außer dem Talbund bei der Rente?", "de", DIRECTORY, at_most=8)
    assert [sub.text for sub in understood.sub_questions] == [
        "Was wollen Flutliste bei der Rente?",
        "Was wollen Morgenpartei bei der Rente?",
    ]


@pytest.mark.parametrize(
    ("text", "is_compared"),
    [
        ("Was passiert mit den Stimmen für Parteien unter fünf Prozent?", False),
        ("Wie viele Parteien treten an?", False),
        ("Dürfen Parteien vor dem Wahllokal werben?", False),
        ("Wie kommen Parteien auf den Stimmzettel?", False),
        ("How many parties are on the ballot?", False),
        ("Was sagen Parteien unter fünf Prozent zur Rente?", True),
        ("Wie stehen die Parteien zum Tempolimit?", True),
        ("Welche Parteien sind gegen ein Tempolimit?", True),
        ("Welche Parteien wollen, dass Parteien mehr Geld bekommen?", True),
    ],
)
def test_what_holds_for_parties_is_not_asked_of_each(text: str, is_compared: bool) -> None:
    assert bool(asked_parties(text, DIRECTORY)) is is_compared
