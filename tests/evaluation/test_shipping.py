"""The sets that come with the product, and the question builder's."""

from __future__ import annotations

from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command

from apps.answering.suites.dialogues import load_dialogues
from apps.core.ports import BuilderQuestion
from apps.evaluation.models import EvaluationRun, Question, QuestionSet
from apps.evaluation.serialising import question_spec
from apps.evaluation.shipping import builder_refresh, demo_addresses, free_slug, shipped_load, shipped_sets
from tests.evaluation.building import finished_run, question_set

pytestmark = pytest.mark.django_db
COMBINATIONS = [
    BuilderQuestion(
        "erstwahl-miete",
        "Was planen die Parteien bei der Miete?",
        "de",
        ("erstwahl", "miete"),
        ("Was gilt für Mieten?", "Wer baut?"),
    ),
    BuilderQuestion("erstwahl-rente", "Was planen die Parteien bei der Rente?", "de", ("erstwahl", "rente")),
]


def combinations() -> list[BuilderQuestion]:
    """What the port of these tests says."""
    return COMBINATIONS


@pytest.fixture
def builder(settings):
    settings.PORTS = {"evaluation.builder_questions": "tests.evaluation.test_shipping.combinations"}


def load() -> str:
    out = StringIO()
    call_command("demo_questions", first=1, stdout=out)
    return out.getvalue()


def test_every_file_and_the_sixty_conversations_become_a_set(settings):
    settings.PORTS = {}
    load()
    slugs = set(QuestionSet.objects.values_list("slug", flat=True))
    assert slugs == {"answerable", "unanswerable", "procedure", "opinion", "injection", "dialogues"}
    dialogues = QuestionSet.objects.get(slug="dialogues")
    assert dialogues.questions.values("key").distinct().count() == 60
    assert dialogues.questions.count() == sum(len(each["turns"]) for each in load_dialogues())
    assert set(Question.objects.exclude(question_set=dialogues).values_list("number", flat=True)) == {1}


def test_what_is_stored_is_what_was_shipped():
    load()
    for slug, specs in shipped_sets().items():
        rows = QuestionSet.objects.get(slug=slug).questions.order_by("position")
        assert [question_spec(row) for row in rows] == specs


def test_every_expected_document_is_one_of_the_demo():
    addresses = set(demo_addresses().values())
    named = {each.document for specs in shipped_sets().values() for spec in specs for each in spec.references}
    assert named
    assert named <= addresses


def test_running_it_again_changes_nothing():
    load()
    Question.objects.filter(question_set__slug="answerable").update(note="changed by somebody")
    assert "0 question sets" in load()
    assert Question.objects.filter(note="changed by somebody").exists()


def test_a_set_that_was_removed_comes_back():
    load()
    QuestionSet.objects.filter(slug="opinion").delete()
    assert [each.slug for each in shipped_load()] == ["opinion"]


def test_the_demo_can_be_taken_out_and_runs_and_own_sets_stay():
    load()
    finished_run(question_set("own"))
    call_command("demo_questions", remove=True, stdout=StringIO())
    assert list(QuestionSet.objects.values_list("slug", flat=True)) == ["own"]
    assert EvaluationRun.objects.count() == 1


def test_quickstart_loads_the_sets_after_documents_and_rules():
    order = {name: place for place, name in enumerate(settings.DEMO_COMMANDS)}
    assert order["demo_documents"] < order["demo_rules"] < order["demo_builder"] < order["demo_questions"]


def test_sets_have_their_names_in_the_language_of_the_house(settings):
    settings.LANGUAGE_CODE = "en"
    load()
    assert QuestionSet.objects.get(slug="procedure").name == "How to vote"


def test_without_a_builder_there_is_no_set_of_it(settings):
    settings.PORTS = {}
    assert builder_refresh() is None
    load()
    assert not QuestionSet.objects.filter(slug="builder").exists()


def test_every_combination_of_the_builder_becomes_a_question(builder):
    load()
    made = QuestionSet.objects.get(slug="builder")
    assert made.origin == QuestionSet.Origin.BUILDER
    rows = list(made.questions.order_by("position"))
    assert [(row.key, row.text, row.choices) for row in rows] == [
        ("erstwahl-miete", "Was planen die Parteien bei der Miete?", ["erstwahl", "miete"]),
        ("erstwahl-rente", "Was planen die Parteien bei der Rente?", ["erstwahl", "rente"]),
    ]
    assert {(row.kind, row.expected) for row in rows} == {("builder", "answer")}


def test_the_builders_set_follows_the_builder(builder, monkeypatch):
    builder_refresh()
    monkeypatch.setitem(globals(), "COMBINATIONS", COMBINATIONS[1:])
    made = builder_refresh()
    assert [row.key for row in made.questions.all()] == ["erstwahl-rente"]
    assert QuestionSet.objects.count() == 1


def test_the_products_own_builder_fills_the_port():
    call_command("demo_documents", first=0, stdout=StringIO())
    call_command("demo_builder", first=1, stdout=StringIO())
    made = builder_refresh()
    rows = list(made.questions.all())
    assert len(rows) > 50
    assert len({row.key for row in rows}) == len(rows)
    assert all(row.choices for row in rows)


def test_a_run_asks_the_builders_questions_with_what_was_clicked(builder):
    from tests.evaluation.building import FakeAsk

    fake = FakeAsk()
    finished_run(builder_refresh(), fake=fake)
    assert [context.builder_choices for _question, _history, context in fake.asked] == [
        ("erstwahl", "miete"),
        ("erstwahl", "rente"),
    ]
    assert fake.asked[0][2].sub_queries == ("Was gilt für Mieten?", "Wer baut?")


def test_a_new_set_has_a_short_name_of_its_own():
    question_set("fragen-2027")
    assert free_slug("Fragen 2027") == "fragen-2027-2"
    question_set("fragen-2027-2")
    assert free_slug("Fragen 2027") == "fragen-2027-3"
    assert free_slug("???") == "set"
