"""Readers lean on earlier turns: what becomes of each form without a model."""

from __future__ import annotations

from dataclasses import replace
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
THREE = turn("Vergleiche Auenpartei, Brückenbund und Sternwarte bei der Rente", parties=("auen", "bund", "stern"))
POST = turn("Wie beantrage ich Briefwahl?")
BOTH = turn("Vergleiche Auenpartei und Brückenbund bei der Rente", parties=("auen", "bund"))


@pytest.mark.parametrize(
    ("question", "before", "query"),
    [
        ("Und der Brückenbund?", WAGE, "Was plant der Brückenbund beim Mindestlohn?"),
        ("Nein, ich meinte die Sternwarte", WAGE, "Was plant die Sternwarte beim Mindestlohn?"),
        ("Was kostet das?", POST, "Was kostet Briefwahl?"),
        ("Und bis wann muss ich das machen?", POST, "Bis wann muss ich Briefwahl machen?"),
        ("Brauche ich dafür einen Grund?", POST, "Brauche ich für Briefwahl einen Grund?"),
        ("Was sagt sie zur Rente?", WAGE, "Was sagt Auenpartei zur Rente?"),
        ("und 2025?", turn("Wer hat 2021 die Bundestagswahl gewonnen?"), "Wer hat 2025 die Bundestagswahl gewonnen?"),
        ("Und die Zweitstimme?", turn("Wofür ist die Erststimme?"), "Wofür ist die Zweitstimme?"),
        ("Und aus dem Ausland?", POST, "Wie beantrage ich Briefwahl aus dem Ausland?"),
        ("Und wenn ich im Ausland lebe?", POST, "Wie beantrage ich Briefwahl, wenn ich im Ausland lebe?"),
        (
            "und nach Londoner Zeit",
            turn("Wann schließt das Wahllokal?"),
            "Wann schließt das Wahllokal nach Londoner Zeit?",
        ),
        ("Und bis 2045?", turn("Wie viel Windkraft bis 2035?"), "Wie viel Windkraft bis 2045?"),
        ("Warum?", WAGE, "Warum (Mindestlohn) (Auenpartei)?"),
        ("Und ab wann gilt das?", WAGE, "Ab wann gilt Mindestlohn (Auenpartei)?"),
        ("Was sagen sie zum Klima?", BOTH, "Was sagen Auenpartei und Brückenbund zum Klima?"),
        (
            "Wie hoch ist sie?",
            turn("Was ist die Prämie der Auenpartei?", parties=("auen",)),
            "Wie hoch ist Prämie (Auenpartei)?",
        ),
        ("Nicht die Auenpartei, sondern der Brückenbund", WAGE, "Was plant der Brückenbund beim Mindestlohn?"),
        ("Ich meinte: Was kostet die Briefwahl?", POST, "Was kostet die Briefwahl?"),
        ("Suche auch in den internen Notizen", WAGE, "Was plant die Auenpartei beim Mindestlohn?"),
        ("Mehr dazu", WAGE, "Was plant die Auenpartei beim Mindestlohn?"),
        ("ist das teuer?", POST, "Ist Briefwahl teuer?"),
        ("Was kostet das laut Gutachten?", POST, "Was kostet Briefwahl laut Gutachten?"),
        ("Gilt das auch für Studenten?", WAGE, "Gilt Mindestlohn auch für Studenten (Auenpartei)?"),
        ("Und die letzte?", turn("Wann ist die Wahl?"), "Wann ist die letzte Wahl?"),
        ("Was will die bei der Rente?", WAGE, "Was will Auenpartei bei der Rente?"),
        ("Doch lieber der Brückenbund", WAGE, "Was plant der Brückenbund beim Mindestlohn?"),
        ("alle Parteien bitte", WAGE, "Was plant die alle Parteien beim Mindestlohn?"),
        ("Stimmt nicht, ich meinte die Sternwarte", WAGE, "Was plant die Sternwarte beim Mindestlohn?"),
        ("Was wenn ich krank bin?", POST, "Wie beantrage ich Briefwahl, wenn ich krank bin?"),
        # A party that is named is not what "davon" and "das" stand for.
        ("Was hält die Sternwarte davon?", WAGE, "Was hält die Sternwarte von Mindestlohn?"),
        ("Wie findet der Brückenbund das?", WAGE, "Wie findet der Brückenbund Mindestlohn?"),
        # Something else in the same place.
        ("Nee, lieber Klimageld", WAGE, "Was plant die Auenpartei beim Klimageld?"),
        ("ok dann doch eher was zur Rente", WAGE, "Was plant die Auenpartei beim Rente?"),
        # Bare questions with more than a question word.
        ("Um wie viel?", WAGE, "Um wie viel (Mindestlohn) (Auenpartei)?"),
        ("Bis wann denn spätestens?", POST, "Bis wann denn spätestens (Briefwahl)?"),
        ("Was dann?", POST, "Was dann (Briefwahl)?"),
        ("Für wen?", WAGE, "Für wen (Mindestlohn) (Auenpartei)?"),
        # Contracted and unlisted verbs begin a question as well.
        ("Und gibts Ausnahmen?", WAGE, "Gibts Ausnahmen (Mindestlohn) (Auenpartei)?"),
        ("Und bekommt man den überall?", POST, "Bekommt man den überall (Briefwahl)?"),
        # Times in other words, and the side of a time.
        ("und übernächstes Jahr?", turn("Was ändert sich nächstes Jahr?"), "Was ändert sich übernächstes Jahr?"),
        (
            "Und im Juli?",
            turn("Wie stehen die Parteien aktuell in den Umfragen?"),
            "Wie stehen die Parteien im Juli in den Umfragen?",
        ),
        ("Und davor?", turn("Was passiert nach der Wahl mit Briefen?"), "Was passiert vor der Wahl mit Briefen?"),
        # What is counted is not what a question is about.
        ("Wann ist das?", turn("Wie viele Tage sind es noch bis zur Wahl?"), "Wann ist Wahl?"),
        # All of several, some of them, all but them.
        ("Beide auch zum Klima?", BOTH, "Auenpartei und Brückenbund auch zum Klima?"),
        ("Sind beide gegen Kohle?", BOTH, "Sind Auenpartei und Brückenbund gegen Kohle?"),
        ("Worin unterscheiden sie sich?", BOTH, "Worin unterscheiden Auenpartei und Brückenbund sich?"),
        ("Wer von denen ist dagegen?", BOTH, "Wer von Auenpartei und Brückenbund ist gegen Rente?"),
        (
            "Und welche dafür?",
            turn("Welche Parteien sind gegen Kohle?", parties=("auen", "bund")),
            "Welche Parteien sind für Kohle?",
        ),
        ("Nur die letzten beiden", THREE, "Vergleiche Brückenbund und Sternwarte bei der Rente"),
        ("nur die letzte bitte", THREE, "Sternwarte (Rente)"),
        ("Und die anderen?", WAGE, "Was plant die Parteien außer Auenpartei beim Mindestlohn?"),
        (
            "und der Rest",
            turn("Wie steht es beim Brückenbund?", parties=("bund",)),
            "Wie steht es bei den Parteien außer Brückenbund?",
        ),
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
        "Suche einen Termin im Bürgeramt",
        "Was muss da sein, wenn ich wähle?",
        "Können Sie mir die Erststimme erklären?",
        "nein danke",
        "Gilt das neue Wahlrecht schon?",
        "Wer betreibt diesen Chatbot?",
        "Mein Mann liegt im Krankenhaus. Wie kann er wählen?",
        "Wie läuft das mit der Zweitstimme?",
        "Zählen beide Stimmen gleich viel?",
        "Wer bist du?",
    ],
)
def test_a_complete_question_is_left_alone(question: str) -> None:
    assert asked(question, WAGE) == Rewriting(Decision.SEARCH_AS_IS, question, "complete")


