"""Forgetting: whole days, at a reader's wish, and other apps are told before it happens."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.querylog import retention, services, tasks
from apps.querylog.counting import berlin_span, berlin_today
from apps.querylog.models import Conversation, DailyKey, LogDay, Turn
from apps.querylog.ownership import new_token, session_day

pytestmark = pytest.mark.django_db
TOLD: list[tuple[set[int], int]] = []


def told(turn_ids) -> None:
    """What another app does when turns go: it is asked while they are still there."""
    TOLD.append((set(turn_ids), Turn.objects.filter(pk__in=turn_ids).count()))


def broken(turn_ids) -> None:
    raise RuntimeError("The other app cannot forget.")


@pytest.fixture
def port(settings):
    TOLD.clear()
    settings.PORTS = {**settings.PORTS, "querylog.turns_erasing": f"{__name__}.told"}


def asked(days_ago: float = 0, count: int = 1) -> Conversation:
    conversation = services.conversation_open(token=new_token(), language="de")
    for _ in range(count):
        turn = services.turn_start(conversation=conversation, words="Wann wird gewählt?")
        Turn.objects.filter(pk=turn.pk).update(created_at=timezone.now() - timedelta(days=days_ago))
    Conversation.objects.filter(pk=conversation.pk).update(created_at=timezone.now() - timedelta(days=days_ago))
    return conversation


def test_other_apps_are_told_before_a_conversation_goes(port):
    conversation = asked(count=3)
    keys = set(conversation.turns.values_list("pk", flat=True))
    retention.conversation_delete(conversation=conversation)
    assert [(keys, 3)] == TOLD
    assert not Turn.objects.exists()


def test_other_apps_are_told_when_time_is_over_in_batches(port, monkeypatch):
    monkeypatch.setattr(retention, "_BATCH", 2)
    asked(40, count=5)
    asked(1)
    assert retention.turns_expire()["turns"] == 5
    assert [len(keys) for keys, _ in TOLD] == [2, 2, 1]
    assert all(there == len(keys) for keys, there in TOLD)
    assert Turn.objects.count() == 1


def test_what_another_app_cannot_forget_stays_whole(settings):
    settings.PORTS = {**settings.PORTS, "querylog.turns_erasing": f"{__name__}.broken"}
    conversation = asked(count=2)
    with pytest.raises(RuntimeError):
        retention.conversation_delete(conversation=conversation)
    assert conversation.turns.count() == 2


def test_whole_days_go(settings):
    settings.QUESTION_RETENTION_DAYS = 2
    first = berlin_span(berlin_today() - timedelta(days=1))[0]
    for moment in (first, first - timedelta(seconds=1)):
        conversation = asked()
        Turn.objects.filter(conversation=conversation).update(created_at=moment)
    assert retention.turns_expire()["turns"] == 1
    assert Turn.objects.get().created_at == first
    assert retention.kept_from() == first


def test_the_night_counts_first_and_says_how_much_went(caplog):
    asked(30)
    asked(2)
    with caplog.at_level("INFO", logger="apps.querylog.tasks"):
        tasks.expire()
    assert "Forgotten: 1 turns, 1 conversations" in caplog.text
    assert LogDay.objects.filter(counted="all").count() == 2


def test_yesterdays_hashes_lead_back_to_nobody():
    today = berlin_today()
    token = new_token()
    before = session_day(token, today - timedelta(days=1))
    assert session_day(token, today - timedelta(days=1)) == before
    assert session_day(token, today) != before
    tasks.destroy_keys()
    assert set(DailyKey.objects.values_list("day", flat=True)) == {today}
    # With the key gone, the same token makes another hash.
    assert session_day(token, today - timedelta(days=1)) != before
