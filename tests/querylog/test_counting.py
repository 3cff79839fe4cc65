"""Counts by Berlin day: kept when the questions are gone, right on the days when the clocks change."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from apps.querylog import retention
from apps.querylog.counting import berlin_span, berlin_today, counts_between, day_counted, day_keep, days_roll_up
from apps.querylog.models import Conversation, LogDay, Turn

pytestmark = pytest.mark.django_db


def asked(moment: datetime, reader: str = "a", **fields) -> Turn:
    conversation = Conversation.objects.create(owner=reader, session_day=reader)
    turn = Turn.objects.create(conversation=conversation, number=1, question="Frage?", **fields)
    Turn.objects.filter(pk=turn.pk).update(created_at=moment)
    Conversation.objects.filter(pk=conversation.pk).update(created_at=moment)
    return turn


def noon(days_ago: int) -> datetime:
    return berlin_span(berlin_today() - timedelta(days=days_ago))[0] + timedelta(hours=12)


def counts(day: date) -> dict[tuple[str, str], tuple[int, int]]:
    return {(each.counted, each.value): (each.turns, each.sessions) for each in day_counted(day)}


def test_readers_count_once_a_day_and_questions_each_time():
    asked(noon(0), "a", parties=["auen", "kompass"], outcome="answered")
    asked(noon(0), "a", parties=["auen"], outcome="refused")
    asked(noon(0), "b", parties=["auen"], people=["Ada Fernrohr"])
    found = counts(berlin_today())
    assert found["all", ""] == (3, 2)
    assert found["party", "auen"] == (3, 2)
    assert found["party", "kompass"] == (1, 1)
    assert found["person", "Ada Fernrohr"] == (1, 1)
    assert (found["outcome", "answered"], found["outcome", "refused"]) == ((1, 1), (1, 1))


@pytest.mark.parametrize("kind", ["small_talk", "blocked", "no_text", "too_short"])
def test_what_is_no_question_names_nobody(kind):
    asked(noon(0), kind=kind, parties=["auen"], outcome="chatted")
    assert counts(berlin_today()) == {("all", ""): (1, 1), ("kind", kind): (1, 1)}


@pytest.mark.parametrize(
    ("moment", "day", "hours"),
    [
        (datetime(2025, 3, 29, 23, 30, tzinfo=UTC), date(2025, 3, 30), 23),
        (datetime(2025, 3, 30, 21, 59, tzinfo=UTC), date(2025, 3, 30), 23),
        (datetime(2025, 3, 30, 22, 0, tzinfo=UTC), date(2025, 3, 31), 24),
        (datetime(2025, 10, 26, 0, 30, tzinfo=UTC), date(2025, 10, 26), 25),
        (datetime(2025, 10, 26, 1, 30, tzinfo=UTC), date(2025, 10, 26), 25),
        (datetime(2025, 10, 26, 22, 59, tzinfo=UTC), date(2025, 10, 26), 25),
        (datetime(2025, 10, 26, 23, 0, tzinfo=UTC), date(2025, 10, 27), 24),
    ],
)
def test_days_are_those_of_berlin_at_both_changes_of_the_clock(moment, day, hours):
    asked(moment)
    assert counts(day)["all", ""] == (1, 1)
    assert counts(day - timedelta(days=1)) == counts(day + timedelta(days=1)) == {}
    start, end = berlin_span(day)
    assert (end.astimezone(UTC) - start.astimezone(UTC)) == timedelta(hours=hours)


def test_counts_outlive_the_questions():
    asked(noon(3), "a", parties=["auen"])
    asked(noon(1), "b")
    assert days_roll_up() == 2
    Turn.objects.all().delete()
    day = berlin_today() - timedelta(days=3)
    assert LogDay.objects.get(day=day, counted="party").value == "auen"
    # The days before yesterday are closed; those just over are counted once more.
    assert days_roll_up() == 1
    assert LogDay.objects.filter(day=day, counted="all").get().turns == 1
    assert not LogDay.objects.filter(day=berlin_today() - timedelta(days=1)).exists()


def test_what_a_reader_deletes_in_time_counts_no_more_the_next_night():
    turn = asked(noon(1))
    days_roll_up()
    retention.conversation_delete(conversation=turn.conversation)
    days_roll_up()
    assert not LogDay.objects.exists()


def test_a_day_that_is_partly_forgotten_is_not_counted_anew(settings):
    settings.QUESTION_RETENTION_DAYS = 3
    asked(noon(4))
    assert days_roll_up() == 0


def test_the_last_night_before_a_day_is_forgotten_still_counts_it(settings):
    """The nightly job counts first: with a retention of one day, yesterday is whole until then."""
    settings.QUESTION_RETENTION_DAYS = 1
    asked(noon(1))
    days_roll_up()
    assert retention.turns_expire()["turns"] == 1
    # Whoever counts again later the same night counts no forgotten day.
    assert days_roll_up() == 0
    assert LogDay.objects.get(counted="all").turns == 1


def test_keeping_a_day_twice_leaves_the_same_rows():
    asked(noon(1), parties=["auen"])
    day = berlin_today() - timedelta(days=1)
    for _ in range(2):
        day_keep(day)
    rows = set(LogDay.objects.values_list("counted", "value", "turns", "sessions"))
    assert rows == {("all", "", 1, 1), ("kind", "text", 1, 1), ("party", "auen", 1, 1)}


def test_today_is_counted_on_the_spot_and_past_days_from_what_is_kept(django_assert_num_queries):
    asked(noon(0), parties=["auen"])
    asked(noon(2), parties=["kompass"])
    days_roll_up()
    today = berlin_today()
    with django_assert_num_queries(2):
        found = counts_between(today - timedelta(days=6), today, "party")
    assert [(each.day, each.value) for each in found] == [(today - timedelta(days=2), "kompass"), (today, "auen")]
    assert timezone.get_default_timezone_name() == "Europe/Berlin"