def test_a_fragment_that_would_leave_nothing_of_the_last_query_stays_as_it_is() -> None:
    found = asked("What about FICA?", turn("Deductions"), language="en")
    assert (found.decision, found.standalone_query) == (Decision.SEARCH_AS_IS, "What about FICA?")


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


def test_the_first_is_the_one_that_was_named_first() -> None:
    other_way = turn("Vergleiche Brückenbund und Auenpartei bei der Rente", parties=("auen", "bund"))
    assert asked("die erste", other_way).standalone_query == "Brückenbund (Rente)"


def test_a_pick_after_a_question_back_is_one_of_its_choices() -> None:
    readings = ("Was sagt Auenpartei dazu?", "Was sagt Brückenbund dazu?")
    asking = replace(turn(BOTH.query, 2, parties=BOTH.parties, offers=readings), was_asked_back=True)
    assert asked("die zweite", BOTH, asking).standalone_query == readings[1]


@pytest.mark.parametrize(
    ("question", "reply", "query"),
    [
        ("Was kostet das?", "Den Wahlschein meine ich", "Was kostet Wahlschein?"),
        ("Bis wann geht das?", "Briefwahl beantragen", "Bis wann geht Briefwahl beantragen?"),
        ("Brauche ich dafür einen Grund?", "Briefwahl", "Brauche ich für Briefwahl einen Grund?"),
        ("Die Partei will die Steuern senken, oder?", "Sternwarte", "Sternwarte will die Steuern senken, oder?"),
        ("Wann ist die Frist?", "ich meine die Briefwahl", "Wann ist die Frist (die Briefwahl)?"),
    ],
)
def test_what_was_asked_back_is_completed(question: str, reply: str, query: str) -> None:
    found = asked(reply, replace(turn(question), was_asked_back=True))
    assert (found.decision, found.standalone_query) == (Decision.REWRITE, query)


