"""Both changes of the clock, with rows of the days around them: every count, window and job means days in Berlin."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from celery.schedules import crontab
from django.test import RequestFactory

from apps.config.celery import app
from apps.config.schedule import SCHEDULE
from apps.querylog.admin.filters import Period
from apps.querylog.admin.turns import TurnAdmin
from apps.querylog.counting import berlin_span, days_roll_up
from apps.querylog.models import Conversation, DailyKey, LogDay, Turn
from apps.querylog.retention import turns_expire
from apps.topics.dashboards import reading
from apps.topics.dashboards.reading import Filters
from apps.topics.modelling.publicity import brake
from apps.topics.models import Gap, GapNotice, QueryText, Topic, TopicDay, TopicMember
from apps.topics.publicity import _counted, panel_make
from apps.topics.services import notices
from apps.topics.services.counting import days_count, days_kept
from apps.topics.services.log_reading import log_read
from apps.topics.services.replaying import gap_replay

SPRING, AUTUMN = date(2026, 3, 29), date(2026, 10, 25)
# In Berlin 00:30, the hours around the change, 23:59; in October 02:30 comes twice.
MOMENTS = {
    SPRING: [(3, 28, 23, 30), (3, 29, 0, 59), (3, 29, 1, 0), (3, 29, 21, 59)],
    AUTUMN: [(10, 24, 22, 30), (10, 25, 0, 30), (10, 25, 1, 30), (10, 25, 22, 59)],
}


@pytest.fixture
def clock(monkeypatch):
    """Set what time it is, in Berlin."""

    def to(day: date, hour: int = 12, minute: int = 0) -> None:
        moment = berlin_span(day)[0].astimezone(UTC).replace(tzinfo=UTC)
        wall = berlin_span(day)[0].replace(hour=hour, minute=minute).astimezone(UTC)
        monkeypatch.setattr("django.utils.timezone.now", lambda: wall if hour else moment + timedelta(minutes=minute))

    return to


def asked(moment: datetime, session: str) -> Turn:
    conversation = Conversation.objects.create(owner=session, session_day=session)
    turn = Turn.objects.create(
        conversation=conversation, number=1, question=f"Was ist mit der Rente, fragt {session}?", outcome="answered",
        decision="SEARCH_AS_IS", state="done", finished_at=moment,
    )  # fmt: skip
    Turn.objects.filter(pk=turn.pk).update(created_at=moment)
    Conversation.objects.filter(pk=conversation.pk).update(created_at=moment)
    return turn


@pytest.fixture(params=[SPRING, AUTUMN], ids=["spring", "autumn"])
def change(request, db, clock) -> date:
    """A day of 23 or 25 hours with four questions, one in the last minute before it, one in the first after it."""
    day: date = request.param
    clock(day + timedelta(days=1), 12)
    start, end = berlin_span(day)
    asked(start.astimezone(UTC) - timedelta(minutes=1), "before")
    for number, numbers in enumerate(MOMENTS[day]):
        asked(datetime(2026, *numbers, tzinfo=UTC), f"s{number}")
    asked(end.astimezone(UTC), "after")
    topic = Topic.objects.create(label_editor="Rente", state="active", is_public=True)
    log_read()
    for text in QueryText.objects.all():
        TopicMember.objects.create(text=text, topic=topic, part=topic, similarity=0.9)
    days_count(days=days_kept())
    return day


def around(day: date) -> list[date]:
    return [day - timedelta(days=1), day, day + timedelta(days=1)]


def test_the_counts_of_the_log_the_topics_and_the_series_are_the_same(change):
    days_roll_up()
    wanted = dict(zip(around(change), (1, 4, 1), strict=True))
    for scope in ("all", "topic"):
        rows = TopicDay.objects.filter(scope=scope, party="")
        assert dict(rows.values_list("day", "messages")) == wanted
    # Today is counted on the spot, and kept tomorrow.
    kept = dict(LogDay.objects.filter(counted="all").values_list("day", "turns"))
    assert kept == {day: count for day, count in wanted.items() if day != around(change)[2]}
    filters = Filters(7, "", around(change)[2])
    series = reading.by_day(filters)
    assert [series[day].messages for day in filters.all_days if day in series] == [1, 4, 1]
    assert len(set(filters.all_days)) == 7


@pytest.mark.parametrize(("days_later", "votes"), [(1, 1), (2, 5), (8, 5), (9, 1), (10, 0)])
def test_the_panel_counts_seven_whole_days_that_end_the_day_before_yesterday(change, clock, days_later, votes):
    """The day before the change leaves the window a day earlier, the day after it enters a day later."""
    clock(change + timedelta(days=days_later), 3, 5)
    made = panel_make()
    [topic] = Topic.objects.all()
    assert (made.last - made.first).days == 6
    assert made.last == change + timedelta(days=days_later - 2)
    assert _counted(topic, made.first, made.last).votes == votes


def test_whole_days_are_forgotten(change, clock, settings):
    settings.QUESTION_RETENTION_DAYS = 3
    clock(change + timedelta(days=2), 3, 20)
    assert turns_expire()["turns"] == 1, "the day before the change"
    clock(change + timedelta(days=2), 23, 59)
    assert turns_expire()["turns"] == 0
    clock(change + timedelta(days=3), 0, 1)
    assert turns_expire()["turns"] == 4
    assert Turn.objects.get().question == "Was ist mit der Rente, fragt after?"


def test_the_key_of_a_day_lives_as_long_as_the_day(change, clock):
    for day in around(change):
        DailyKey.objects.create(day=day, key=b"x")
    clock(change, 23, 59)
    turns_expire()
    assert list(DailyKey.objects.order_by("day").values_list("day", flat=True)) == around(change)[1:]
    clock(change + timedelta(days=1), 0, 1)
    turns_expire()
    assert DailyKey.objects.get().day == around(change)[2]


def test_the_days_limit_of_notices_ends_with_the_day(change, clock):
    topic = Topic.objects.get()
    gap = Gap.objects.create(topic=topic)
    start, end = (moment.astimezone(UTC) for moment in berlin_span(change))
    for moment in (start - timedelta(minutes=1), start, end - timedelta(minutes=1)):
        made = GapNotice.objects.create(gap=gap, score=1)
        GapNotice.objects.filter(pk=made.pk).update(created_at=moment)
    clock(change, 23, 59)
    assert notices._sent_today() == 2
    clock(change + timedelta(days=1), 0, 1)
    assert notices._sent_today() == 0


def test_the_list_of_today_is_the_list_of_a_berlin_day(change, clock):
    clock(change, 23, 59)
    request = RequestFactory().get("/", {"days": "1"})
    found = Period(request, {"days": ["1"]}, Turn, TurnAdmin).queryset(request, Turn.objects.all())  # type: ignore[arg-type]
    assert found.count() == 5, "four of the day, and the one after it that is not filtered away"


@pytest.mark.django_db
@pytest.mark.parametrize("day", [SPRING, AUTUMN])
def test_after_midnight_a_gap_is_asked_again_on_the_day_that_it_is_in_berlin(clock, day):
    clock(day, 0, 30)
    days: list[date] = []
    gap_replay(gap=Gap.objects.create(topic=Topic.objects.create(label_auto="Rente")),
               ask=lambda texts, now: days.append(now.date()) or [], release=0)  # fmt: skip
    assert days == [day]


@pytest.mark.django_db
def test_the_two_hours_of_one_name_are_two_hours():
    topic = Topic.objects.create(label_editor="Rente", state="active", is_public=True)
    start = berlin_span(AUTUMN)[0].astimezone(UTC)
    for number in range(13):
        asked(datetime(2026, 10, 25, 0, 30, tzinfo=UTC), f"first{number}")
        asked(datetime(2026, 10, 25, 1, 30, tzinfo=UTC), f"second{number}")
    for number in range(34):
        asked(start + timedelta(days=1 + number % 4, hours=8 + number % 9), f"other{number}")
    log_read()
    for text in QueryText.objects.all():
        TopicMember.objects.create(text=text, topic=topic, part=topic, similarity=0.9)
    assert brake(_counted(topic, AUTUMN, AUTUMN + timedelta(days=6))) == ""


DAILY = {
    name: entry["schedule"] for name, entry in SCHEDULE.items() if getattr(entry["schedule"], "_orig_hour", "*") != "*"
}


@pytest.mark.parametrize("name", DAILY)
@pytest.mark.parametrize("day", [SPRING, AUTUMN])
def test_each_job_of_the_night_runs_once_a_day(name, day):
    """02:10 is left out in March and comes twice in October."""
    wanted = DAILY[name]
    assert isinstance(wanted, crontab)
    now = [berlin_span(day - timedelta(days=1))[0].astimezone(UTC) + timedelta(hours=12, seconds=20)]
    schedule = crontab(
        minute=wanted._orig_minute, hour=wanted._orig_hour, nowfun=lambda: now[0].astimezone(app.timezone), app=app
    )
    last, days = now[0].astimezone(app.timezone), []
    for _minute in range(36 * 60):
        if schedule.is_due(last).is_due:
            last = now[0].astimezone(app.timezone)
            days.append(last.date())
        now[0] += timedelta(minutes=1)
    assert days.count(day) == 1
