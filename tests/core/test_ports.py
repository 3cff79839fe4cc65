"""Ports: empty by default, filled by a path in settings, wrong paths told at the start."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.core.checks import Error
from pytest_django import Settings

from apps.core import ports
from apps.core.checks import check_ports
from apps.querylog.models import Conversation, Turn

NOW = datetime(2026, 11, 3, 12, tzinfo=UTC)


def choices() -> frozenset[str]:
    """What a port of these tests says."""
    return frozenset({"erstwahl"})


@pytest.mark.parametrize("empty", [{}, {"rules.past_questions": "", "rules.builder_choices": ""}])
def test_an_empty_port_answers_with_nothing(settings: Settings, empty: dict[str, str]) -> None:
    settings.PORTS = empty
    assert list(ports.past_questions(10, None)) == []
    assert list(ports.past_questions_by_key(["a"])) == []
    assert ports.builder_choices() is None
    assert check_ports(None) == []


def test_a_filled_port_answers_with_what_the_function_says(settings: Settings) -> None:
    settings.PORTS = {"rules.builder_choices": "tests.core.test_ports.choices"}
    assert ports.builder_choices() == {"erstwahl"}


@pytest.mark.parametrize(
    ("filled", "code"),
    [
        ({"rules.builder_choices": "tests.core.test_ports.missing"}, "core.E003"),
        ({"rules.builder_choices": "nowhere.at.all"}, "core.E003"),
        ({"rules.builder_choices": "tests.core.test_ports.NOW"}, "core.E003"),
        ({"rules.nothing": "tests.core.test_ports.choices"}, "core.E002"),
    ],
)
def test_a_wrong_port_is_told_at_the_start(settings: Settings, filled: dict[str, str], code: str) -> None:
    settings.PORTS = filled
    [problem] = check_ports(None)
    assert isinstance(problem, Error)
    assert problem.id == code


def test_the_shipped_ports_lead_somewhere() -> None:
    assert check_ports(None) == []


@pytest.fixture
def turns(db: None) -> list[Turn]:
    """Five finished turns, the first the oldest, and one of every other state."""
    conversation = Conversation.objects.create(owner="x", session_day="y")
    made = []
    for number, state in enumerate(["done"] * 5 + ["new", "running", "failed", "interrupted"], 1):
        finished = None if state in ("new", "running") else NOW
        turn = Turn.objects.create(
            conversation=conversation, number=number, question=f"Frage {number}?", state=state, finished_at=finished
        )
        Turn.objects.filter(pk=turn.pk).update(created_at=NOW + timedelta(hours=number))
        made.append(turn)
    return made[:5]


def test_the_log_gives_finished_questions_newest_first(turns: list[Turn], django_assert_num_queries: object) -> None:
    with django_assert_num_queries(1):  # type: ignore[operator]
        found = ports.past_questions(3, None)
    assert [past.text for past in found] == ["Frage 5?", "Frage 4?", "Frage 3?"]
    assert found[0] == ports.PastQuestion(str(turns[4].uuid), "Frage 5?", "de", NOW + timedelta(hours=5))
    assert len(ports.past_questions(100, None)) == 5
    assert ports.past_questions(0, None) == []


def test_the_log_gives_what_was_asked_since(turns: list[Turn]) -> None:
    assert [past.text for past in ports.past_questions(10, NOW + timedelta(hours=4))] == ["Frage 5?", "Frage 4?"]


def test_a_key_finds_its_question_as_long_as_it_is_kept(turns: list[Turn]) -> None:
    keys = [str(turns[0].uuid), str(turns[2].uuid), str(uuid4()), "no key at all"]
    assert [past.text for past in ports.past_questions_by_key(keys)] == ["Frage 3?", "Frage 1?"]
    turns[0].delete()
    assert [past.text for past in ports.past_questions_by_key(keys)] == ["Frage 3?"]
    assert ports.past_questions_by_key(["no key at all"]) == []
