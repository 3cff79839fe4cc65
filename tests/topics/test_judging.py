"""What a model adds: clarity and kind of a sample of questions, names of topics; "not measured" without one."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from urllib.parse import urlencode

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.contrib.auth.models import Permission, User
from django.http import QueryDict
from django.urls import reverse
from django.utils import translation

from apps.answering.language_models import language_model_replaced
from apps.documents.models import Party
from apps.rag.model_types import ModelError, ModelRequest
from apps.rag.scripted_model import ModelFault, Reply, ScriptedModel
from apps.topics import tasks
from apps.topics.dashboards.quality import quality_page
from apps.topics.dashboards.reading import filters_of
from apps.topics.models import Asked, QueryText, Topic, TopicDay, TopicMember
from apps.topics.services import judging
from apps.topics.services.counting import days_count, days_kept
from apps.topics.services.judging import questions_judge, topics_name
from apps.topics.services.log_reading import log_read
from tests.topics.log import ask

pytestmark = pytest.mark.django_db
GOOD = json.dumps({"intent": 3, "subject": 2, "names": 1, "type": "analyse"})


@pytest.fixture
def topic():
    topic = Topic.objects.create(label_auto="Rente, Alter", keywords=["Rente", "Alter"], state="active")
    for number in range(3):
        ask(f"Warum steigt die Rente in Ort {number}?", days_ago=0.01)
    ask("Hallo!", kind="small_talk", outcome="chatted", days_ago=0.01)
    log_read()
    for text in QueryText.objects.filter(kind="text"):
        TopicMember.objects.create(text=text, topic=topic, part=topic, similarity=0.9)
    return topic


@pytest.fixture
def page(client, topic):
    def read() -> str:
        user, _ = User.objects.get_or_create(username="desk", is_staff=True)
        user.user_permissions.set(Permission.objects.filter(codename="view_topic"))
        client.force_login(user)
        client.cookies["wegweiser_language"] = "en"
        return client.get(reverse("admin:topics_topic_change", args=[topic.pk])).text

    return read


def test_without_a_model_nothing_is_measured_and_the_page_says_so(page):
    assert tasks.judge() == 0
    assert page().count("not measured") == 2
    days_count(days=days_kept())
    assert "answered 100 %, refused 0 %, asked back 0 %" in page()
    assert not Asked.objects.exclude(judged_by="").exists()


def test_questions_are_judged_once_with_the_version_of_the_prompt(page):
    model = ScriptedModel(Reply(GOOD))
    with language_model_replaced(model):
        assert tasks.judge() == 3
        assert tasks.judge() == 0
    judged = Asked.objects.exclude(judged_by="")
    assert set(judged.values_list("clear_intent", "clear_subject", "clear_names", "question_type", "judged_by")) == {
        (3, 2, 1, "analyse", "scripted/question-quality-1")
    }
    assert not judged.filter(text__kind="small_talk").exists()
    day = TopicDay.objects.get(scope="topic", party="")
    assert (day.judged, day.clarity_sum) == (3, 6.0)
    with translation.override("en"):
        text = page()
    assert "not measured" not in text
    assert "analyse: 3" in text
    assert "2.0" in text


def test_the_sample_has_a_limit_and_is_not_the_newest(topic):
    for number in range(40):
        ask(f"Wie hoch ist die Rente im Jahr {number}?", days_ago=0.01)
    log_read()
    with language_model_replaced(ScriptedModel(Reply(GOOD))):
        assert questions_judge(most=20) == 20
    judged = Asked.objects.exclude(judged_by="").values_list("turn_id", flat=True)
    newest = Asked.objects.filter(is_left_out=False).order_by("-turn_id").values_list("turn_id", flat=True)[:20]
    assert set(judged) != set(newest)


def test_a_model_that_is_away_is_not_waited_for_a_hundred_times(topic):
    for number in range(10):
        ask(f"Wie hoch ist die Rente im Jahr {number}?", days_ago=0.01)
    log_read()
    model = ScriptedModel(*[Reply("", fault=ModelFault.DIES)] * 20)
    with language_model_replaced(model):
        assert questions_judge() == 0
    assert len(model.requests) == 3


def test_what_was_judged_stays_when_the_model_goes_away_or_the_time_is_over(topic, monkeypatch):
    monkeypatch.setattr("apps.topics.services.judging._KEPT_AT_ONCE", 2)
    for number in range(10):
        ask(f"Wie hoch ist die Rente im Jahr {number}?", days_ago=0.01)
    log_read()
    gone = ScriptedModel(*[Reply(GOOD)] * 3, *[Reply("", fault=ModelFault.DOWN)] * 20)
    assert questions_judge(model=gone) == 3
    assert len(gone.requests) == 6
    seconds = iter([0.0, 0.0, 15.0, 30.0, 45.0])
    slow = ScriptedModel(Reply(GOOD))
    assert questions_judge(model=slow, clock=lambda: next(seconds)) == 3
    assert Asked.objects.exclude(judged_by="").count() == 6

    def stopped(request: ModelRequest) -> Reply:
        raise SoftTimeLimitExceeded

    with pytest.raises(SoftTimeLimitExceeded):
        questions_judge(model=ScriptedModel(*[Reply(GOOD)] * 2, stopped))
    assert Asked.objects.exclude(judged_by="").count() == 8, "a worker that is stopped loses what it has not kept"


def test_what_the_time_did_not_suffice_for_is_asked_after_whoever_waits(topic, monkeypatch):
    """New questions are placed within a minute, by the same worker."""
    for number in range(5):
        ask(f"Wie hoch ist die Rente im Jahr {number}?", days_ago=0.01)
    log_read()
    queued: list[tuple[int, str]] = []
    monkeypatch.setattr(tasks.judge, "delay", lambda *given: queued.append(given))
    seconds = iter(range(0, 10_000, 15))
    work = judging.sample_judge
    monkeypatch.setattr(judging, "sample_judge", lambda **given: work(**given, clock=lambda: float(next(seconds))))
    with language_model_replaced(ScriptedModel(Reply("what?"), Reply(GOOD))):
        assert tasks.judge() == 1
        [(left, after)] = queued
        assert left == 6
        tasks.judge(left, after)
        while len(queued) > 1 and queued[-1] != (left, after):
            left, after = queued[-1]
            tasks.judge(left, after)
    assert Asked.objects.exclude(judged_by="").count() == 4, "each was asked once, also what brought no judgement"


def test_naming_ends_when_the_model_is_away(topic):
    others = [Topic.objects.create(label_auto=f"Klima {number}", keywords=["Klima"]) for number in range(9)]
    model = ScriptedModel(Reply("", fault=ModelFault.DOWN))
    assert topics_name(topics=others, model=model) == 0
    assert len(model.requests) == 3


def test_a_server_that_knows_no_schema_is_asked_without(topic):
    class Old(ScriptedModel):
        async def stream(self, request: ModelRequest) -> AsyncGenerator[str, None]:
            if request.schema is not None:
                self.requests.append(request)
                raise ModelError("http_400", permanent=True)
            async for piece in super().stream(request):
                yield piece

    model = Old(Reply(GOOD))
    assert questions_judge(model=model) == 3
    assert [request.schema is None for request in model.requests] == [False, True, True, True]


def test_the_model_that_answered_is_named_where_there_are_several(topic):
    class Second(ScriptedModel):
        name = "first > second"

        async def stream(self, request: ModelRequest) -> AsyncGenerator[str, None]:
            request.answered_by("second")
            async for piece in super().stream(request):
                yield piece

    assert questions_judge(model=Second(Reply(GOOD))) == 3
    assert set(Asked.objects.exclude(judged_by="").values_list("judged_by", flat=True)) == {"second/question-quality-1"}


@pytest.fixture
def quality(topic):
    """Three questions answered, one refused, one asked back; one more on nothing known."""
    ask("Warum ist die Rente der Linken so?", outcome="refused", ended_with="not_enough", days_ago=0.01)
    ask("Und die Rente?", outcome="clarified", days_ago=0.01)
    ask("Was ist mit Lachgas?", outcome="refused", ended_with="not_enough", days_ago=0.01)
    log_read()
    for text in QueryText.objects.filter(kind="text", member=None, text__contains="Rente"):
        TopicMember.objects.create(text=text, topic=topic, part=topic, similarity=0.9)
    days_count(days=days_kept())

    def charts(**query: str) -> dict[str, list[list[str]]]:
        with translation.override("en"):
            found = quality_page(filters_of(QueryDict(urlencode(query))))
        return {chart.name: [[cell.text for cell in row] for row in chart.rows] for chart in found.charts}

    return charts


def test_each_topic_says_how_its_questions_end_and_that_nothing_is_measured(quality):
    charts = quality()
    assert charts["outcomes"] == [
        ["Rente, Alter", "5", "60 %", "20 %", "20 %"],
        ["unplaced: fits no topic", "1", "0 %", "100 %", "0 %"],
    ]
    assert charts["clarity"][0] == ["Rente, Alter", "0", *["not measured"] * 4]
    assert charts["kinds"][0] == ["Rente, Alter", *["not measured"] * 6]


def test_three_criteria_and_six_kinds_of_each_topic_are_counted_once_judged(quality, page):
    worse = json.dumps({"intent": 1, "subject": 1, "names": 1, "type": "create"})
    with language_model_replaced(ScriptedModel(*[Reply(GOOD)] * 4, Reply(worse), Reply(worse))):
        assert questions_judge() == 6
    charts = quality()
    assert sum(int(row[1]) for row in charts["clarity"]) == 6
    counted = [row[1:] for row in charts["kinds"]]
    assert sum(int(row[3]) for row in counted) == 4
    assert sum(int(row[5]) for row in counted) == 2
    rows = Asked.objects.filter(text__member__topic__isnull=False).values_list("clear_intent", flat=True)
    assert charts["clarity"][0][2] == f"{sum(rows) / len(rows):.1f}".replace(".", ",")
    assert "5 questions judged" in page()


def test_the_quality_of_questions_that_name_a_party_stands_alone(quality, django_assert_max_num_queries):
    text = QueryText.objects.get(text__contains="Linken")
    Party.objects.create(slug="linke", short_name="Linke", name="Die Linke", order=1)
    text.parties = ["linke"]
    text.save()
    days_count(days=days_kept())
    with language_model_replaced(ScriptedModel(Reply(GOOD))):
        questions_judge()
    with django_assert_max_num_queries(8):
        charts = quality(party="linke")
    assert charts["outcomes"] == [["Rente, Alter", "1", "0 %", "100 %", "0 %"]]
    assert [row[1] for row in charts["clarity"]] == ["1"]


@pytest.mark.parametrize(
    "reply", [Reply("no idea"), Reply(json.dumps({"intent": 9})), Reply("", fault=ModelFault.DIES)], ids=str
)
def test_what_is_no_judgement_measures_nothing(topic, reply):
    with language_model_replaced(ScriptedModel(reply)):
        assert questions_judge() == 0
    assert not Asked.objects.exclude(judged_by="").exists()


def test_a_model_names_what_the_desk_has_not_and_only_by_its_words(topic):
    named = Topic.objects.create(label_auto="Miete", label_editor="Wohnen", keywords=["Miete"], state="active")
    model = ScriptedModel(Reply(json.dumps({"name": "Höhe der Rente"})))
    assert topics_name(topics=[topic, named], model=model) == 1
    topic.refresh_from_db()
    assert (topic.label_auto, topic.label_source) == ("Höhe der Rente", "scripted/topic-name-1")
    assert topics_name(topics=[topic], model=model) == 0, "once for each version"
    person = ScriptedModel(Reply(json.dumps({"name": "Rente von Erika Beispielmann"})))
    Topic.objects.filter(pk=topic.pk).update(label_source="")
    topic.refresh_from_db()
    assert topics_name(topics=[topic], model=person) == 0, "a private person's name"
    other = Topic.objects.create(label_auto="Klima", keywords=["Klima"], state="active")
    assert topics_name(topics=[other], model=model) == 0
    other.refresh_from_db()
    assert other.label_auto == "Klima"
