"""What holds for every set of rules and every question."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.rules.explaining import explain
from apps.rules.index import compile_index
from apps.rules.matching import match
from apps.rules.reports import Verdict
from apps.rules.types import (
    Match,
    MatchContext,
    Need,
    Phrase,
    RuleSet,
    RuleSpec,
    Slot,
    Stage,
    Status,
    TokenList,
    WordMode,
)
from tests.rules.generating import NAMES, NOW, Case, cases
from tests.rules.reference import reference_match, without

often = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def told(found: Match) -> tuple[list[tuple[str, Stage, int]], list[str]]:
    return [(hit.uid, hit.stage, hit.score) for hit in found.winners], [hit.uid for hit in found.rivals]


@settings(often, max_examples=600)
@given(cases)
def test_the_index_finds_what_comparing_everything_finds(case: Case):
    found = match(case.texts, case.context, compile_index(case.rule_set))
    assert told(found) == reference_match(case.texts, case.context, case.rule_set)


@often
@given(cases)
def test_the_order_of_the_rules_changes_nothing(case: Case):
    shuffled = list(case.rule_set.rules)
    case.random.shuffle(shuffled)
    index, other = compile_index(case.rule_set), compile_index(replace(case.rule_set, rules=tuple(shuffled)))
    assert match(case.texts, case.context, index) == match(case.texts, case.context, other)
    assert explain(case.texts, case.context, index) == explain(case.texts, case.context, other)


@often
@given(cases)
def test_a_rule_more_never_changes_which_others_match(case: Case):
    """A rule that no other hangs from may win, but the others match or not as before."""
    leaf = case.random.choice(case.rule_set.rules)
    if any(rule.parent == leaf.uid for rule in case.rule_set.rules):
        return
    uids = [rule.uid for rule in case.rule_set.rules]
    text = case.texts[:1]
    before, after = (
        {
            report.uid: report.levels
            for report in explain(text, case.context, compile_index(rules), uids).reports
            if report.uid != leaf.uid
        }
        for rules in (without(case.rule_set, leaf.uid), case.rule_set)
    )
    assert before == after


@often
@given(cases)
def test_a_rule_that_is_not_active_never_appears_nor_what_is_below_it(case: Case):
    status = case.random.choice((Status.DRAFT, Status.PAUSED, Status.ARCHIVED))
    paused = replace(case.rule_set.rules[0], status=status)
    rule_set = replace(case.rule_set, rules=(paused, *case.rule_set.rules[1:]))
    below = {paused.uid} | {rule.uid for rule in rule_set.rules if rule.parent == paused.uid}
    found = match(case.texts, case.context, compile_index(rule_set))
    assert not below & {hit.uid for hit in (*found.winners, *found.rivals)}


@often
@given(cases)
@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_every_unicode_form_of_a_question_has_the_same_answer(form, case: Case):
    index = compile_index(case.rule_set)
    other = tuple(unicodedata.normalize(form, text) for text in case.texts)
    assert told(match(other, case.context, index)) == told(match(case.texts, case.context, index))


@often
@given(cases)
def test_an_explanation_has_the_match_and_its_candidates_pass_every_level(case: Case):
    index = compile_index(case.rule_set)
    explained = explain(case.texts, case.context, index)
    assert explained.match == match(case.texts, case.context, index)
    winners = [report.uid for report in explained.reports if report.verdict in (Verdict.WON, Verdict.COLLECTED)]
    assert winners == [hit.uid for hit in explained.match.winners]
    for report in explained.reports:
        passes = all(level.passes for level in report.levels) and report.levels[-1].stage is not None
        if report.verdict in (Verdict.WON, Verdict.COLLECTED, Verdict.LOST):
            assert passes
        elif all(rule.parent in (None, *index.tree.numbers) for rule in case.rule_set.rules):
            assert not passes or not index.depth(report.uid)


LISTED = TokenList((Slot("Wahl-O-Mat | Wahl"), Slot("straße", WordMode.ENDS), Slot("abcd", WordMode.STARTS)), Need.ANY)
INDEX = compile_index(
    RuleSet((RuleSpec("a", phrases=(Phrase("Wie wähle ich?"),), threshold=0), RuleSpec("b", core=LISTED)), NAMES)
)
STRANGE = st.text(alphabet="aä\u0301\u0308-\u2011 \u200d§1.²ß\x00\ud800|", max_size=600)


@settings(often, max_examples=100)
@given(st.one_of(st.text(max_size=600), STRANGE))
def test_no_question_raises(text):
    context = MatchContext(NOW)
    assert explain([text], context, INDEX, ["a"]).match == match([text], context, INDEX)
