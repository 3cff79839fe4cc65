"""The demo's topics: one for each subject that is named, made of all that is mostly on it."""

import json

import pytest

from apps.querylog.demo.planning import texts_asked
from apps.querylog.models import Conversation
from apps.topics.demo.making import _NAMES, _approve, _forget_half_a_log, is_untouched
from apps.topics.models import QueryText, Topic, TopicMember
from apps.topics.services import edits
from apps.topics.services.log_reading import log_read
from apps.topics.text_keys import text_key
from tests.topics.log import ask

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
