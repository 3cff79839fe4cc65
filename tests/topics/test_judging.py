"""What a model adds: clarity and kind of a sample of questions, names of topics; "not measured" without one."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse
from django.utils import translation

from apps.answering.language_models import language_model_replaced
from apps.rag.scripted_model import ModelFault, Reply, ScriptedModel
from apps.topics import tasks
from apps.topics.models import Asked, QueryText, Topic, TopicDay, TopicMember
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


def test_the_sample_has_a_limit(topic):
    with language_model_replaced(ScriptedModel(Reply(GOOD))):
        assert questions_judge(most=2) == 2


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
    other = Topic.objects.create(label_auto="Klima", keywords=["Klima"], state="active")
    assert topics_name(topics=[other], model=model) == 0
    other.refresh_from_db()
    assert other.label_auto == "Klima"
