"""What an explanation says: the winner's way, the rivals of all stages, the nearest misses and why."""

from __future__ import annotations

from apps.rules.explaining import MOST_REPORTS, explain
from apps.rules.index import compile_index
from apps.rules.matching import match
from apps.rules.reports import Verdict
from apps.rules.suites.case_values import DAY, NAMES, NOW, asked, at_least, every, exactly, phrase, some, words
from apps.rules.types import HitPolicy, LostBy, MatchContext, Outside, Role, RuleSet, RuleSpec, Stage, Status

CONTEXT = MatchContext(NOW)


def told(rules, *texts, uids=(), context=CONTEXT):
    index = compile_index(RuleSet(tuple(rules), NAMES))
    explained = explain(texts, context, index, uids)
    assert explained.match == match(texts, context, index)
    return explained


def only(explained, uid):
    return next(report for report in explained.reports if report.uid == uid)


def test_the_winner_is_told_level_by_level():
    rules = [
        RuleSpec("folder", title="All about voting"),
        words(every("Briefwahl"), uid="gate", parent="folder"),
        phrase("Frist der Briefwahl?", uid="won", parent="gate"),
    ]
    explained = told(rules, "Frist der Briefwahl")
    report = explained.reports[0]
    assert (report.uid, report.verdict, report.lost_by) == ("won", Verdict.WON, None)
    assert [(level.uid, level.is_folder, level.stage, level.passes) for level in report.levels] == [
        ("folder", True, None, True),
        ("gate", False, Stage.TOKEN, True),
        ("won", False, Stage.EXACT, True),
    ]
    assert explained.titles["folder"] == "All about voting"
    assert explained.tokens == (("frist", "der", "briefwahl"),)


def test_rivals_of_all_stages_say_where_they_lost():
    rules = [
        exactly("Briefwahl", uid="won"),
        exactly("Briefwahl", uid="behind", priority=200),
        words(every("Briefwahl"), uid="later"),
    ]
    reports = told(rules, "Briefwahl").reports
    assert [(each.uid, each.verdict, each.lost_by) for each in reports] == [
        ("won", Verdict.WON, None),
        ("behind", Verdict.LOST, LostBy.PRIORITY),
        ("later", Verdict.LOST, LostBy.STAGE),
    ]


def test_what_was_collected_is_said():
    rules = [words(every("Wahl"), uid=uid, hit_policy=HitPolicy.COLLECT) for uid in "ab"]
    assert [report.verdict for report in told(rules, "Wahl").reports] == [Verdict.WON, Verdict.COLLECTED]


def test_fuzzy_just_below_the_threshold():
    explained = told([phrase("Wie beantrage ich Briefwahl?")], "Wie beantrage ich die Briefwahl bei uns?")
    report = explained.reports[0]
    level = report.levels[0]
    assert report.verdict is Verdict.NEAR
    assert (level.best_phrase, level.score, level.threshold) == ("Wie beantrage ich Briefwahl?", 818, 90)
    assert explained.match.winners == ()


def test_far_away_is_no_miss():
    assert told([phrase("Wie beantrage ich Briefwahl?")], "Was kostet ein Pass?").reports == ()


def test_a_protected_difference_is_named():
    report = told([phrase("Bundestagswahl 2021")], "Bundestagswahl 2025").reports[0]
    assert report.verdict is Verdict.NEAR
    assert report.levels[0].score == 947
    assert report.levels[0].protected == (("2021",), ("2025",))


def test_protected_terms_in_another_order_are_both_shown():
    report = told([phrase("Ergebnis 2021 statt 2025")], "Ergebnis 2025 statt 2021").reports[0]
    assert report.levels[0].protected == (("2021", "2025"), ("2025", "2021"))


def test_the_missing_word_is_named():
    rule = words(every("München", "Wirtschaft"), some("Auenpartei", "Kompass"))
    report = told([rule], "Wie will der Kompass der Wirtschaft helfen?").reports[0]
    core, anchor = report.levels[0].lists
    assert report.verdict is Verdict.NEAR
    assert (core.role, core.needed, core.is_met) == (Role.CORE, 2, False)
    assert [(each.slot.text, each.found) for each in core.slots] == [("München", ()), ("Wirtschaft", ("Wirtschaft",))]
    assert (anchor.role, anchor.needed, anchor.is_met) == (Role.ANCHOR, 1, True)


