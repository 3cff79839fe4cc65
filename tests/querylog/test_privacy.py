"""Canaries: what must be masked is stored nowhere, what may be kept is shown nowhere, and all of it can be erased."""

from __future__ import annotations

import logging

import pytest
from django.db import connection

from apps.language.masking import mask
from apps.querylog.models import Conversation, LogDay, Turn
from apps.querylog.privacy import checking, searching
from apps.querylog.privacy.canaries import Kind, conversations, tokens, word
from apps.querylog.privacy.searching import found_in, leaks_in_tables


def say(line: str) -> None:
    logging.getLogger(__name__).debug(line)


def test_canaries_are_the_same_every_time_and_each_is_its_own():
    first = list(conversations(500, 30))
    assert list(conversations(500, 30)) == first
    assert sum(each.canary is not None for each in first[:500]) == 300
    assert {each.canary.kind for each in first if each.canary} == set(Kind)
    masked, loose = tokens(first)
    assert not masked & loose
    assert len(masked | loose) == 300 + 3
    planted = [each for each in first if each.is_planted]
    assert len(planted) == 30
    # One of ten knows the secret, the others want it out.
    assert [each.canary is not None for each in planted] == [number % 10 == 0 for number in range(30)]
    assert len({word(number) for number in range(20_000)}) == 20_000


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.LOOSE])
def test_every_way_to_tell_a_secret_is_masked(kind):
    """All ways of each kind: the check itself draws from them."""
    told = [each for each in conversations(2_000, 60, seed=2) if each.canary and each.canary.kind is kind]
    assert len(told) > 100
    for each in told:
        for text in (*each.questions, each.comment):
            assert not found_in(mask(text).text, {each.canary.token}), text


def test_loose_canaries_stay_in_their_question():
    loose = next(each for each in conversations(50, 0) if each.canary and each.canary.kind is Kind.LOOSE)
    assert found_in(mask(loose.questions[0]).text, {loose.canary.token})


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Hier steht Quorbabababa.", 1),
        ("QUORBABABABA", 1),
        ("quorbabababastraße 5", 1),
        ('{"a": "quorbabababa@postfach.example"}', 1),
        ("quorbabababe", 0),
        ("0176 20000001", 1),
        ("020000001", 0),
        ("", 0),
    ],
)
def test_a_canary_is_found_however_it_is_written(text, count):
    assert found_in(text, {"quorbabababa", "20000001"}) == count


@pytest.mark.django_db
def test_the_search_reads_every_table_bytes_among_them(monkeypatch):
    conversation = Conversation.objects.create(owner="x", session_day="y")
    Turn.objects.create(conversation=conversation, number=1, question="Quorbabababa?")
    LogDay.objects.create(day="2027-02-28", counted="person", value="Quorbebebebe", turns=1, sessions=1)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE somebody_elses (a bytea)")
        cursor.execute("INSERT INTO somebody_elses VALUES (%s)", [b"\x00quorbibibibi"])
    masked, loose = frozenset({"quorbibibibi"}), frozenset({"quorbabababa", "quorbebebebe"})
    places = {(leak.place, leak.is_masked_kind) for leak in leaks_in_tables(masked, loose)}
    # The loose one in the question is where it may be.
    assert places == {("table querylog_logday", False), ("table somebody_elses", True)}
    assert searching.WITH_WORDS & set(searching.tables())


@pytest.mark.django_db(transaction=True)
def test_nothing_comes_to_light_and_nothing_is_left():
    checked = checking.privacy_check(180, 20, say=say)
    assert (checked.masked_found, checked.loose_found, checked.left_found) == (0, 0, 0), checked
    assert checked.is_clean
    assert checked.pages > 20
    assert "querylog.expire" in checked.nightly
    assert not Turn.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("leak", ["log", "table", "left"])
def test_the_check_notices_a_leak(monkeypatch, leak):
    real = checking._ask_by_service

    def leaky(each):
        real(each)
        if each.canary and leak == "log":
            logging.getLogger("leaky").info("Asked: %s", each.questions[0])
        if each.canary and leak == "table":
            LogDay.objects.get_or_create(
                day="2027-02-28", counted="person", value=each.questions[0][:120], turns=1, sessions=1
            )

    monkeypatch.setattr(checking, "_ask_by_service", leaky)
    if leak == "left":
        monkeypatch.setattr(checking, "conversation_delete", lambda **_: None)
    checked = checking.privacy_check(30, 0, say=say)
    assert not checked.is_clean
    assert bool(checked.left) == (leak != "log")
