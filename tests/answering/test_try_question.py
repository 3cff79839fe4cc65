"""Try a question: the unsaved rule among all others, and nothing stored."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from apps.answering.try_question import try_draft, try_live
from apps.rules import live
from apps.rules.loading import rule_spec
from apps.rules.models import Rule, RuleVersion
from apps.rules.reports import Verdict
from apps.rules.services import release_publish, rules_save
from apps.rules.types import (
    CuratedAnswer,
    Extra,
    HitPolicy,
    LinkedDocument,
    LostBy,
    MatchContext,
    Phrase,
    RuleSpec,
    Slot,
    Status,
    TokenList,
)
from tests.documents.search.building import document
from tests.rules.building import rule as make

pytestmark = pytest.mark.django_db
NOW = MatchContext(now=datetime(2027, 3, 1, tzinfo=UTC))
ECONOMY = TokenList((Slot("München"), Slot("Wirtschaft")))
EXPERT = "Wie will Partei A der Wirtschaft in München helfen?"


@pytest.fixture(autouse=True)
def _fresh():
    live.forget()
    yield
    live.forget()


@pytest.fixture
def rules():
    rules_save(
        specs=[
            make("postal", title="Briefwahl", phrases=(Phrase("Wie beantrage ich Briefwahl?"),)),
            make("economy", title="Wirtschaft", core=ECONOMY),
            make("folder", title="Ordner", phrases=()),
        ],
        author=None,
    )


def stored(uid: str) -> RuleSpec:
    return rule_spec(Rule.objects.whole().get(uid=uid))


def test_an_unsaved_rule_answers_among_all_others(rules):
    mine = RuleSpec(uid="new-rule", title="Neu", core=TokenList((Slot("Briefwahl"),)))
    trial = try_draft("Wann kommt die Briefwahl?", NOW, mine)
    assert trial.own is not None
    assert trial.own.verdict is Verdict.WON
    assert trial.winners == (trial.own,)
    assert not Rule.objects.filter(uid="new-rule").exists()


def test_an_unsaved_rule_says_who_is_faster_and_why(rules):
    mine = RuleSpec(uid="new-rule", title="Neu", core=TokenList((Slot("Briefwahl"),)))
    trial = try_draft("Wie beantrage ich Briefwahl?", NOW, mine)
    assert [each.uid for each in trial.winners] == ["postal"]
    assert trial.own is not None
    assert (trial.own.verdict, trial.own.lost_by) == (Verdict.LOST, LostBy.STAGE)


def test_an_edited_rule_takes_its_stored_selfs_place(rules):
    mine = RuleSpec(uid="postal", title="Briefwahl", phrases=(Phrase("Etwas ganz anderes"),))
    trial = try_draft("Wie beantrage ich Briefwahl?", NOW, mine)
    assert trial.winners == ()
    assert trial.own is not None
    assert trial.own.verdict is Verdict.NO_MATCH


def test_a_draft_and_the_drafts_above_it_count_as_active(rules):
    rules_save(specs=[make("above", title="Oben", status=Status.DRAFT, phrases=())], author=None)
    mine = RuleSpec(
        uid="new-rule", title="Neu", status=Status.DRAFT, parent="above", phrases=(Phrase("Wo ist das Wahllokal?"),)
    )
    trial = try_draft("Wo ist das Wahllokal?", NOW, mine)
    assert [each.uid for each in trial.winners] == ["new-rule"]
    assert trial.supposed == ("Neu", "Oben")


def test_a_paused_or_archived_rule_says_that_it_is_switched_off(rules):
    for status in (Status.PAUSED, Status.ARCHIVED):
        mine = RuleSpec(uid="new-rule", title="Neu", status=status, phrases=(Phrase("Wo ist das Wahllokal?"),))
        trial = try_draft("Wo ist das Wahllokal?", NOW, mine)
        assert trial.winners == ()
        assert trial.own is not None
        assert trial.own.verdict is Verdict.OUTSIDE


def test_a_rule_that_hangs_on_itself_is_tried_without_end(rules):
    mine = RuleSpec(uid="postal", title="Kreis", parent="postal", phrases=(Phrase("Wie geht das?"),))
    assert try_draft("Wie geht das?", NOW, mine).winners == ()


def test_the_question_without_its_word_comes_near(rules):
    assert [each.uid for each in try_draft(EXPERT, NOW).winners] == ["economy"]
    trial = try_draft("Wie will Partei A der Wirtschaft helfen?", NOW)
    assert trial.winners == ()
    assert [each.uid for each in trial.near] == ["economy"]


def test_a_keystroke_in_the_question_compiles_nothing(rules):
    mine = RuleSpec(uid="new-rule", title="Neu", phrases=(Phrase("Wo ist das Wahllokal?"),))
    first = try_draft("Wo", NOW, mine)
    made = []
    original = live.compile_index
    live.compile_index = lambda rule_set: made.append(rule_set) or original(rule_set)
    try:
        second = try_draft("Wo ist das Wahllokal?", NOW, mine)
        try_draft("Wo ist das Wahllokal?", NOW, stored("postal"))
        assert made == []
        try_draft("Wo", NOW, RuleSpec(uid="new-rule", title="Neu", phrases=(Phrase("Anders"),)))
        assert len(made) == 1
    finally:
        live.compile_index = original
    assert (first.winners, len(second.winners)) == ((), 1)


def test_a_saved_change_elsewhere_is_asked_at_once(rules):
    mine = RuleSpec(uid="new-rule", title="Neu", phrases=(Phrase("Wo ist das Wahllokal?"),))
    try_draft("Wie beantrage ich Briefwahl?", NOW, mine)
    rules_save(specs=[make("postal", title="Briefwahl", phrases=(Phrase("Nichts davon"),))], author=None)
    assert try_draft("Wie beantrage ich Briefwahl?", NOW, mine).winners == ()


def test_the_live_release_is_asked_as_readers_get_it(rules, django_user_model):
    assert try_live(EXPERT, NOW) is None
    release_publish(author=None, comment="Erste", expected_release=0)
    rules_save(specs=[make("economy", title="Wirtschaft", core=TokenList((Slot("Berlin"),)))], author=None)
    live.forget()
    trial = try_live(EXPERT, NOW)
    assert trial is not None
    assert ([each.uid for each in trial.winners], trial.release) == (["economy"], 1)
    assert try_draft(EXPERT, NOW).winners == ()


def test_collected_rules_hand_over_their_documents_in_order_and_within_the_budget(rules, settings):
    settings.RULE_TOKEN_BUDGET = 7
    first = document("Erster Absatz von A.", title="A")
    second = document("Erster Absatz von B.", "Zweiter Absatz von B.", title="B")
    linked = LinkedDocument(str(first.uuid), "A")
    collects = RuleSpec(
        "new-rule", "Neu", hit_policy=HitPolicy.COLLECT, phrases=(Phrase(EXPERT),), documents=(linked, linked)
    )
    economy = make("economy", title="B", core=ECONOMY, documents=(LinkedDocument(str(second.uuid), "B"),))
    rules_save(specs=[economy], author=None)
    trial = try_draft(EXPERT, NOW, collects)
    assert [each.verdict for each in trial.winners] == [Verdict.WON, Verdict.COLLECTED]
    handed = [(each.title, each.taken, each.left_out, each.cut_by) for each in trial.documents]
    assert handed == [("A", 1, 0, ""), ("A", 0, 0, ""), ("B", 0, 2, "budget")]
    assert [each.beginning for each in trial.documents[0].passages] == ["Erster Absatz von A."]


def test_a_rule_without_readable_documents_says_that_search_stands_in(rules):
    there = document("Ein Absatz.", title="A")
    gone = LinkedDocument("9d2c1a52-6f0f-4a3e-8f9b-5f2d1c7b9e10", "Weg")
    mine = RuleSpec("new-rule", "Neu", phrases=(Phrase(EXPERT),), documents=(gone,), extra=Extra.OFF)
    assert try_draft(EXPERT, NOW, mine).stands_in
    assert not try_draft(EXPERT, NOW, replace(mine, documents=(gone, LinkedDocument(str(there.uuid), "A")))).stands_in
    assert not try_draft(EXPERT, NOW, replace(mine, extra=Extra.FILL)).stands_in
    assert not try_draft(EXPERT, NOW, replace(mine, documents=())).stands_in
    assert not try_draft(EXPERT, NOW, replace(mine, answer=CuratedAnswer("Wir raten.", True, "Politik"))).stands_in


def test_nothing_is_stored(rules):
    before = (Rule.objects.count(), RuleVersion.objects.count())
    try_draft(EXPERT, NOW, RuleSpec(uid="new-rule", title="Neu", phrases=(Phrase(EXPERT),)))
    assert (Rule.objects.count(), RuleVersion.objects.count()) == before


def test_many_rules_need_no_more_queries(rules, django_assert_max_num_queries):
    rules_save(specs=[make(f"rule-{number}") for number in range(60)], author=None)
    mine = RuleSpec(uid="new-rule", title="Neu", phrases=(Phrase("Wo ist das Wahllokal?"),))
    try_draft("Frage", NOW, mine)
    with django_assert_max_num_queries(7):
        try_draft("Frage rule-7", NOW, mine)
