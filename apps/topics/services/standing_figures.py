"""Keeps each topic's figures of the week beside it, so that lists and the panel need no sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from django.db import transaction

from apps.querylog.counting import berlin_today
from apps.topics.modelling import trends
from apps.topics.models import Topic, TopicDay
from apps.topics.querysets import LIVING

_ACTIVE_FROM_SESSIONS: Final = 15
_ACTIVE_FROM_RUNS: Final = 2
# Sessions are counted over the whole week: a reader of two days has two session-days, as on each day.
_SPAN: Final = trends.WINDOW + trends.BASELINE


def topics_refresh(*, today: date | None = None) -> None:
    """Bring trend, share answered and state of all living topics up to date, from the rollups alone."""
    day = today or berlin_today()
    last = day - timedelta(days=1)
    first = last - timedelta(days=_SPAN - 1)
    totals = trends.filled(_by_day(TopicDay.Scope.ALL, first, last), first, last)
    series = _series(first, last)
    with transaction.atomic():
        # An editor who merges one of them meanwhile must not find it alive again.
        topics = list(Topic.objects.select_for_update(no_key=True).filter(state__in=LIVING).order_by("pk"))
        for topic in topics:
            counted = series.get(topic.pk, {})
            sessions = {day: row[0] for day, row in counted.items()}
            _refresh(topic, trends.filled(sessions, first, last), totals, counted, day)
        Topic.objects.bulk_update(
            topics,
            ["sessions_week", "sessions_before", "answered_share", "movement", "trend_z", "state"],
            batch_size=1_000,
        )
        _retire(day)


def _refresh(
    topic: Topic,
    sessions: Sequence[int],
    totals: Sequence[int],
    counted: Mapping[date, tuple[int, int, int]],
    today: date,
) -> None:
    age = (today - topic.first_seen).days if topic.first_seen else None
    found = trends.trend(sessions, totals, first_seen=age)
    topic.sessions_week, topic.sessions_before = found.sessions, round(found.baseline, 2)
    topic.movement, topic.trend_z = found.movement.value, round(found.z, 3)
    week = [row for day, row in counted.items() if day >= today - timedelta(days=trends.WINDOW)]
    decided = sum(answered + refused for _, answered, refused in week)
    topic.answered_share = sum(answered for _, answered, _ in week) / decided if decided else None
    is_proven = topic.runs_seen >= _ACTIVE_FROM_RUNS or sum(sessions) >= _ACTIVE_FROM_SESSIONS or topic.is_kept
    if topic.state == Topic.State.CANDIDATE and is_proven:
        topic.state = Topic.State.ACTIVE
    silent = (today - topic.last_seen).days if topic.last_seen else 0
    if topic.state == Topic.State.ACTIVE and silent >= trends.DORMANT_AFTER and not topic.is_pinned:
        topic.state = Topic.State.DORMANT
    elif topic.state == Topic.State.DORMANT and silent < trends.DORMANT_AFTER:
        topic.state = Topic.State.ACTIVE


def _retire(today: date) -> None:
    before = today - timedelta(days=trends.RETIRED_AFTER)
    silent = Topic.objects.filter(state=Topic.State.DORMANT, last_seen__lt=before, is_pinned=False)
    silent.update(state=Topic.State.RETIRED)


def _by_day(scope: str, first: date, last: date) -> dict[date, int]:
    rows = TopicDay.objects.filter(scope=scope, party="", day__range=(first, last))
    return dict(rows.values_list("day", "sessions"))


def _series(first: date, last: date) -> dict[int, dict[date, tuple[int, int, int]]]:
    rows = TopicDay.objects.filter(scope=TopicDay.Scope.TOPIC, party="", day__range=(first, last))
    found: dict[int, dict[date, tuple[int, int, int]]] = {}
    for topic, day, sessions, answered, refused in rows.values_list("topic", "day", "sessions", "answered", "refused"):
        found.setdefault(topic, {})[day] = (sessions, answered, refused)
    return found