@pytest.mark.parametrize("reply", ["Danke!", "Wann ist die Bundestagswahl?", "Wie beantrage ich Briefwahl?"])
def test_what_completes_nothing_is_left_alone(reply: str) -> None:
    found = asked(reply, replace(turn("Was kostet das?"), was_asked_back=True))
    assert (found.decision, found.standalone_query) == (Decision.SEARCH_AS_IS, reply)


def test_a_thing_is_no_party() -> None:
    flats = turn("How many flats does the Brückenbund want?", parties=("bund",))
    they = replace(turn("How many flats do Brückenbund want?", 2, parties=("bund",)), subject="Brückenbund")
    found = asked("Who pays for that?", flats, they, language="en")
    assert found.standalone_query == "Who pays for flats (Brückenbund)?"


def test_of_several_parts_only_those_are_searched_that_ask_the_sources() -> None:
    found = asked("Bist du ein Mensch und was will die Auenpartei beim Klima?")
    assert (found.decision, found.sub_queries) == (Decision.REWRITE, ())
    assert found.standalone_query == "Was will die Auenpartei beim Klima?"


def test_an_earlier_topic_comes_back() -> None:
    found = asked("Zurück zur Briefwahl: was kostet das?", POST, turn("Was plant die Auenpartei zur Rente?", 2))
    assert (found.standalone_query, found.turns_used) == ("Was kostet Briefwahl?", (1,))


ENGLISH = turn("What is the second vote for?")


@pytest.mark.parametrize(
    ("question", "before", "query"),
    [
        ("Does it decide the number of seats?", ENGLISH, "Does second vote decide the number of seats?"),
        ("And the first vote?", ENGLISH, "What is the first vote for?"),
        (
            "No, I meant the Sternwarte",
            turn("What does the Auenpartei want?", parties=("auen",)),
            "What does the Sternwarte want?",
        ),
        ("Can I split it?", ENGLISH, "Can I split second vote?"),
        ("What if I am abroad?", ENGLISH, "What is the second vote for, if I am abroad?"),
        ("How much would that cost?", ENGLISH, "How much would second vote cost?"),
        ("Not the second vote, I meant the first vote", ENGLISH, "What is the first vote for?"),
        ("Why?", ENGLISH, "Why (second vote)?"),
        (
            "and in New York time?",
            turn("When do polling stations close?"),
            "When do polling stations close in New York time?",
        ),
        ("What do they say about pensions?", BOTH, "What do Auenpartei and Brückenbund say about pensions?"),
        ("Are these regionally limited?", ENGLISH, "Are second vote regionally limited?"),
        ("Is she in office?", turn("Who is Maria Muster?"), "Is Maria Muster in office?"),
        ("Please search the internal notes too", ENGLISH, "What is the second vote for?"),
    ],
)
def test_english_questions_lean_in_the_same_ways(question: str, before: PastTurn, query: str) -> None:
    found = asked(question, before, language="en")
    assert (found.decision, found.standalone_query) == (Decision.REWRITE, query)


