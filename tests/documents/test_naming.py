"""Whose names stand in the sources: asked where questions are masked."""

from __future__ import annotations

import pytest

from apps.answering.door import question_read
from apps.documents.models import Chunk, Document
from apps.documents.search.naming import stands_in_sources
from tests.documents.builders import ready

pytestmark = pytest.mark.django_db
ARTICLE = "# Nachricht\n\nDie Abgeordnete Hanna Quellwasser stimmte dagegen. Herr Müller schwieg. Jana kam später.\n"


@pytest.fixture
def article() -> Document:
    return ready(ARTICLE, "nachricht.md")


@pytest.mark.parametrize(
    ("name", "stands"),
    [
        ("Hanna Quellwasser", True),
        ("Hanna Müller", False),
        ("Jana Quellwasser", False),
        # A surname or a given name alone is anybody's.
        ("Müller", False),
        ("Jana", False),
        ("", False),
        ("%_ Quellwasser", False),
    ],
)
def test_a_whole_name_stands_in_the_sources_or_not(article, name, stands):
    assert stands_in_sources(name) is stands


def test_who_wrote_an_article_may_be_asked_about(article):
    Document.objects.update(author="Friederike Tintenfass, Jonas Zeilenbruch")
    assert stands_in_sources("Jonas Zeilenbruch")


def test_what_waits_for_an_editor_makes_nobody_public(article):
    Chunk.objects.update(review="waiting", suspicions=[[0, 1, [], ""]])
    assert not stands_in_sources("Hanna Quellwasser")


def test_it_costs_three_queries(article, django_assert_num_queries):
    with django_assert_num_queries(3):
        stands_in_sources("Hanna Quellwasser")


def test_questions_about_people_in_the_sources_stay_and_others_do_not(article):
    asked = "Wie stimmte Hanna Quellwasser, und was sagt Hanna Trockenbach?"
    assert question_read(asked, language="de").question.text == ("Wie stimmte Hanna Quellwasser, und was sagt [Name]?")
    assert question_read("Ich heiße Hanna Quellwasser.", language="de").question.text == "Ich heiße [Name]."
