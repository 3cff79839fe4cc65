"""What combinations of buttons become: by tables of cases, without a database."""

from __future__ import annotations

import pytest

from apps.chat.composing import (
    MOST_CHARACTERS,
    MOST_PARTIES,
    MOST_QUERIES,
    Choice,
    FacetKind,
    Problem,
    Takes,
    Template,
    compose,
    missing_placeholders,
    wrong_placeholders,
)

NONE, ONE, SEVERAL = Takes
PENSIONER = Choice("rentner", FacetKind.ROLE, "Rentnerinnen und Rentner")
STUDENT = Choice("studium", FacetKind.ROLE, "Studierende")
CLIMATE, TAX, RENT = (Choice(each.lower(), FacetKind.TOPIC, each) for each in ("Klima", "Steuern", "Rente"))
AUEN, BRIDGE, FRAME = (
    Choice(each, FacetKind.PARTY, name)
    for each, name in (("auen", "die Auenpartei"), ("bruecke", "der Brückenbund"), ("fach", "die Fachwerkpartei"))
)
TEMPLATES = (
    Template("topic", (NONE, ONE, NONE), "Was planen die Parteien beim Thema {topic}?"),
    Template(
        "pair", (NONE, ONE, ONE), "Was plant {party} beim Thema {topic}?", ("{party} {topic}", "{topic} bis wann")
    ),
    Template("parties", (NONE, ONE, SEVERAL), "Was planen {party} beim Thema {topic}?"),
    Template("topics", (NONE, SEVERAL, ONE), "Was plant {party} bei {topic}?", ("Was plant {party} bei {topic}?",)),
    Template("role", (ONE, ONE, ONE), "Was plant {party} bei {topic} für {role}?"),
    Template("own", (NONE, ONE, ONE), "Wie teuer wird das Klimageld von {party} ({topic})?", only=frozenset({"klima"})),
)


@pytest.mark.parametrize(
    ("choices", "question"),
    [
        ((RENT,), "Was planen die Parteien beim Thema Rente?"),
        ((RENT, AUEN), "Was plant die Auenpartei beim Thema Rente?"),
        ((AUEN, RENT), "Was plant die Auenpartei beim Thema Rente?"),
        ((RENT, AUEN, BRIDGE), "Was planen die Auenpartei und der Brückenbund beim Thema Rente?"),
        (
            (RENT, AUEN, BRIDGE, FRAME),
            "Was planen die Auenpartei, der Brückenbund und die Fachwerkpartei beim Thema Rente?",
        ),
        ((RENT, TAX, AUEN), "Was plant die Auenpartei bei Rente und Steuern?"),
        ((PENSIONER, TAX, AUEN), "Was plant die Auenpartei bei Steuern für Rentnerinnen und Rentner?"),
        ((CLIMATE, AUEN), "Wie teuer wird das Klimageld von die Auenpartei (Klima)?"),
    ],
)
def test_a_combination_becomes_a_readable_question(choices, question):
    assert compose(choices, TEMPLATES, "de").question == question


@pytest.mark.parametrize(
    ("choices", "problem"),
    [
        ((), Problem.NOTHING),
        ((PENSIONER,), Problem.NO_TEMPLATE),
        ((PENSIONER, STUDENT, RENT, AUEN), Problem.TOO_MANY_ROLES),
        (tuple(Choice(str(n), FacetKind.TOPIC, str(n)) for n in range(4)), Problem.TOO_MANY_TOPICS),
        (tuple(Choice(str(n), FacetKind.PARTY, str(n)) for n in range(MOST_PARTIES + 1)), Problem.TOO_MANY_PARTIES),
        ((Choice("lang", FacetKind.TOPIC, "x" * MOST_CHARACTERS),), Problem.TOO_LONG),
    ],
)
def test_what_becomes_no_question_says_why(choices, problem):
    becomes = compose(choices, TEMPLATES, "de")
    assert (becomes.problem, becomes.question, becomes.queries) == (problem, "", ())


def test_the_most_particular_template_counts_and_then_the_order():
    first = Template("z", (NONE, ONE, NONE), "Zuerst: {topic}?", order=0)
    second = Template("a", (NONE, ONE, NONE), "Danach: {topic}?", order=1)
    assert compose((TAX,), (second, first), "de").template == "z"
    assert compose((CLIMATE, AUEN), reversed(TEMPLATES), "de").template == "own"


def test_several_topics_become_a_query_each_and_never_too_many():
    assert compose((RENT, TAX, AUEN), TEMPLATES, "de").queries == (
        "Was plant die Auenpartei bei Rente?",
        "Was plant die Auenpartei bei Steuern?",
    )
    many = Template("many", (NONE, SEVERAL, NONE), "{topic}?", tuple(f"{{topic}} {n}" for n in range(4)))
    assert len(compose((RENT, TAX, CLIMATE), (many,), "de").queries) == MOST_QUERIES


def test_parties_stay_together_in_one_query_because_the_answer_compares_them():
    both = Template("both", (NONE, ONE, SEVERAL), "{party} {topic}?", ("{topic}: {party}",))
    assert compose((RENT, AUEN, BRIDGE), (both,), "de").queries == ("Rente: die Auenpartei und der Brückenbund",)


def test_english_joins_with_and():
    assert compose((RENT, AUEN, BRIDGE), TEMPLATES, "en").question.startswith("Was planen die Auenpartei and der")


def test_a_phrase_with_braces_is_put_in_as_it_stands():
    odd = Choice("odd", FacetKind.TOPIC, "{party} & <b>")
    assert compose((odd,), TEMPLATES, "de").question == "Was planen die Parteien beim Thema {party} & <b>?"


def test_placeholders_are_checked_against_what_is_chosen():
    takes = [(FacetKind.ROLE, NONE), (FacetKind.TOPIC, ONE), (FacetKind.PARTY, ONE)]
    assert wrong_placeholders("{party} {role} {thing}?", takes) == ("role", "thing")
    assert missing_placeholders("Was plant {party}?", takes) == ("topic",)