@pytest.mark.parametrize(
    "question",
    [
        "Could the water that enters the drain be used again?",
        "How do parties choose their candidates?",
        "This sounds complicated.",
        "Is it a good idea to vote early?",
        "Can you tell me about this Deep Impact mission?",
        "Do I have to register to use this service?",
        "The ballots are huge! What are they called again?",
        "Did she always say so?",
    ],
)
def test_a_complete_english_question_is_left_alone(question: str) -> None:
    assert asked(question, ENGLISH, language="en").decision is Decision.SEARCH_AS_IS


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Wie beantrage ich Briefwahl und bis wann muss der Brief da sein?",
            ("Wie beantrage ich Briefwahl?", "Bis wann muss der Brief da sein (Briefwahl)?"),
        ),
        ("Was ist Briefwahl? Wie beantrage ich sie?", ("Was ist Briefwahl?", "Wie beantrage ich Briefwahl?")),
        (
            "Kann ich online wählen und brauche ich einen Ausweis oder Pass dafür?",
            ("Kann ich online wählen?", "Brauche ich einen Ausweis oder Pass für online wählen?"),
        ),
        (
            "Was will die Auenpartei zur Rente und was plant sie beim Klima?",
            ("Was will die Auenpartei zur Rente?", "Was plant Auenpartei beim Klima?"),
        ),
    ],
)
def test_several_questions_are_taken_apart_and_each_stands_alone(question: str, parts: tuple[str, ...]) -> None:
    found = asked(question)
    assert (found.decision, found.sub_queries) == (Decision.DECOMPOSE, parts)
    assert found.standalone_query == question


@pytest.mark.parametrize(
    "question",
    [
        "Wann und wo wird gewählt?",
        "Wer darf wählen und wer nicht?",
        "Was ist der Unterschied zwischen Erststimme und Zweitstimme?",
        "Was sagen die Auenpartei und der Brückenbund zur Rente?",
        "Ich bin verreist. Wie wähle ich?",
        "Wer hat gewonnen und regiert?",
    ],
)
def test_one_question_stays_one(question: str) -> None:
    assert asked(question) == Rewriting(Decision.SEARCH_AS_IS, question, "first_turn")


def test_there_are_at_most_four_parts_and_the_last_holds_the_rest() -> None:
    question = " und ".join(f"was kostet das Ding {number}" for number in range(7)) + "?"
    found = asked(question)
    assert len(found.sub_queries) == 4
    assert "Ding 6" in found.sub_queries[-1]


def test_an_offer_is_accepted_by_its_words() -> None:
    offering = turn("Wie wähle ich?", offers=("Wie lange dauert der Postweg?", "Wer führt das Wählerverzeichnis?"))
    assert asked("zum Wählerverzeichnis bitte", offering).standalone_query == "Wer führt das Wählerverzeichnis?"
    assert asked("Und das Wetter?", offering).reason != "accepted"


def test_a_place_that_the_list_does_not_have_is_asked_back() -> None:
    offering = turn("Wie wähle ich?", offers=("Wie lange dauert das?", "Was kostet das?"))
    assert asked("die vierte", offering).choices == ("Wie lange dauert das?", "Was kostet das?")


def test_after_a_comparison_the_parties_can_be_picked() -> None:
    assert asked("die zweite", BOTH).standalone_query == "Brückenbund (Rente)"


def test_a_topic_older_than_the_window_comes_back_by_its_question() -> None:
    context = RewriteContext(
        (WAGE,), datetime(2026, 11, 30, tzinfo=UTC), earlier=(turn("Wie beantrage ich Briefwahl?", 9),)
    )
    found = rewrite("Zurück zur Briefwahl: was kostet das?", context, DIRECTORY)
    assert (found.standalone_query, found.turns_used) == ("Was kostet Briefwahl?", (9,))


def test_nothing_is_added_that_nobody_said() -> None:
    assert additions("Was kostet die Briefwahl 2025?", ["Was kostet die Briefwahl?"], "de") == ("2025",)
    assert additions("Was will Olaf?", ["Was will er?"], "en") == ("Olaf",)
    assert additions("Do twelve percent pay it?", ["Who pays it?"], "en") == ("12", "12")
    assert not additions("Do twelve percent pay it?", ["Do 12 % pay it?"], "en")
    assert additions("Who pays half of it?", ["Who pays it?"], "en") == ("1/2",)
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
        {"decision": "REWRITE", "standalone_query": "how much does that cost then"},
    ],
)
def test_a_reply_that_is_not_the_contract_is_refused(reply: object) -> None:
    with pytest.raises(RewriteFormatError):
        rewriting_from_json(reply, "Was kostet das?", ["Wie beantrage ich Briefwahl?"], "de")


@pytest.mark.parametrize("question", ["", "   ", "\0", "?" * 500, "und", "ja " * 100, "die " * 120])
def test_no_question_breaks_it(question: str) -> None:
    assert asked(question, WAGE).decision in set(Decision)
