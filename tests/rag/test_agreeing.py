"""Another party in a German question has its own article."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from apps.rag.rewriting.agreeing import Gender, before_name, gender_of
from apps.rag.rewriting.rules import rewrite
from apps.rag.rewriting.types import PastTurn, RewriteContext
from apps.rag.understanding import PartyDirectory, PartyName

NAMES = {
    "bund": ["Brückenbund", "Brückenbund (BRB)", "BRB"],
    "fach": ["Fachwerkpartei", "Fachwerkpartei (FWP)", "FWP"],
    "auen": ["Auen", "Auenliste", "Die Auen"],
    "kreuz": ["Kreuzbündnis"],
    "grau": ["Graue Wähler"],
    "volt": ["Wandel", "Wandel Deutschland"],
}
DIRECTORY = PartyDirectory([PartyName(slug, names[0]) for slug, names in NAMES.items()], NAMES)


def after(before: str, question: str) -> str:
    slugs = tuple(party.slug for party in DIRECTORY.named_in(before))
    turn = PastTurn(1, before, before, parties=slugs)
    context = RewriteContext((turn,), datetime(2026, 3, 1, tzinfo=UTC))
    return rewrite(question, context, DIRECTORY).standalone_query


@pytest.mark.parametrize(
    ("before", "question", "query"),
    [
        ("Was plant die Fachwerkpartei?", "Und der Brückenbund?", "Was plant der Brückenbund?"),
        ("Was plant die Fachwerkpartei?", "Und Brückenbund?", "Was plant der Brückenbund?"),
        ("Was plant die Fachwerkpartei?", "Und das Kreuzbündnis?", "Was plant das Kreuzbündnis?"),
        ("Was plant der Brückenbund?", "Und die FWP?", "Was plant die FWP?"),
        ("Was sagt das Kreuzbündnis zur Rente?", "Und der Brückenbund?", "Was sagt der Brückenbund zur Rente?"),
        (
            "Was steht bei der Fachwerkpartei zur Miete?",
            "Und beim Brückenbund?",
            "Was steht beim Brückenbund zur Miete?",
        ),
        ("Was spricht für die Fachwerkpartei?", "Und der Brückenbund?", "Was spricht für den Brückenbund?"),
        ("Was gilt laut der Fachwerkpartei?", "Und der Brückenbund?", "Was gilt laut dem Brückenbund?"),
        ("Was plant die Fachwerkpartei?", "Und die Grauen Wähler?", "Was plant die Grauen Wähler?"),
        ("Was plant die Fachwerkpartei?", "Und der Wandel?", "Was plant der Wandel?"),
        ("Was plant die Fachwerkpartei?", "Und Wandel?", "Was plant die Wandel?"),
        ("Was plant Wandel?", "Und der Brückenbund?", "Was plant Brückenbund?"),
    ],
)
def test_the_article_is_that_of_the_party(before: str, question: str, query: str) -> None:
    assert after(before, question) == query


@pytest.mark.parametrize(
    ("names", "gender"),
    [
        (["Brückenbund", "BRB"], Gender.MASCULINE),
        (["SPD", "Sozialdemokratische Partei Deutschlands", "Sozialdemokraten"], Gender.FEMININE),
        (["Grüne", "Bündnis 90/Die Grünen"], Gender.PLURAL),
        (["BSW", "Bündnis Sahra Wagenknecht"], Gender.NEUTER),
        (["SSW", "Südschleswigscher Wählerverband"], Gender.MASCULINE),
        (["Auen", "Die Auen"], Gender.FEMININE),
        (["Volt", "Volt Deutschland"], None),
        ([], None),
    ],
)
def test_the_names_tell_the_gender(names: list[str], gender: Gender | None) -> None:
    assert gender_of(names) is gender


@pytest.mark.parametrize(
    "before", ["Die Pläne der ", "Was plant ", "Wer ist in des ", "", "Was sagt die Vorsitzende der "]
)
def test_a_case_that_cannot_be_told_is_left(before: str) -> None:
    assert before_name(before, Gender.FEMININE, Gender.MASCULINE) == before


@pytest.mark.parametrize(
    ("before", "said"),
    [("Die ", "Der "), ("Zur ", "Zum "), ("Von der ", "Vom "), ("Mit der ", "Mit dem "), ("Gegen die ", "Gegen den ")],
)
def test_the_beginning_of_a_sentence_stays_one(before: str, said: str) -> None:
    assert before_name(before, Gender.FEMININE, Gender.MASCULINE) == said
