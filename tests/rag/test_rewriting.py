"""Readers lean on earlier turns: what becomes of each form without a model."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from apps.rag.rewriting import PastTurn, RewriteContext, Rewriting
from apps.rag.rewriting.checking import RewriteFormatError, additions, rewriting_from_json
from apps.rag.rewriting.rules import rewrite
from apps.rag.types import Decision
from apps.rag.understanding import PartyDirectory, PartyName

DIRECTORY = PartyDirectory(
    [PartyName("auen", "Auenpartei"), PartyName("bund", "Brückenbund"), PartyName("stern", "Sternwarte")],
    {"auen": ["Auenpartei"], "bund": ["Brückenbund"], "stern": ["Sternwarte"]},
)


def after(*turns: PastTurn, language: str = "de") -> RewriteContext:
    return RewriteContext(turns, datetime(2026, 11, 30, tzinfo=UTC), language, language)


def turn(query: str, number: int = 1, **more: tuple[str, ...]) -> PastTurn:
    return PastTurn(number, query, query, **more)  # type: ignore[arg-type]


def asked(question: str, *turns: PastTurn, language: str = "de") -> Rewriting:
    return rewrite(question, after(*turns, language=language), DIRECTORY)


WAGE = turn("Was plant die Auenpartei beim Mindestlohn?", parties=("auen",))
POST = turn("Wie beantrage ich Briefwahl?")
BOTH = turn("Vergleiche Auenpartei und Brückenbund bei der Rente", parties=("auen", "bund"))


@pytest.mark.parametrize(
    ("question", "before", "query"),
    [
        ("Und der Brückenbund?", WAGE, "Was plant die Brückenbund beim Mindestlohn?"),
        ("Nein, ich meinte die Sternwarte", WAGE, "Was plant die Sternwarte beim Mindestlohn?"),
        ("Was kostet das?", POST, "Was kostet Briefwahl?"),
        ("Und bis wann muss ich das machen?", POST, "Bis wann muss ich Briefwahl machen?"),
        ("Brauche ich dafür einen Grund?", POST, "Brauche ich für Briefwahl einen Grund?"),
        ("Was sagt sie zur Rente?", WAGE, "Was sagt Auenpartei zur Rente?"),
        ("und 2025?", turn("Wer hat 2021 die Bundestagswahl gewonnen?"), "Wer hat 2025 die Bundestagswahl gewonnen?"),
        ("Und die Zweitstimme?", turn("Wofür ist die Erststimme?"), "Wofür ist die Zweitstimme?"),
        ("Und aus dem Ausland?", POST, "Wie beantrage ich Briefwahl aus dem Ausland?"),
    ],
)
def test_a_question_that_leans_on_the_last_one_stands_alone(question: str, before: PastTurn, query: str) -> None:
    found = asked(question, before)
    assert (found.decision, found.standalone_query) == (Decision.REWRITE, query)
    assert found.turns_used == (1,)
    assert found.resolved_references


@pytest.mark.parametrize(
    "question",
    [
        "Wann ist die Bundestagswahl?",
        "Wie viele Sitze hat der Bundestag?",
        "Was sagt die Sternwarte dazu, dass das Klima sich ändert?",
        "Die Sternwarte will Glasfaser, wann soll das fertig sein?",
        "Gibt es ein Wahlrecht für Kinder?",
    ],
)
def test_a_complete_question_is_left_alone(question: str) -> None:
    assert asked(question, WAGE) == Rewriting(Decision.SEARCH_AS_IS, question, "complete")


def test_a_first_question_is_as_is_by_rule() -> None:
    assert asked("Und die Grünen?").reason == "first_turn"


def test_an_offer_is_accepted_by_its_place() -> None:
    offering = turn("Wie wähle ich, wenn ich verreist bin?", offers=("Briefwahl", "Wahlschein"))
    assert asked("Ja, die erste bitte.", offering).standalone_query.startswith("Briefwahl")
    assert asked("die zweite", offering).standalone_query.startswith("Wahlschein")
    assert asked("gerne", offering).choices == ("Briefwahl", "Wahlschein")


def test_two_plausible_parties_are_asked_back() -> None:
    found = asked("Was sagt sie zum Mindestlohn?", BOTH)
    readings = ("Was sagt Auenpartei zum Mindestlohn?", "Was sagt Brückenbund zum Mindestlohn?")
    assert (found.decision, found.choices) == (Decision.CLARIFY, readings)
    asking = turn("Was sagt sie zum Mindestlohn?", 2, offers=readings)
    for choice in readings:
        assert asked(choice, BOTH, asking).standalone_query == choice
    assert asked("Brückenbund", BOTH, asking).standalone_query == readings[1]


def test_an_earlier_topic_comes_back() -> None:
    found = asked("Zurück zur Briefwahl: was kostet das?", POST, turn("Was plant die Auenpartei zur Rente?", 2))
    assert (found.standalone_query, found.turns_used) == ("Was kostet Briefwahl?", (1,))


def test_nothing_is_added_that_nobody_said() -> None:
    assert additions("Was kostet die Briefwahl 2025?", ["Was kostet die Briefwahl?"], "de") == ("2025",)
    assert additions("Was will Olaf?", ["Was will er?"], "en") == ("Olaf",)
    assert not additions("Was plant die Auenpartei?", ["Was planen die Parteien?", "Und die Auenpartei?"], "de")


@pytest.mark.parametrize(
    "reply",
    [
        [],
        {"decision": "GUESS"},
        {"decision": "REWRITE", "standalone_query": "x" * 501},
        {"decision": "REWRITE", "standalone_query": "Was kostet die Briefwahl 2029?"},
        {"decision": "CLARIFY", "choices": ["eine"]},
        {"decision": "DECOMPOSE", "sub_queries": ["eine"]},
        {"decision": "SEARCH_AS_IS", "standalone_query": "Etwas anderes"},
        {"decision": "REWRITE", "standalone_query": "Was kostet das?", "resolved_references": [{"said": 1}]},
    ],
)
def test_a_reply_that_is_not_the_contract_is_refused(reply: object) -> None:
    with pytest.raises(RewriteFormatError):
        rewriting_from_json(reply, "Was kostet das?", ["Wie beantrage ich Briefwahl?"], "de")


@pytest.mark.parametrize("question", ["", "   ", "\0", "?" * 500, "und", "ja " * 100, "die " * 120])
def test_no_question_breaks_it(question: str) -> None:
    assert asked(question, WAGE).decision in set(Decision)
