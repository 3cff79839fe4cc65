"""The index of this process: swapped as a whole, looked for seldom, kept when the database is away."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest
from django.db import OperationalError

from apps.rules import live
from apps.rules.live import CHECK_SECONDS, RETRY_SECONDS, LiveRules, ReleaseKeeper, draft_index
from apps.rules.matching import match
from apps.rules.models import ProtectedTerm, Release, Rule, RuleVersion, TriggerPhrase
from apps.rules.types import MatchContext
from tests.rules.releasing import publish, rule

pytestmark = pytest.mark.django_db


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keeper(clock: Clock) -> ReleaseKeeper:
    return ReleaseKeeper(clock)


@pytest.fixture
def context() -> MatchContext:
    return MatchContext(now=datetime(2027, 2, 1, tzinfo=UTC))


def number(rules: LiveRules | None) -> int | None:
    return rules.release if rules else None


def test_before_the_first_release_there_are_no_rules(keeper: ReleaseKeeper) -> None:
    assert keeper.current() is None


def test_a_new_release_is_seen_within_five_seconds_and_not_looked_for_before(
    keeper: ReleaseKeeper, clock: Clock, django_assert_num_queries: object
) -> None:
    publish(rule("eins", "Wie wähle ich?"))
    first = keeper.current()
    assert number(first) == 1
    publish(rule("eins", "Wie wähle ich?"), rule("zwei", "Wann ist die Wahl?"))
    clock.now += CHECK_SECONDS - 0.1
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert keeper.current() is first
    clock.now += 0.2
    second = keeper.current()
    assert number(second) == 2
    assert second is not None
    assert set(second.specs) == {"eins", "zwei"}
    # Whoever holds the old one still finds it whole.
    assert first is not None
    assert set(first.specs) == {"eins"}
    assert CHECK_SECONDS < 5


def test_whoever_cannot_wait_has_the_new_release_at_once(keeper: ReleaseKeeper) -> None:
    publish(rule("eins", "Wie wähle ich?"))
    keeper.current()
    publish(rule("eins", "Wie wähle ich?"), rule("zwei", "Wann ist die Wahl?"))
    assert number(keeper.current()) == 1
    assert number(keeper.catch_up()) == 2
    assert number(keeper.current()) == 2


def test_looking_costs_one_query_as_long_as_nothing_is_new(
    keeper: ReleaseKeeper, clock: Clock, django_assert_num_queries: object
) -> None:
    publish(rule("eins", "Wie wähle ich?"))
    first = keeper.current()
    clock.now += CHECK_SECONDS + 1
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert keeper.current() is first


def test_the_first_release_is_picked_up_after_none(keeper: ReleaseKeeper, clock: Clock) -> None:
    assert keeper.current() is None
    publish(rule("eins", "Wie wähle ich?"))
    clock.now += CHECK_SECONDS + 0.1
    assert number(keeper.current()) == 1


def test_without_a_database_the_old_release_stays(
    keeper: ReleaseKeeper, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    publish(rule("eins", "Wie wähle ich?"))
    first = keeper.current()
    clock.now += CHECK_SECONDS + 1

    def away(*_: object) -> None:
        raise OperationalError("Wie wähle ich?")

    with monkeypatch.context() as patch:
        patch.setattr(Release.objects, "order_by", away)
        assert keeper.current() is first
    assert "OperationalError" in caplog.text
    assert "wähle" not in caplog.text
    publish(rule("zwei", "Wann ist die Wahl?"))
    clock.now += CHECK_SECONDS + 1
    assert number(keeper.current()) == 2


def test_a_release_that_cannot_be_read_leaves_the_one_before(
    keeper: ReleaseKeeper, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(rule("eins", "Wie wähle ich?"))
    first = keeper.current()
    tried: list[int] = []

    def broken(release: Release) -> None:
        tried.append(release.number)
        raise ValueError("not a rule")

    publish(rule("zwei", "Wann ist die Wahl?"))
    with monkeypatch.context() as patch:
        patch.setattr(live, "release_set", broken)
        for _ in range(3):
            clock.now += CHECK_SECONDS + 1
            assert keeper.current() is first
        assert tried == [2]
    clock.now += RETRY_SECONDS
    assert number(keeper.current()) == 2


def test_while_one_compiles_the_others_keep_the_old(
    keeper: ReleaseKeeper, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(rule("eins", "Wie wähle ich?"))
    first = keeper.current()
    publish(rule("zwei", "Wann ist die Wahl?"))
    clock.now += CHECK_SECONDS + 1
    others: list[LiveRules | None] = []
    compile_now = live.compiled

    def slow(rules: object) -> LiveRules:
        other = threading.Thread(target=lambda: others.append(keeper.current()))
        other.start()
        other.join(30)
        return compile_now(rules)  # type: ignore[arg-type]

    monkeypatch.setattr(live, "compiled", slow)
    assert number(keeper.current()) == 2
    assert others == [first]


def test_before_anything_was_read_the_others_wait(keeper: ReleaseKeeper, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(rule("eins", "Wie wähle ich?"))
    others: list[LiveRules | None] = []
    waiting: list[threading.Thread] = []
    compile_now = live.compiled

    def slow(rules: object) -> LiveRules:
        waiting.append(threading.Thread(target=lambda: others.append(keeper.current())))
        waiting[0].start()
        waiting[0].join(0.05)
        assert others == []
        return compile_now(rules)  # type: ignore[arg-type]

    monkeypatch.setattr(live, "compiled", slow)
    held = keeper.current()
    waiting[0].join(30)
    assert number(held) == 1
    assert others == [held]


def test_the_swap_changes_answers_as_a_whole(keeper: ReleaseKeeper, clock: Clock, context: MatchContext) -> None:
    publish(rule("alt", "Wie wähle ich?"), rule("bleibt", "Wann ist die Wahl?"))
    before = keeper.current()
    publish(rule("neu", "Wie wähle ich?"), rule("bleibt", "Wann ist die Wahl?"))
    clock.now += CHECK_SECONDS + 1
    after = keeper.current()
    assert before is not None
    assert after is not None
    winners = [
        [match([text], context, each.index).winners[0].uid for text in ("Wie wähle ich?", "Wann ist die Wahl?")]
        for each in (before, after)
    ]
    assert winners == [["alt", "bleibt"], ["neu", "bleibt"]]


def saved_rule(uid: str, phrase: str) -> Rule:
    made = Rule.objects.create(uid=uid, title=uid, status="active", version=1)
    TriggerPhrase.objects.create(rule=made, text=phrase, keys=[phrase.lower()])
    return made


def test_the_draft_is_compiled_anew_only_when_something_was_saved(django_assert_max_num_queries: object) -> None:
    made = saved_rule("eins", "Wie wähle ich?")
    first = draft_index()
    assert first.release == 0
    assert set(first.specs) == {"eins"}
    with django_assert_max_num_queries(4):  # type: ignore[operator]
        assert draft_index() is first
    Rule.objects.filter(pk=made.pk).update(version=2, title="Neu")
    second = draft_index()
    assert second.specs["eins"].title == "Neu"
    ProtectedTerm.objects.create(name="Erna Beispiel")
    assert draft_index() is not second


def test_only_what_was_saved_is_read_again() -> None:
    saved_rule("eins", "Wie wähle ich?")
    other = saved_rule("zwei", "Wo wähle ich?")
    first = draft_index()
    Rule.objects.filter(pk=other.pk).update(version=2, title="Neu")
    second = draft_index()
    assert second.specs["eins"] is first.specs["eins"]
    assert second.specs["zwei"].title == "Neu"
    Rule.objects.filter(pk=other.pk).update(version=3, status="draft")
    assert set(draft_index().specs) == {"eins"}


def test_the_draft_never_becomes_live(keeper: ReleaseKeeper) -> None:
    saved_rule("eins", "Wie wähle ich?")
    draft_index()
    assert keeper.current() is None
    assert not RuleVersion.objects.exists()


def test_a_question_reads_nothing_from_the_database(
    keeper: ReleaseKeeper, context: MatchContext, django_assert_num_queries: object
) -> None:
    publish(rule("eins", "Wie wähle ich?"))
    keeper.current()
    with django_assert_num_queries(0):  # type: ignore[operator]
        held = keeper.current()
        assert held is not None
        assert match(["wie wähle ich"], context, held.index).winners[0].uid == "eins"