def test_equal_slots_are_told_once():
    report = told([words(at_least(2, "Klima", "KLIMA", "Energie"))], "Klima", uids=["rule"]).reports[0]
    assert [(each.slot.text, each.found) for each in report.levels[0].lists[0].slots] == [
        ("Klima", ("Klima",)),
        ("Energie", ()),
    ]


def test_a_gated_child_and_the_level_that_stopped_it():
    rules = [words(every("Briefwahl"), uid="gate"), words(every("Frist"), uid="child", parent="gate")]
    report = only(told(rules, "Welche Frist gilt?"), "child")
    assert report.verdict is Verdict.GATED
    assert [level.passes for level in report.levels] == [False, True]


def test_a_veto_and_the_word_that_cast_it():
    rule = words(every("Briefwahl"), exclude=some("Österreich", "Schweiz"))
    report = told([rule], "Briefwahl in Österreich").reports[0]
    assert report.verdict is Verdict.VETOED
    assert report.levels[0].vetoed_by == ("Österreich",)


def test_outside_says_which_limit():
    rules = [
        exactly("Wahl", uid="audience", audiences=("pupils",)),
        exactly("Wahl", uid="builder", builder_choices=("first",)),
        exactly("Wahl", uid="language", languages=("en",)),
        exactly("Wahl", uid="status", status=Status.PAUSED),
        exactly("Wahl", uid="time", valid_until=NOW - DAY),
    ]
    reports = told(rules, "Wahl").reports
    assert [(each.uid, each.verdict, each.levels[0].outside) for each in reports] == [
        (name, Verdict.OUTSIDE, Outside(name)) for name in ("audience", "builder", "language", "status", "time")
    ]


def test_the_limit_is_told_at_the_level_that_sets_it():
    rules = [RuleSpec("folder", valid_until=NOW - DAY), exactly("Wahl", uid="a", parent="folder")]
    report = only(told(rules, "Wahl"), "a")
    assert [level.outside for level in report.levels] == [Outside.TIME, None]


def test_choices_that_only_fail_together_are_told_at_the_last_level():
    rules = [
        RuleSpec("folder", builder_choices=("first", "second")),
        exactly("Wahl", uid="a", parent="folder", builder_choices=("second", "third")),
    ]
    context = asked(builder_choices=frozenset({"first", "third"}))
    report = only(told(rules, "Wahl", context=context), "a")
    assert [level.outside for level in report.levels] == [None, Outside.BUILDER]


def test_rules_asked_for_are_always_reported():
    rules = [exactly("Wahl", uid="won"), exactly("Miete", uid="far"), RuleSpec("folder")]
    explained = told(rules, "Wahl", uids=["far", "folder", "unknown", "won"])
    assert [(each.uid, each.verdict) for each in explained.reports] == [
        ("won", Verdict.WON),
        ("far", Verdict.NO_MATCH),
        ("folder", Verdict.NO_MATCH),
    ]


def test_a_rival_asked_for_says_where_it_lost_however_many_there_are():
    rules = [words(every("Wahl"), uid=f"{number:02}") for number in range(30)]
    explained = told(rules, "Wahl", uids=["29"])
    assert len(explained.reports) <= MOST_REPORTS + 1
    assert (explained.reports[-1].uid, explained.reports[-1].lost_by) == ("29", LostBy.UID)


def test_a_miss_is_told_for_the_text_it_came_nearest_to():
    report = told(
        [phrase("Wie beantrage ich Briefwahl?")], "Und wie?", "Wie beantrage ich die Briefwahl bei uns?"
    ).reports[0]
    assert (report.verdict, report.text_number) == (Verdict.NEAR, 1)


def test_misses_are_told_for_the_text_that_decided():
    rules = [exactly("Wahl", uid="won"), phrase("Bundestagswahl 2021", uid="near")]
    explained = told(rules, "Bundestagswahl 2025", "Wahl", uids=["near"])
    assert [(each.uid, each.verdict, each.text_number) for each in explained.reports] == [
        ("won", Verdict.WON, 1),
        ("near", Verdict.NO_MATCH, 1),
    ]


def test_a_broken_branch_is_explained_without_end():
    rules = [
        exactly("Wahl", uid="a", parent="b"),
        exactly("Wahl", uid="b", parent="a"),
        exactly("Wahl", uid="c", parent="?"),
    ]
    explained = told(rules, "Wahl", uids=["a", "b", "c"])
    assert {each.verdict for each in explained.reports} == {Verdict.GATED}


def test_without_a_text_there_is_nothing_to_explain():
    explained = told([exactly("Wahl")], uids=["rule"])
    assert (explained.reports, explained.tokens) == ((), ())
