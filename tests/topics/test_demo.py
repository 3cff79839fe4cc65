"""The demo's topics: one for each subject that is named, made of all that is mostly on it."""

import json
from datetime import timedelta

import pytest
from django.apps import apps
from django.core.management import call_command

from apps.querylog.counting import berlin_today, day_keep
from apps.querylog.demo.planning import texts_asked
from apps.querylog.models import Conversation, Turn
from apps.topics.demo.making import _NAMES, _approve, _forget_half_a_log, is_untouched
from apps.topics.modelling.trends import berlin_day
from apps.topics.models import QueryText, StoredChart, Topic, TopicDay, TopicMember
from apps.topics.publicity import panel_make
from apps.topics.services import edits
from apps.topics.services.counting import days_count, days_kept
from apps.topics.services.gaps import gaps_update
from apps.topics.services.log_reading import days_follow_the_log, log_read
from apps.topics.services.notices import notices_send
from apps.topics.services.ordering import run_order
from apps.topics.services.running import run_execute
from apps.topics.text_keys import text_key
from tests.topics.log import ask, ask_many, subjects_embedded

WANTED = {"subject": "klimageld", "name": "Klimageld", "question": "Wie hoch ist das Klimageld?"}


def test_every_name_is_of_a_subject_of_the_log():
    names = json.loads(_NAMES.read_text(encoding="utf-8"))
    assert len(names) >= 5
    assert {each["subject"] for each in names} <= set(texts_asked())


def topic(about: dict[str, str], **subjects: int) -> Topic:
    made = Topic.objects.create(state="active")
    for subject, number in subjects.items():
        for place in range(number):
            text = f"Frage {place} zu {subject} in {made.pk}?"
            ask(text, session=f"s{place}")
            about[text_key(text)] = subject
    log_read()
    for text in QueryText.objects.filter(member__isnull=True):
        TopicMember.objects.create(text=text, topic=made, part=made, similarity=0.9)
    return made


@pytest.mark.django_db
def test_fragments_of_a_subject_become_one_topic_and_others_are_left_alone():
    about: dict[str, str] = {}
    first = topic(about, klimageld=3, rente=1)
    largest = topic(about, klimageld=5)
    other = topic(about, rente=4, klimageld=2)
    _approve(WANTED, about)
    shown = Topic.objects.public().get()
    assert (shown, shown.label_editor, shown.members.count()) == (largest, "Klimageld", 9)
    assert Topic.objects.get(pk=first.pk).merged_into == largest
    assert Topic.objects.living().filter(pk=other.pk, label_editor="").exists()
    _approve(WANTED, about)
    assert Topic.objects.public().get() == largest


@pytest.mark.django_db
def test_a_subject_that_no_topic_is_mostly_about_gets_none():
    about: dict[str, str] = {}
    topic(about, rente=4, klimageld=3)
    _approve(WANTED, about)
    assert not Topic.objects.public().exists()


@pytest.mark.django_db
def test_what_ran_on_half_a_log_is_forgotten_and_what_a_person_touched_is_not():
    made = topic({}, rente=3)
    assert not is_untouched(), "real readers have asked"
    Conversation.objects.update(is_demo=True)
    assert is_untouched()
    edits.topic_rename(topic=made, name="Alter", editor=None)
    assert not is_untouched()
    _forget_half_a_log()
    assert not Topic.objects.exists()
    assert QueryText.objects.count() == 3


def everything() -> dict[str, int]:
    """Return how many rows each table of the log and of the topics has."""
    models = [*apps.get_app_config("querylog").get_models(), *apps.get_app_config("topics").get_models()]
    return {model.__name__: model.objects.count() for model in models}  # type: ignore[attr-defined]


def demo_with_topics() -> None:
    """A demo of three days with everything that is made of one."""
    with subjects_embedded():
        for days_ago in (1, 2, 3):
            ask_many(each=6, days_ago=days_ago, outcome="refused", ended_with="not_enough")
        Conversation.objects.update(is_demo=True)
        for days_ago in (1, 2, 3):
            day_keep(berlin_today() - timedelta(days=days_ago))
        log_read()
        run_execute(pk=run_order().pk)
        for one in Topic.objects.all()[:2]:
            edits.topic_rename(topic=one, name=f"Name {one.pk}", editor=None)
            edits.topic_set(topic=one, kind="public", value=True, editor=None)
        edits.topics_merge(into=one, others=list(Topic.objects.all()[2:3]), editor=None)
        notices_send(fresh=gaps_update())
        panel_make()


@pytest.mark.django_db(transaction=True)
def test_one_command_takes_the_demo_out_to_the_last_row(capsys):
    before = everything()
    demo_with_topics()
    found = everything()
    made = ("Turn", "LogDay", "Asked", "Topic", "TopicDay", "TopicRun", "TopicEdit", "Gap", "GapNotice", "StoredChart")
    assert all(found[name] for name in made), found
    call_command("demo_log", remove=True)
    assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_what_readers_have_asked_stays_when_the_demo_goes_also_what_is_forgotten():
    demo_with_topics()
    long_ago = berlin_today() - timedelta(days=90)
    asleep = Topic.objects.create(label_editor="Kohle", state="dormant")
    TopicDay.objects.create(day=long_ago, scope="topic", topic=asleep, sessions=30, messages=30)
    rent = TopicMember.objects.filter(text__text__contains="Rente").first().topic
    real = ask("Was soll bei Rente in Ort 1 geschehen?", session="real", days_ago=2)
    log_read()
    days_count(days=days_kept())
    call_command("demo_log", remove=True)
    assert set(Topic.objects.values_list("pk", flat=True)) == {asleep.pk, rent.pk}
    assert TopicDay.objects.get(day=long_ago).sessions == 30
    [day] = TopicDay.objects.filter(scope="all", party="")
    assert (day.day, day.sessions) == (berlin_day(real.created_at), 1)
    assert not StoredChart.objects.exists(), "they were drawn from the demo's figures"


@pytest.mark.django_db(transaction=True)
def test_a_demo_that_is_dated_anew_stands_on_its_new_days_alone():
    demo_with_topics()
    before = sum(TopicDay.objects.filter(scope="all", party="").values_list("messages", flat=True))
    for turn in Turn.objects.all():
        Turn.objects.filter(pk=turn.pk).update(created_at=turn.created_at + timedelta(days=2))
    days_count(days=days_follow_the_log())
    counted = dict(TopicDay.objects.filter(scope="all", party="").values_list("day", "messages"))
    today = berlin_today()
    assert set(counted) == {today + timedelta(days=ahead) for ahead in (-1, 0, 1)}
    assert sum(counted.values()) == before
