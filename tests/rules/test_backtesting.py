"""Two sets of rules, the same questions: what differs is found and named rightly."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from apps.rules.backtest_sets import CompiledRules
from apps.rules.backtesting import Asked, Case, Difference, Tally, read_result
from apps.rules.types import HitPolicy, Phrase, RuleSet, RuleSpec, Slot, Status, TokenList

NOW = datetime(2027, 1, 15, 12, tzinfo=UTC)
POSTAL = RuleSpec(uid="postal", phrases=(Phrase("Wie beantrage ich Briefwahl?"),))
WORDS = RuleSpec(uid="words", core=TokenList((Slot("Briefwahl"),)))
QUESTION = Asked("q1", "Wie beantrage ich Briefwahl?")


def tally(before: list[RuleSpec] | None, after: list[RuleSpec], *asked: Asked, now: datetime = NOW) -> Tally:
    old = None if before is None else CompiledRules(RuleSet(tuple(before)))
    new = CompiledRules(RuleSet(tuple(after)))
    found = Tally()
    for one in asked or (QUESTION,):
        found.add(one, old, new, now)
    return found


def changed(rule: RuleSpec, **changes) -> RuleSpec:
    return RuleSpec(**{name: getattr(rule, name) for name in rule.__slots__} | changes)


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (None, [POSTAL], Difference.FIRES),
        ([], [POSTAL], Difference.FIRES),
        ([POSTAL], [], Difference.STOPS),
        ([POSTAL], [changed(POSTAL, status=Status.PAUSED)], Difference.STOPS),
        ([POSTAL], [changed(POSTAL, languages=("en",))], Difference.STOPS),
        ([POSTAL], [changed(POSTAL, valid_until=NOW - timedelta(days=1))], Difference.STOPS),
        ([POSTAL], [WORDS], Difference.CHANGES),
        # The old winner matches by words, the new one exactly: only an explanation knows that the old one still would.
        ([WORDS], [WORDS, POSTAL], Difference.SHADOWED),
        ([WORDS], [WORDS, changed(WORDS, uid="better", priority=1)], Difference.SHADOWED),
        ([WORDS], [changed(WORDS, exclude=TokenList((Slot("beantrage"),))), POSTAL], Difference.CHANGES),
        # The new winner collects: the old one still adds its documents.
        (
            [WORDS],
            [WORDS, changed(WORDS, uid="better", priority=1, hit_policy=HitPolicy.COLLECT)],
            Difference.CHANGES,
        ),
    ],
)
def test_a_difference_has_the_right_name(before, after, kind):
    found = tally(before, after)
    assert [(case.key, case.kind) for case in found.cases] == [("q1", kind)]


@pytest.mark.parametrize(
    ("before", "after"),
    [([POSTAL], [POSTAL]), ([POSTAL], [POSTAL, WORDS]), ([], []), (None, []), ([WORDS], [changed(WORDS, title="x")])],
)
def test_the_same_winner_is_no_difference(before, after):
    assert tally(before, after).cases == []


def test_a_question_counts_in_its_language_and_with_its_choices():
    english = changed(POSTAL, languages=("en",))
    chosen = changed(POSTAL, builder_choices=("ort",))
    found = tally([], [english], Asked("de", QUESTION.text, "de"), Asked("en", QUESTION.text, "en"))
    assert [case.key for case in found.cases] == ["en"]
    found = tally([], [chosen], QUESTION, Asked("built", QUESTION.text, "de", frozenset({"ort"})))
    assert [case.key for case in found.cases] == ["built"]


def test_a_result_is_kept_and_read_back_with_its_counts():
    collects = changed(POSTAL, hit_policy=HitPolicy.COLLECT)
    found = tally([POSTAL], [collects, WORDS], QUESTION, Asked("q2", "Briefwahl?"), Asked("q3", "Wetter?"))
    result = read_result(found.to_json())
    assert (result.questions, result.answered_before, result.answered_after) == (3, 1, 2)
    assert result.share_before == pytest.approx(100 / 3)
    assert {rule.uid: (rule.before, rule.after) for rule in result.rules} == {"words": (0, 2), "postal": (1, 1)}
    assert result.rules[0].uid == "words", "the largest change comes first"
    assert result.cases == (Case("q2", Difference.FIRES, "", "words", "", "token"),)
    assert result.count(Difference.FIRES) == 1


def test_a_result_that_is_not_there_yet_is_empty():
    assert read_result({"uids": None}).questions == 0
    assert read_result({}).share_after == 0.0
