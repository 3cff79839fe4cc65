"""Two runs side by side, against values worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apps.evaluation.comparing import Change, compare
from apps.evaluation.judging import Verdict
from apps.evaluation.metrics import Judged
from apps.evaluation.question_files import Expected
from apps.rag.types import Outcome


def run(*right: bool, kind: str = "answerable", ms: float = 100.0, first: int = 1) -> list[Judged]:
    """Results of which some are right, from the question ``first`` on."""
    return [
        Judged(
            ("own", f"q{number}", 1),
            kind,
            "",
            Expected.ANSWER,
            Outcome.ANSWERED if is_right else Outcome.REFUSED,
            Verdict(outcome=is_right),
            ms + number,
            2 * (ms + number),
        )
        for number, is_right in enumerate(right, first)
    ]


def difference(comparison, name, kind="answerable"):
    return next(each for each in comparison.differences if (each.kind, each.name) == (kind, name))


def test_shares_are_compared_pair_by_pair():
    # 20 pairs: 10 right in both, 8 become right, 1 becomes wrong, 1 is wrong in both.
    before = run(*[True] * 10, *[False] * 8, True, False)
    after = run(*[True] * 10, *[True] * 8, False, False)
    found = difference(compare(before, after), "right")
    assert (found.n, found.before, found.after) == (20, 11 / 20, 18 / 20)
    assert found.gain == pytest.approx(7 / 20)
    # (1 + 9) / 2^9, two-sided: 2 * 10 / 512.
    assert found.chance == pytest.approx(20 / 512)
    # Differences of pairs are +1 eight times, -1 once, 0 eleven times: mean .35, deviation .572, error .128.
    assert (found.low, found.high) == pytest.approx((0.35 - 1.96 * 0.128, 0.35 + 1.96 * 0.128), abs=0.06)
    assert found.is_sure
    assert found.is_better


def test_a_change_of_a_few_may_be_chance():
    comparison = compare(run(*[True] * 16, *[False] * 4), run(*[True] * 20))
    found = difference(comparison, "right")
    # Four better, none worse: 2 / 2^4.
    assert found.chance == 0.125
    assert found.low > 0
    assert not found.is_sure, "the interval of so few says more than they can"
    assert found.is_better is None


def test_less_is_better_of_what_is_wrong():
    comparison = compare(run(*[True] * 20), run(*[False] * 20))
    assert difference(comparison, "wrong_refusals").is_better is False
    assert difference(comparison, "answered").is_better is False
    assert comparison.overall is not None
    assert comparison.overall.is_better is False


def test_times_are_compared_without_mcnemar():
    comparison = compare(run(*[True] * 30), run(*[True] * 30, ms=60.0))
    found = difference(comparison, "first_p50_ms")
    assert (found.gain, found.low, found.high, found.chance) == (-40.0, -40.0, -40.0, None)
    assert found.is_better
    assert difference(comparison, "whole_p95_ms").gain == pytest.approx(-80.0)


def test_only_questions_of_both_runs_are_compared():
    comparison = compare(run(True, True, True), run(True, False, False, first=2))
    assert (comparison.pairs, comparison.only_before, comparison.only_after) == (2, 1, 1)
    assert [(each.key[1], each.change) for each in comparison.changed] == [("q3", Change.WORSE)]


def test_runs_without_a_common_question_say_nothing():
    comparison = compare(run(True), run(True, first=2))
    assert (comparison.pairs, comparison.differences, comparison.overall) == (0, (), None)


def test_a_question_in_other_words_is_another_question():
    before, after = run(True, True), run(True, True)
    after[0] = replace(after[0], text="Etwas anderes?")
    comparison = compare(before, after)
    assert (comparison.pairs, comparison.only_before, comparison.only_after) == (1, 1, 1)


def test_changed_questions_are_told_worse_ones_first():
    before, after = run(True, False, False, True), run(False, True, False, True)
    after[2] = replace(after[2], outcome=Outcome.CLARIFIED)
    comparison = compare(before, after)
    assert [(each.key[1], each.change) for each in comparison.changed] == [
        ("q1", Change.WORSE),
        ("q2", Change.BETTER),
        ("q3", Change.OTHER),
    ]
    assert [comparison.count(change) for change in Change] == [1, 1, 1]


def test_each_kind_has_its_own_differences_beside_the_whole():
    before = [*run(True, True), *run(False, kind="opinion", first=9)]
    after = [*run(True, True), *run(True, kind="opinion", first=9)]
    comparison = compare(before, after)
    assert difference(comparison, "right", "all").after == 1.0
    assert difference(comparison, "right", "opinion").before == 0.0
    assert comparison.overall == difference(comparison, "right", "all")
