"""Days in Berlin, zero days, and where a topic is going."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from apps.topics.modelling.trends import Movement, berlin_day, day_begins, filled, trend


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        (datetime(2025, 3, 29, 23, 30, tzinfo=UTC), date(2025, 3, 30)),
        (datetime(2025, 3, 29, 22, 59, tzinfo=UTC), date(2025, 3, 29)),
        (datetime(2025, 10, 26, 0, 30, tzinfo=UTC), date(2025, 10, 26)),
        (datetime(2025, 10, 26, 1, 30, tzinfo=UTC), date(2025, 10, 26)),
        (datetime(2025, 7, 1, 22, 0, tzinfo=UTC), date(2025, 7, 2)),
    ],
)
def test_days_are_days_in_berlin(moment, day):
    assert berlin_day(moment) == day


@pytest.mark.parametrize(("day", "hours"), [(date(2025, 3, 30), 23), (date(2025, 10, 26), 25), (date(2025, 5, 1), 24)])
def test_a_day_is_as_long_as_the_clocks_say(day, hours):
    following = date.fromordinal(day.toordinal() + 1)
    span = day_begins(following).astimezone(UTC) - day_begins(day).astimezone(UTC)
    assert span.total_seconds() == hours * 3600


def test_days_without_a_question_are_zero():
    assert filled({date(2025, 5, 2): 3}, date(2025, 5, 1), date(2025, 5, 4)) == [0, 3, 0, 0]


ALL = [100] * 35


@pytest.mark.parametrize(
    ("before", "now", "first_seen", "movement"),
    [
        ([1] * 28, [1] * 7, 60, Movement.STEADY),
        ([1] * 28, [6] * 7, 60, Movement.GROWING),
        ([6] * 28, [1] * 7, 60, Movement.FADING),
        ([3] * 28, [0] * 7, 60, Movement.SILENT),
        ([0] * 28, [0, 0, 0, 4, 5, 6, 7], 3, Movement.NEW),
        # All on one day, or too few: no trend.
        ([0] * 27 + [1], [0] * 6 + [40], 60, Movement.STEADY),
        ([0] * 27 + [1], [2, 2, 2, 2, 2, 2, 2], 60, Movement.STEADY),
    ],
)
def test_where_a_topic_is_going(before, now, first_seen, movement):
    assert trend([*before, *now], ALL, first_seen=first_seen).movement == movement
