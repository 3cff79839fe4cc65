"""The plan of the demo's log: true to life, and the same every time."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from apps.querylog.demo.loading import begun_at
from apps.querylog.demo.planning import DAYS, content, plan, texts_asked
from apps.querylog.demo.wording import varied


def test_there_are_three_thousand_questions_and_the_same_ones_every_time():
    first = plan()
    plan.cache_clear()
    assert plan() == first
    assert sum(len(each.turns) for each in first) == 3_000
    assert len({turn.uuid for each in first for turn in each.turns}) == 3_000
    assert len({each.uuid for each in first}) == len(first)


def test_five_subjects_have_fifty_readers_in_the_last_seven_whole_days():
    """So that the public panel has something to show at once."""
    readers: dict[str, set[tuple[str, int]]] = {}
    for each in plan():
        if DAYS - 8 <= each.day < DAYS - 1:
            readers.setdefault(each.subject, set()).add((each.reader, each.day))
    asked = {subject: len(found) for subject, found in readers.items() if subject not in {"plaudern", "angriff"}}
    assert sum(count >= 50 for count in asked.values()) >= 5


def test_days_have_a_rhythm_and_events_make_their_subjects_surge():
    hours = Counter(each.second // 3600 for each in plan())
    assert hours[20] > 5 * hours[3]
    for subject in content()["subjects"]:
        if "surge" in subject:
            days = Counter(each.day for each in plan() if each.subject == subject["slug"])
            usual = sum(count for day, count in days.items() if day < subject["surge"]["day"]) / subject["surge"]["day"]
            assert days[subject["surge"]["day"]] > 8 * usual


def test_one_afternoon_many_sessions_say_the_same():
    attack = [each for each in plan() if each.subject == "angriff"]
    assert len({each.reader for each in attack}) == len(attack) == 90
    assert len({each.day for each in attack}) == 1
    assert max(each.second for each in attack) - min(each.second for each in attack) < 2 * 3600
    assert len({turn.text.rstrip("?! ") for each in attack for turn in each.turns}) <= 3


def test_many_ask_the_same_and_few_write_it_alike():
    texts = Counter(turn.text for each in plan() for turn in each.turns)
    assert 200 <= len({turn.asked for each in plan() for turn in each.turns}) <= 350
    assert len(texts) > 1_000
    assert max(texts.values()) >= 10
    assert sum(map(len, texts_asked().values())) == len({turn.asked for each in plan() for turn in each.turns})


def test_some_readers_come_back_the_same_day():
    visits = Counter((each.reader, each.day) for each in plan())
    assert sum(count > 1 for count in visits.values()) > 50


def test_three_gaps_are_named():
    assert sum(bool(subject.get("gap")) for subject in content()["subjects"]) == 3


@pytest.mark.parametrize("text", ["Hallo", "?", "🙂", "Wie hoch ist das Klimageld?", "Wann kommt es", "A b c d"])
def test_slips_of_the_finger_leave_a_question(text):
    draw = random.Random(1)
    for _ in range(200):
        written = varied(text, draw)
        assert written.strip()
        assert len(written) <= len(text) + 40


NOW = datetime(2027, 2, 3, 14, 30, tzinfo=UTC)


@pytest.mark.parametrize("now", [NOW, NOW.replace(hour=0, minute=5), datetime(2027, 3, 28, 12, 0, tzinfo=UTC)])
def test_the_log_ends_now_and_begins_four_weeks_ago(now):
    moments = [begun_at(each, now) + timedelta(seconds=each.turns[-1].after) for each in plan()]
    assert max(moments) <= now
    assert max(moments) > now - timedelta(hours=14)
    assert min(moments) > now - timedelta(days=DAYS + 1)


def test_a_day_later_everything_is_a_day_later_except_what_was_still_ahead():
    before = [begun_at(each, NOW) for each in plan()]
    after = [begun_at(each, NOW + timedelta(days=1)) for each in plan()]
    assert {(b - a) for a, b in zip(before, after, strict=True)} == {timedelta(days=1)}
    evening = [begun_at(each, NOW + timedelta(hours=8)) for each in plan()]
    steps = Counter(b - a for a, b in zip(before, evening, strict=True))
    assert set(steps) == {timedelta(0), timedelta(days=DAYS)}
    assert 0 < steps[timedelta(days=DAYS)] < 100
