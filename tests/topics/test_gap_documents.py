"""A gap closed by a document: the replay says so where it answers; where it does not, the page says why."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse

from apps.documents.models import Document
from apps.querylog.counting import berlin_today
from apps.rules.models import Rule
from apps.rules.services import release_publish, rule_save
from apps.rules.types import LinkedDocument, Status
from apps.topics.dashboards.replayed import advice
from apps.topics.models import Gap, QueryText, Topic, TopicMember
from apps.topics.services.drafting import draft_spec, rule_draft
from apps.topics.services.gaps import gaps_update
from apps.topics.services.log_reading import log_read
from apps.topics.services.replaying import gaps_replay
from tests.documents.builders import ready, shelf
from tests.topics.log import ask

# The pipeline reads in threads of its own: they must see what the test has written.
pytestmark = pytest.mark.django_db(transaction=True)
ASKED = (
    "Wird Lachgas verboten?",
    "Warum ist Lachgas noch erlaubt?",
    "Ist Lachgas noch erlaubt?",
    "Ist Lachgas verboten?",
    "Warum wird Lachgas nicht verboten?",
)
ANSWERS = """# Lachgas: Was gilt

Lachgas ist noch erlaubt, weil es auch in der Medizin gebraucht wird.

## Was kommt

Lachgas wird vorerst nicht verboten. Ein Verbot ist im Bundestag gescheitert.
"""
BESIDE = """# Hilfe bei Sucht

Die Beratungsstellen der Gemeinden helfen bei Sucht. Wer Hilfe sucht, ruft dort an.
"""


@pytest.fixture
def gap() -> Gap:
    """A gap of sixteen readers on a subject that no source knows, with a draft rule."""
    ready()
    topic = Topic.objects.create(label_auto="Lachgas", keywords=["Lachgas"], state="active")
    for number in range(16):
        ask(ASKED[number % len(ASKED)], session=f"s{number}", outcome="refused", ended_with="not_enough")
    log_read()
    for text in QueryText.objects.all():
        TopicMember.objects.create(text=text, topic=topic, part=topic, similarity=0.9)
    gaps_update()
    found = Gap.objects.get()
    rule_draft(gap=found, editor=None)
    return found


def linked(text: str) -> Document:
    """Link a document to the draft rule and publish it."""
    facts = {"kind": "news", "publisher": "Der Kurier"}
    document = ready(text, "artikel.md", collection=shelf("nachrichten"), facts=facts)
    published(documents=(LinkedDocument(str(document.uuid), document.title),))
    return document


def published(**fields: object) -> None:
    """Make the draft rule active, with these fields, and publish it."""
    gap = Gap.objects.get()
    spec = replace(draft_spec(gap.topic), uid=gap.rule_uid, status=Status.ACTIVE, **fields)
    rule_save(spec=spec, author=None)
    release_publish(author=None, comment="Lachgas", expected_release=0)


@pytest.fixture
def page(client):
    """Return a function that shows the gap's page to somebody who may read readers' words."""
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    client.force_login(User.objects.create_superuser("chief"))
    client.post(reverse("admin:querylog_turn_reason"), {"reason": "Die Lücke schließen"})
    return lambda: client.get(reverse("admin:topics_gap_change", args=[Gap.objects.get().pk])).content.decode()


def test_a_document_that_answers_closes_the_gap(gap, page):
    linked(ANSWERS)
    assert gaps_replay() == 1
    gap.refresh_from_db()
    assert (gap.before["weak"], gap.after["weak"], gap.state) == (1.0, 0.0, "resolved")
    assert {row[3] for row in gap.after["rows"]} == {gap.rule_uid}
    assert advice(gap) == []
    assert "still answered badly" not in page()


def test_a_document_that_does_not_answer_leaves_it_open_and_the_page_says_why(gap, page):
    linked(BESIDE)
    gaps_replay()
    gap.refresh_from_db()
    assert (gap.after["weak"], gap.state) == (1.0, "taken")
    shown = page()
    assert "5 of 5 questions are still answered badly" in shown
    assert "The rule&#x27;s documents do not say: Lachgas" in shown
    assert "Choose the passage that does answer, link another document, or write an answer" in shown
    assert "Lachgas" not in str(gap.after), "what is stored outlives the questions: no reader's words"


def test_a_document_that_was_taken_back_is_named_as_the_reason(gap, page):
    document = linked(ANSWERS)
    Document.objects.filter(pk=document.pk).update(valid_until=berlin_today() - timedelta(days=1))
    gaps_replay()
    gap.refresh_from_db()
    assert [each.number for each in advice(gap)] == [5]
    assert {row[6] for row in gap.after["rows"]} == {False}
    assert "none of its documents could be read" in page()


def test_the_page_says_what_readers_get_of_the_rule(gap, page):
    assert "(draft: not ready, left out of releases)" in page()
    linked(BESIDE)
    gaps_replay()
    assert re.search(r">Lachgas</a> \(live\)", page())
    rule = Rule.objects.get(uid=gap.rule_uid)
    spec = replace(draft_spec(gap.topic), uid=gap.rule_uid, status=Status.ACTIVE, title="Lachgas neu")
    rule_save(spec=spec, author=None, expected_version=rule.version)
    assert "(live; what has changed goes live with the next release)" in page()
    rule.refresh_from_db()
    rule_save(spec=replace(spec, status=Status.PAUSED), author=None, expected_version=rule.version)
    assert "(paused: from the next release on)" in page()
    rule.refresh_from_db()
    rule_save(spec=replace(spec, status=Status.ARCHIVED), author=None, expected_version=rule.version)
    assert "(archived: live until the next release)" in page()


def test_without_a_document_the_page_asks_for_one(gap, page):
    published()
    gaps_replay()
    assert "hands over no document and has no answer" in page()


def test_a_draft_is_no_rule_yet(gap, page):
    Gap.objects.update(replay_wanted=True)
    gaps_replay()
    assert "No rule matched it" in page()
