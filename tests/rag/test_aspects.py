"""The things that a question asks about."""

import pytest

from apps.rag.answer_types import AnswerType
from apps.rag.aspects import AspectKind, aspects_of
from apps.rag.understanding import understand
from tests.rag.builders import DIRECTORY

SUBJECT, ACTION = AspectKind.SUBJECT, AspectKind.ACTION


@pytest.mark.parametrize(
    ("topic", "language", "found"),
    [
        ("Was plant bei Rente und Mindestlohn?", "de", [("Rente", SUBJECT), ("Mindestlohn", SUBJECT)]),
        ("Will die Vermögensteuer abschaffen?", "de", [("Vermögensteuer", SUBJECT), ("abschaffen", ACTION)]),
        ("Senkt die Steuern auf Strom?", "de", [("Senkt", ACTION), ("Steuern", SUBJECT), ("Strom", SUBJECT)]),
        ("Wie will bezahlbaren Wohnraum schaffen?", "de", [("bezahlbaren Wohnraum", SUBJECT), ("schaffen", ACTION)]),
        ("mindestlohn und rente", "de", [("mindestlohn", SUBJECT), ("rente", SUBJECT)]),
        ("How does it want to raise the minimum wage?", "en", [("raise", ACTION), ("minimum wage", SUBJECT)]),
        ("Was ist das?", "de", []),
    ],
)
def test_neighbouring_content_words_are_one_thing(
    topic: str, language: str, found: list[tuple[str, AspectKind]]
) -> None:
    assert [(each.text, each.kind) for each in aspects_of(topic, language)] == found


def test_every_kind_of_answer_that_is_asked_for_is_an_aspect() -> None:
    aspects = aspects_of("Wie hoch soll der Mindestlohn sein und ab wann gilt er?", "de")
    assert [each.asks for each in aspects if each.kind is AspectKind.ANSWER] == [AnswerType.NUMBER, AnswerType.DATE]


def test_a_thing_named_twice_is_one_aspect() -> None:
    assert len(aspects_of("Rente, immer nur Rente?", "de")) == 1


def test_a_party_is_no_aspect() -> None:
    aspects = understand("Was sagt der Talbund zur Rente?", "de", DIRECTORY, at_most=8).aspects
    assert [each.text for each in aspects] == ["Rente"]
