"""The rule of a turn: stored so that the answer can be reproduced, counted once, never at the answer's cost."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

import pytest
from django.urls import reverse
from django.utils import translation

from apps.querylog import rule_hits, services
from apps.querylog.models import Conversation, Turn
from apps.querylog.ownership import new_token
from apps.querylog.rule_words import rule_words
from apps.rag.desk import (
    AnswerUse,
    DeskAnswer,
    DeskDocument,
    DeskLink,
    DocumentCut,
    ExtraSearch,
    RuleHit,
    RuleMatch,
    RuleRival,
    RuleStage,
    RuleUse,
    TextKind,
)
from apps.rag.events import Decided, Done, Event, Failed, Notice, Restart, Retrieved, Sentence
from apps.rag.types import Decision, NoticeKind, Outcome
from apps.rules.models import RuleHitDay
from tests.querylog.reading import staff

pytestmark = pytest.mark.django_db
WORDS = "Briefwahl in Hintertupfing?"
CUT = DocumentCut("0b1f0d4e-8f0e-4a53-9c39-2f5a1f6f8f11", "Das Programm", "briefwahl", 2, 5, 1500, "budget")
MATCH = RuleMatch(
    release=7,
    hits=(
        RuleHit(
            "briefwahl",
            3,
            "Briefwahl beantragen",
            RuleStage.FUZZY,
            941,
            ("Briefwahl", "Hintertupfing"),
            "Briefwahl in Hinterdupfing",
            documents=(DeskDocument("0b1f0d4e-8f0e-4a53-9c39-2f5a1f6f8f11"),),
        ),
        RuleHit("fristen", 1, "Fristen", RuleStage.TOKEN, 500),
    ),
    rivals=(RuleRival("wahlen", 2, "Wahlen überhaupt", RuleStage.FUZZY, 910, "priority"),),
    text=WORDS,
    text_kind=TextKind.QUESTION,
    answer=DeskAnswer("Text"),
    extra=ExtraSearch.FILL,
    cut_tokens=4,
)
USE = RuleUse((CUT,), AnswerUse.NOT_IN_SOURCES, failed_sentence=2, searched=True, added=1)


@pytest.fixture
def turn() -> Turn:
    conversation = services.conversation_open(token=new_token(), language="de")
    return services.turn_start(conversation=conversation, words=WORDS)


def record(turn: Turn, *events: Event) -> Turn:
    services.turn_claim(turn_id=turn.pk)
    for event in events:
        services.turn_record(turn=turn, event=event)
    return Turn.objects.get(pk=turn.pk)


def test_the_turn_holds_what_reproduces_the_answer(turn: Turn) -> None:
    stored = record(turn, Decided(Decision.SEARCH_AS_IS, WORDS, rule=MATCH), Retrieved((), None, USE))
    assert stored.rule_uid == "briefwahl"
    assert stored.versions == {"release": 7}
    assert stored.rule == {
        "hits": [
            {
                "uid": "briefwahl",
                "version": 3,
                "title": "Briefwahl beantragen",
                "stage": "fuzzy",
                "score": 941,
                "lost_by": "",
            },
            {"uid": "fristen", "version": 1, "title": "Fristen", "stage": "token", "score": 500, "lost_by": ""},
        ],
        "rivals": [
            {
                "uid": "wahlen",
                "version": 2,
                "title": "Wahlen überhaupt",
                "stage": "fuzzy",
                "score": 910,
                "lost_by": "priority",
            }
        ],
        "words": ["Briefwahl", "Hintertupfing"],
        "phrase": "Briefwahl in Hinterdupfing",
        "text_kind": "question",
        "extra": "fill",
        "cut_characters": 0,
        "cut_tokens": 4,
        "cuts": [
            {
                "uuid": CUT.uuid,
                "title": "Das Programm",
                "rule": "briefwahl",
                "kept": 2,
                "left_out": 5,
                "tokens_left_out": 1500,
                "cut_by": "budget",
            }
        ],
        "answer": "not_in_sources",
        "failed_sentence": 2,
        "searched": True,
        "added": 1,
        "stands_in": False,
    }


def test_without_a_hit_the_release_is_kept_all_the_same(turn: Turn) -> None:
    stored = record(turn, Decided(Decision.SEARCH_AS_IS, WORDS, rule=RuleMatch(7)), Retrieved(()))
    assert (stored.versions, stored.rule, stored.rule_uid) == ({"release": 7}, {}, "")


def test_where_no_rules_are_asked_nothing_is_kept(turn: Turn) -> None:
    stored = record(turn, Decided(Decision.SEARCH_AS_IS, WORDS))
    assert (stored.versions, stored.rule) == ({}, {})


def test_links_and_the_desks_own_text_are_stored_as_they_were(turn: Turn) -> None:
    link = DeskLink("https://zeitung.example/a", "Ratgeber", "Alles.", "/sources/links/1/a.webp")
    stored = record(
        turn,
        Notice(NoticeKind.DESK, "desk_answer", "Wir raten.", signed="Politik", as_of=datetime(2026, 1, 2).date()),
        Notice(NoticeKind.DESK, "read_on", links=(link,)),
    )
    own, read_on = stored.shown
    assert (own["text"], own["signed"], own["as_of"]) == ("Wir raten.", "Politik", "2026-01-02")
    assert read_on["links"] == [
        {
            "address": "https://zeitung.example/a",
            "title": "Ratgeber",
            "teaser": "Alles.",
            "picture": "/sources/links/1/a.webp",
        }
    ]


def test_a_restart_keeps_what_the_desk_said(turn: Turn) -> None:
    stored = record(
        turn,
        Notice(NoticeKind.DESK, "desk_answer", "Wir raten.", signed="Politik"),
        Sentence("Eins.", ()),
        Sentence("Falsch.", ()),
        Restart(kept=1),
    )
    assert [item["text"] for item in stored.shown] == ["Wir raten.", "Eins."]


def finish(turn: Turn, end: Event, match: RuleMatch = MATCH) -> None:
    record(turn, Decided(Decision.SEARCH_AS_IS, WORDS, rule=match), end)


def hits() -> list[tuple[str, int, str, int]]:
    return list(RuleHitDay.objects.order_by("uid", "day").values_list("uid", "version", "stage", "count"))


def another(turn: Turn) -> Turn:
    return services.turn_start(conversation=turn.conversation, words=WORDS)


@pytest.mark.parametrize("outcome", [Outcome.ANSWERED, Outcome.REFUSED])
def test_each_rule_is_counted_once_per_turn(turn: Turn, outcome: Outcome) -> None:
    finish(turn, Done(outcome))
    assert hits() == [("briefwahl", 3, "fuzzy", 1), ("fristen", 1, "token", 1)]
    finish(another(turn), Done(outcome))
    assert hits() == [("briefwahl", 3, "fuzzy", 2), ("fristen", 1, "token", 2)]
    assert RuleHitDay.objects.count() == 2


@pytest.mark.parametrize(
    ("end", "match"), [(Failed("search_down"), MATCH), (Done(Outcome.ANSWERED), RuleMatch(7))], ids=["failed", "none"]
)
def test_what_no_rule_has_answered_is_not_counted(turn: Turn, end: Event, match: RuleMatch) -> None:
    finish(turn, end, match)
    assert hits() == []


def test_counting_takes_one_statement(turn: Turn, django_assert_num_queries: object) -> None:
    stored = record(turn, Decided(Decision.SEARCH_AS_IS, WORDS, rule=MATCH))
    # One, between those that set and release the savepoint of a test's own transaction.
    with django_assert_num_queries(3):  # type: ignore[operator]
        rule_hits.rule_hits_count(turn=stored)


@pytest.mark.parametrize(
    ("asked", "day"),
    [
        (datetime(2026, 7, 1, 21, 59, tzinfo=UTC), "2026-07-01"),
        (datetime(2026, 7, 1, 22, 1, tzinfo=UTC), "2026-07-02"),
        (datetime(2026, 12, 1, 22, 59, tzinfo=UTC), "2026-12-01"),
        (datetime(2026, 12, 1, 23, 1, tzinfo=UTC), "2026-12-02"),
    ],
)
def test_a_day_ends_at_midnight_in_berlin(turn: Turn, asked: datetime, day: str) -> None:
    stored = record(turn, Decided(Decision.SEARCH_AS_IS, WORDS, rule=MATCH))
    stored.created_at = asked
    rule_hits.rule_hits_count(turn=stored)
    assert {str(row.day) for row in RuleHitDay.objects.all()} == {day}
    assert {row.last_at for row in RuleHitDay.objects.all()} == {asked}


def test_a_count_that_is_refused_costs_no_answer(
    turn: Turn, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rule_hits, "_COUNT", "INSERT INTO nowhere VALUES (%(day)s)")
    with caplog.at_level(logging.ERROR):
        finish(turn, Done(Outcome.ANSWERED))
    turn.refresh_from_db()
    assert turn.state == Turn.State.DONE
    assert "could not be counted" in caplog.text
    assert "Hintertupfing" not in caplog.text


# On the desk.


@pytest.fixture
def stored() -> Turn:
    conversation = Conversation.objects.create(owner="x", session_day="y")
    made = Turn.objects.create(conversation=conversation, number=1, question=WORDS)
    finish(made, Done(Outcome.ANSWERED))
    services.turn_record(turn=made, event=Retrieved((), None, USE))
    return made


def page(turn: Turn, *permissions: str) -> str:
    return staff("view_turn", *permissions).get(reverse("admin:querylog_turn_change", args=[turn.pk])).text


def test_the_page_of_a_turn_says_in_words_what_the_rule_did(stored: Turn) -> None:
    text = page(stored)
    for words in (
        "Briefwahl beantragen (briefwahl, version 3) of release 7",
        "94.1 %",
        "Fristen",
        "Wahlen überhaupt",
        "Das Programm",
        "1500",
    ):
        assert words in text


def test_the_readers_words_in_it_are_only_for_those_who_may_read_them(stored: Turn) -> None:
    assert "Hintertupfing" not in page(stored)


def test_who_may_read_words_sees_which_of_them_matched(stored: Turn) -> None:
    assert "Hintertupfing" in page(stored, "view_question")


def test_a_turn_without_a_rule_says_so(turn: Turn) -> None:
    assert "No rule matched." in page(record(turn, Decided(Decision.SEARCH_AS_IS, WORDS, rule=RuleMatch(7))))


@pytest.mark.parametrize("lookup", ["rule__words__contains", "rule__icontains"])
def test_the_words_cannot_be_guessed_by_filters_in_the_address(stored: Turn, lookup: str) -> None:
    listed = reverse("admin:querylog_turn_changelist")
    assert staff("view_turn").get(listed, {lookup: json.dumps("H")}).status_code == 400


def test_the_list_can_be_narrowed_to_one_rule(stored: Turn) -> None:
    listed = reverse("admin:querylog_turn_changelist")
    client = staff("view_turn")
    assert "/change/" in client.get(listed, {"winner": "briefwahl"}).text.partition("<tbody")[2]
    assert "/change/" in client.get(listed, {"winner": "any"}).text.partition("<tbody")[2]
    for other in ("andere", "none"):
        assert "/change/" not in client.get(listed, {"winner": other}).text.partition("<tbody")[2]


@pytest.mark.parametrize("stands_in", [True, False])
def test_the_trace_says_when_search_stands_in_for_documents(turn: Turn, stands_in: bool) -> None:
    use = RuleUse(searched=True, added=2, stands_in=stands_in)
    stored = record(turn, Decided(Decision.SEARCH_AS_IS, WORDS, rule=MATCH), Retrieved((), None, use))
    with translation.override("en"):
        said = " ".join(rule_words(stored.rule, 7, with_words=False))
    assert ("None of its documents can be read now" in said) is stands_in
