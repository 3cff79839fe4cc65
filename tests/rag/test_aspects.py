"""The parts of a question: what a person would count, no more and no less."""

import pytest

from apps.rag.answer_types import AnswerType
from apps.rag.aspects import MOST_ASPECTS, aspects_of
from apps.rag.understanding import understand
from tests.rag.builders import DIRECTORY


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Wer zahlt was und ab wann?", ["Wer zahlt", "was (zahlt)", "ab wann (zahlt)"]),
        ("Was ist mit Rente und Mindestlohn?", ["Rente", "Mindestlohn"]),
        ("Was sagt sie zur Rente und zum Mindestlohn?", ["Rente", "Mindestlohn"]),
        ("rente und mindestlohn", ["rente", "mindestlohn"]),
        (
            "Kosten, Zeitplan und Finanzierung des Klimagelds?",
            ["Kosten des Klimagelds", "Zeitplan des Klimagelds", "Finanzierung des Klimagelds"],
        ),
        (
            "Wo und wann findet das Fernsehduell statt?",
            ["Wo (findet, Fernsehduell, statt)", "wann findet das Fernsehduell statt"],
        ),
        ("Was kostet das Ticket und wer bekommt es?", ["Was kostet das Ticket", "wer bekommt es"]),
        ("Wie kann ich Briefwahl beantragen und abgeben?", ["Briefwahl beantragen", "abgeben Briefwahl"]),
        ("Der Zuschuss für Künstler und der Preis für Clubs?", ["Zuschuss für Künstler", "Preis für Clubs"]),
        ("Höhe der Vermögensteuer und Zeitplan?", ["Höhe der Vermögensteuer", "Zeitplan"]),
    ],
)
def test_a_question_has_as_many_parts_as_a_person_would_count(question: str, parts: list[str]) -> None:
    assert [aspect.text for aspect in aspects_of(question, "de")] == parts


@pytest.mark.parametrize(
    "question",
    [
        "Wie hoch soll der Mindestlohn sein?",
        "Was gilt für Bus und Bahn?",
        "Was ist der Unterschied zwischen Erststimme und Zweitstimme?",
        "Was bekommen Ärztinnen und Ärzte?",
        "Will sie Öl- und Gasheizungen verbieten?",
        "Welche Partei ist in den nördlichen und östlichen Regionen stark?",
        "Wie viel bekommt, wer 30 Jahre gearbeitet hat?",
        "Was für ein Haus wird gefördert?",
        "Rente mit 67 oder mit 70?",
        "Wer und was",
        "und",
        "?",
        "",
    ],
)
def test_what_is_one_thing_to_everybody_stays_one(question: str) -> None:
    parts = aspects_of(question, "de")
    assert len(parts) == 1 or all(not part.own for part in parts)


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What do they say about pensions and the minimum wage?", ["pensions", "minimum wage"]),
        ("Who may vote and who is disqualified?", ["Who may vote", "who is disqualified"]),
        (
            "What are the costs, the timetable and the funding of the climate bonus?",
            ["costs of the climate bonus", "timetable of the climate bonus", "funding of the climate bonus"],
        ),
        ("How do voters who live abroad vote?", ["How do voters who live abroad vote"]),
    ],
)
def test_english_has_parts_as_well(question: str, parts: list[str]) -> None:
    assert [aspect.text for aspect in aspects_of(question, "en")] == parts


def test_each_part_knows_what_tells_it_from_the_others_and_what_they_share() -> None:
    costs, start = aspects_of("Kosten und Beginn des Dienstjahrs?", "de")
    assert (costs.own, costs.shared, costs.query) == (("Kosten",), ("Dienstjahrs",), "Kosten des Dienstjahrs")
    assert (start.own, start.shared) == (("Beginn",), ("Dienstjahrs",))


def test_each_part_knows_what_kind_of_answer_it_wants() -> None:
    parts = aspects_of("Wer zahlt was und ab wann?", "de")
    assert [part.asks for part in parts] == [AnswerType.PERSON, AnswerType.ANY, AnswerType.DATE]


def test_a_party_belongs_to_no_part() -> None:
    aspects = understand("Was sagt der Talbund zu Rente und Lohn?", "de", DIRECTORY, at_most=8).aspects
    assert [each.own for each in aspects] == [("Rente",), ("Lohn",)]
    assert all("Talbund" not in each.query for each in aspects)


def test_parties_side_by_side_are_no_parts() -> None:
    aspects = understand("Was sagen Talbund und Flutliste zur Rente?", "de", DIRECTORY, at_most=8).aspects
    assert [each.own for each in aspects] == [("Rente",)]


def test_there_is_a_limit() -> None:
    things = ", ".join(f"Thema{number}" for number in range(40))
    assert len(aspects_of(f"Was ist mit {things} und Steuern?", "de")) <= MOST_ASPECTS


def test_a_long_question_is_read_in_a_time_that_grows_with_its_length() -> None:
    calls = [len(aspects_of("und ".join(["Rente "] * count), "de")) for count in (10, 80)]
    assert max(calls) <= MOST_ASPECTS
