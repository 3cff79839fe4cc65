"""The question builder on the reader's page: buttons, the composed question, what reaches the pipeline."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from apps.chat import combinations, running
from apps.chat.builder import builder_choices, builder_for, queries_behind
from apps.chat.models import BuilderPair, BuilderQuery, BuilderTemplate, Facet
from apps.documents.models import Party
from apps.querylog.models import Turn
from apps.rag.events import Done
from apps.rag.types import Outcome

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = ("Zebrapartei", "Auenpartei", "Mittepartei")


@pytest.fixture
def buttons() -> dict[str, Facet]:
    rows = [
        Facet(kind="topic", slug="rente", label="Rente", label_en="Pensions", order=1),
        Facet(kind="topic", slug="klima", label="Klima", label_en="Climate"),
        Facet(kind="role", slug="studium", label="Studium", phrase="Studierende"),
    ]
    for name in NAMES:
        party = Party.objects.create(slug=name.lower(), name=name, short_name=name)
        rows.append(Facet(kind="party", slug=f"p-{party.slug}", label=name, phrase=f"die {name}", party=party))
    Facet.objects.bulk_create(rows)
    pair = BuilderTemplate.objects.create(
        name="pair",
        topics="one",
        parties="one",
        question="Was plant {party} beim Thema {topic}?",
        question_en="What does {party} plan on {topic}?",
    )
    for place, text in enumerate(("{party}: {topic} Ziele", "{party}: {topic} Kosten")):
        BuilderQuery.objects.create(template=pair, text=text, text_en=text, order=place)
    return {row.slug: row for row in Facet.objects.all()}


def test_the_first_screen_has_the_buttons_in_constant_queries(reader, buttons):
    with CaptureQueriesContext(connection) as few:
        page = reader.get("/").text
    assert [page.index(f'value="{slug}"') for slug in ("klima", "rente")] == sorted(
        page.index(f'value="{slug}"') for slug in ("klima", "rente")
    )
    assert page.index("Auenpartei") < page.index("Mittepartei") < page.index("Zebrapartei")
    assert "alphabetischer" in page or "alphabetical" in page
    Facet.objects.bulk_create(Facet(kind="topic", slug=f"t{n}", label=f"T{n}") for n in range(20))
    with CaptureQueriesContext(connection) as many:
        reader.get("/")
    assert len(many) == len(few)


def test_without_buttons_there_is_no_builder(reader):
    assert 'id="builder"' not in reader.get("/").text


def test_a_random_order_is_drawn_anew_and_said(reader, buttons, settings):
    settings.BUILDER_PARTY_ORDER = "random"
    orders = {tuple(b.label for b in builder_for("de", random=Random(seed)).parties) for seed in range(30)}
    assert len(orders) > 3
    assert builder_for("de").is_random
    assert "drawn anew" in reader.get("/", headers={"Accept-Language": "en"}).text


@pytest.mark.parametrize("field", ["is_active", "valid_from", "valid_until"])
def test_what_is_off_or_not_valid_is_neither_shown_nor_taken(reader, buttons, field):
    today = timezone.localdate()
    value = {"is_active": False, "valid_from": today + timedelta(1), "valid_until": today - timedelta(1)}[field]
    Facet.objects.filter(slug="rente").update(**{field: value})
    assert 'value="rente"' not in reader.get("/").text
    said = reader.get(reverse("chat:builder-compose"), {"choice": ["rente", "p-auenpartei"]}).json()
    assert said["question"] == ""


def test_the_question_is_composed_in_the_readers_language(reader, buttons):
    asked = {"choice": ["p-auenpartei", "rente"]}
    address = reverse("chat:builder-compose")
    assert reader.get(address, asked).json() == {"question": "Was plant die Auenpartei beim Thema Rente?", "said": ""}
    english = reader.get(address, asked, headers={"Accept-Language": "en"}).json()
    assert english["question"] == "What does Auenpartei plan on Pensions?"


def test_a_combination_without_sources_is_switched_off_with_the_reason(reader, buttons):
    BuilderPair.objects.create(topic=buttons["rente"], other=buttons["p-auenpartei"], is_sourced=False)
    said = reader.get(reverse("chat:builder-compose"), {"choice": ["rente", "p-auenpartei"]}).json()["said"]
    assert "Rente" in said
    assert "Auenpartei" in said
    pairs = builder_for("de").for_script["pairs"]
    assert [pair[:2] for pair in pairs] == [["rente", "p-auenpartei"]]


@pytest.mark.parametrize("choice", ["", "x" * 500, "rente'--", "\0", "<script>", "thema-gibt-es-nicht"])
def test_no_hand_made_choice_breaks_anything(reader, buttons, script, choice):
    assert reader.get(reverse("chat:builder-compose"), {"choice": [choice] * 60}).status_code == 200
    assert reader.post(reverse("chat:builder"), {"choice": [choice] * 60}).status_code == 200
    reader.post(reverse("chat:ask"), {"question": "Was gilt?", "choice": [choice] * 60})
    assert Turn.objects.get().builder_choices == []


def test_without_scripts_the_question_is_written_into_the_field_and_the_buttons_stay_pressed(reader, buttons):
    page = reader.post(reverse("chat:builder"), {"choice": ["rente", "p-auenpartei"], "question": "alt"})
    assert "Was plant die Auenpartei beim Thema Rente?</textarea>" in page.text
    assert page.text.count(" checked") == 2
    nothing = reader.post(reverse("chat:builder"), {"choice": ["studium"], "question": "Meine Worte"})
    assert "Meine Worte</textarea>" in nothing.text
    assert reader.get(reverse("chat:builder")).status_code == 405


def test_choices_and_queries_reach_the_pipeline_unless_the_question_was_changed(reader, buttons, monkeypatch):
    contexts = []

    async def answer_stream(*, question, history, context, may_be_cached=False):
        contexts.append(context)
        yield Done(Outcome.ANSWERED)

    monkeypatch.setattr(running, "answer_stream", answer_stream)
    pressed = ["rente", "p-auenpartei"]
    for question in ("Was plant die Auenpartei beim Thema Rente?", "Was plant die Auenpartei gegen Altersarmut?"):
        reader.post(reverse("chat:ask"), {"question": question, "choice": pressed})
    assert [set(context.builder_choices) for context in contexts] == [set(pressed)] * 2
    assert contexts[0].sub_queries == ("die Auenpartei: Rente Ziele", "die Auenpartei: Rente Kosten")
    assert contexts[1].sub_queries == ()


def test_a_template_that_was_switched_off_meanwhile_gives_no_queries(buttons):
    question, pressed = "Was plant die Auenpartei beim Thema Rente?", ["rente", "p-auenpartei"]
    assert len(queries_behind(question, pressed, "de")) == 2
    BuilderTemplate.objects.update(is_active=False)
    assert queries_behind(question, pressed, "de") == ()


def test_the_check_keeps_which_pairs_are_answered(buttons, monkeypatch):
    async def answer_stream(*, question, history, context, may_be_cached=False):
        yield Done(Outcome.REFUSED if "Zebra" in question.text else Outcome.ANSWERED)

    monkeypatch.setattr(combinations, "answer_stream", answer_stream)
    assert combinations.builder_pairs_check() == (6, 4)
    assert combinations.builder_pairs_check() == (6, 4)
    missing = BuilderPair.objects.filter(is_sourced=False).values_list("topic__slug", "other__slug")
    assert set(missing) == {("rente", "p-zebrapartei"), ("klima", "p-zebrapartei")}


def test_rules_know_the_names_of_all_buttons(buttons):
    assert builder_choices() == frozenset(buttons)


@pytest.mark.parametrize(
    "fields",
    [
        {"question": "Was plant {role}?"},
        {"question": "Was plant {party}?"},
        {"question_en": "What does {nobody} plan on {topic}?"},
        {"topics": "none", "parties": "none"},
        {"roles": "several"},
        {"valid_from": "2026-12-02", "valid_until": "2026-12-01"},
    ],
)
def test_a_template_that_cannot_work_is_refused(buttons, fields):
    template = BuilderTemplate.objects.get()
    for name, value in fields.items():
        setattr(template, name, value)
    with pytest.raises(ValidationError):
        template.full_clean()


def test_the_database_keeps_parties_and_kinds_together(buttons):
    for wrong in ({"kind": "topic", "party": Party.objects.first()}, {"kind": "party", "party": None}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Facet.objects.create(slug="wrong", label="x", **wrong)


def test_editors_see_what_a_combination_becomes(buttons):
    editor = User.objects.create_user("petra", is_staff=True)
    editor.groups.add(Group.objects.get(name="editor"))
    client = Client()
    client.force_login(editor)
    address = reverse("admin:chat_builder_preview")
    page = client.get(address, {"choice": ["rente", "p-auenpartei"]}).text
    assert "Was plant die Auenpartei beim Thema Rente?" in page
    assert "die Auenpartei: Rente Kosten" in page
    assert "What does Auenpartei plan on Pensions?" in page
    assert client.get(address).status_code == 200
    assert client.get(address, {"choice": ["nonsense"]}).status_code == 200
    for name in ("facet", "buildertemplate", "builderpair"):
        assert client.get(reverse(f"admin:chat_{name}_changelist")).status_code == 200
    assert client.get(reverse("admin:chat_buildertemplate_change", args=[BuilderTemplate.objects.get().pk])).text
    stranger = User.objects.create_user("otto", is_staff=True)
    client.force_login(stranger)
    assert client.get(address).status_code == 403


def test_a_query_with_a_wrong_placeholder_is_refused_beside_its_field(buttons):
    client = Client()
    client.force_login(User.objects.create_superuser("chief"))
    template = BuilderTemplate.objects.get()
    query = template.queries.first()
    data = {
        "name": "pair", "roles": "none", "topics": "one", "parties": "one", "order": "0", "is_active": "on",
        "question": template.question, "question_en": template.question_en,
        "queries-TOTAL_FORMS": "1", "queries-INITIAL_FORMS": "1", "queries-0-id": query.pk,
        "queries-0-template": template.pk, "queries-0-text": "{role} hier", "queries-0-text_en": "x",
        "queries-0-order": "0",
    }  # fmt: skip
    page = client.post(reverse("admin:chat_buildertemplate_change", args=[template.pk]), data)
    assert page.status_code == 200
    assert "{role}" in page.text
    query.refresh_from_db()
    assert query.text == "{party}: {topic} Ziele"


def test_the_demo_brings_a_builder_once_and_takes_it_out_again(buttons):
    call_command("demo_builder", verbosity=0)
    assert Facet.objects.count() == len(buttons)
    Facet.objects.all().delete()
    BuilderTemplate.objects.all().delete()
    Party.objects.create(slug="auen", name="Auenpartei (AUP)", short_name="AUP")
    call_command("demo_builder", verbosity=0)
    assert Facet.objects.filter(kind="topic").count() == 12
    assert list(Facet.objects.filter(kind="party").values_list("party__slug", flat=True)) == ["auen"]
    for template in BuilderTemplate.objects.all():
        template.full_clean()
    call_command("demo_builder", "--remove", verbosity=0)
    assert not Facet.objects.exists()
    assert not BuilderTemplate.objects.exists()
