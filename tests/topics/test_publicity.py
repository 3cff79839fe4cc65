"""What readers see of what others ask: approved, thresholded, rounded, a day late, and safe against crowds of one."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.template import Context, Template

from apps.querylog.counting import berlin_today
from apps.topics.modelling.publicity import Counted, brake, panel
from apps.topics.models import Asked, QueryText, Topic, TopicMember
from apps.topics.publicity import panel_make, panel_read
from apps.topics.services.log_reading import log_read
from tests.topics.log import ask


def counted(**more) -> Counted:
    fields = {"key": 1, "name": "Rente", "question": "", "votes": 120, "before": 100, "days": 7,
              "hours": (9,) * 13, "commonest": 10, "texts": 60}  # fmt: skip
    return Counted(**{**fields, **more})


def test_below_fifty_votes_nothing_is_shown():
    assert panel([counted(votes=49)]) == []
    assert len(panel([counted(votes=50)])) == 1


def test_a_topic_of_one_day_is_not_shown():
    assert panel([counted(days=2)]) == []


def test_bars_are_relative_and_rounded_to_tens():
    shown = panel(
        [counted(key=1, votes=203), counted(key=2, name="Klima", votes=97), counted(key=3, name="A", votes=96)]
    )
    assert [topic.bar for topic in shown] == [100, 50, 50]
    assert all(topic.bar % 10 == 0 for topic in shown)


def test_the_order_tells_no_more_than_the_bars():
    shown = panel([counted(key=1, name="Zoll", votes=104), counted(key=2, name="Abgaben", votes=96)])
    assert [topic.name for topic in shown] == ["Abgaben", "Zoll"]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({}, ""),
        ({"hours": (90, 5, 5, 5, 5)}, "burst"),
        ({"commonest": 100, "votes": 120}, "same_words"),
        ({"hours": (10, 1)}, ""),
    ],
)
def test_what_looks_pushed_is_held_back(more, reason):
    assert brake(counted(**more)) == reason


def approved(votes: int, **more) -> Topic:
    """Return an approved topic with so many votes, spread over the seven days that count, and over their hours."""
    topic = Topic.objects.create(
        label_editor="Rente", state="active", is_public=True, public_question="Was wollen die Parteien?", **more
    )
    for number in range(votes):
        ask(
            f"Was ist mit der Rente in Ort {number}?",
            session=f"s{number}",
            days_ago=2.6 + (number % 5) + number % 7 / 20,
        )
    log_read()
    for text in QueryText.objects.all():
        TopicMember.objects.create(text=text, topic=topic, part=topic, similarity=0.9)
    return topic


def drawn() -> str:
    return Template("{% load topics_public %}{% trending_panel %}").render(Context())


@pytest.mark.django_db
def test_the_panel_shows_approved_topics_and_says_how_it_counts():
    approved(70)
    panel_make()
    page = drawn()
    assert "Rente" in page
    assert "Ort 3" not in page
    assert "70" in page, "the total it rests on, rounded"


@pytest.mark.django_db
@pytest.mark.parametrize("change", [{"is_public": False}, {"is_hidden": True}, {"state": "dormant"}])
def test_an_editors_veto_holds_at_once(change):
    topic = approved(70)
    panel_make()
    Topic.objects.filter(pk=topic.pk).update(**change)
    assert panel_read().topics == ()
    assert drawn().strip() == ""


@pytest.mark.django_db
def test_yesterday_does_not_count_yet():
    topic = approved(49)
    ask("Was ist mit der Rente gestern?", session="late", days_ago=1)
    log_read()
    late = QueryText.objects.get(member=None)
    TopicMember.objects.create(text=late, topic=topic, part=topic, similarity=0.9)
    made = panel_make()
    assert made.last == berlin_today() - timedelta(days=2)
    assert made.topics == ()


@pytest.mark.django_db
def test_one_session_has_one_vote_a_day():
    topic = approved(40)
    for number in range(40):
        ask(f"Rente Rente {number}", session="one", days_ago=3)
    log_read()
    for text in QueryText.objects.filter(member=None):
        TopicMember.objects.create(text=text, topic=topic, part=topic, similarity=0.9)
    assert panel_make().topics == ()


@pytest.mark.django_db
def test_a_burst_is_held_back_until_an_editor_lets_it_go_on():
    from apps.topics.services import edits

    topic = approved(60)
    Asked.objects.update(asked_at=Asked.objects.first().asked_at)
    Asked.objects.update(day=berlin_today() - timedelta(days=3))
    ids = list(Asked.objects.values_list("pk", flat=True)[:6])
    Asked.objects.filter(pk__in=ids[:3]).update(day=berlin_today() - timedelta(days=4))
    Asked.objects.filter(pk__in=ids[3:]).update(day=berlin_today() - timedelta(days=5))
    assert panel_make().topics == ()
    topic.refresh_from_db()
    assert topic.held_reason == "burst"
    edits.topic_set(topic=topic, kind="public", value=True, editor=None)
    Topic.objects.filter(pk=topic.pk).update(held_until=None)
    topic.refresh_from_db()
    assert topic.held_reason == ""


@pytest.mark.django_db
def test_without_a_panel_nothing_is_drawn():
    assert drawn().strip() == ""
