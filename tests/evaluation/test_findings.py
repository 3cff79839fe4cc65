"""The sentences at the top of the pages."""

from __future__ import annotations

import pytest
from django.utils import translation

from apps.evaluation.comparing import compare
from apps.evaluation.findings import comparison_finding, run_finding, sure_differences, value_text
from apps.evaluation.metrics import Form, figures_of
from tests.evaluation.test_comparing import run


def finding(before, after):
    return comparison_finding(compare(before, after))


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (run(*[False] * 20), run(*[True] * 20), "The later run is better: 100.0 % of 20"),
        (run(*[True] * 20), run(*[False] * 20), "The later run is worse: 0.0 % of 20"),
        (run(True, False), run(False, True), "No sure difference"),
        (run(True, False), run(True, False), "Both runs are alike: 50.0 % of 2"),
        (run(True), run(True, first=5), "no question in common"),
    ],
)
def test_a_comparison_says_which_run_is_better_and_how_sure_that_is(before, after, words):
    assert words in finding(before, after)


def test_the_chance_is_told_where_something_changed():
    assert "probability of 1.000 (McNemar)" in finding(run(True, False), run(False, True))
    assert "less than 0.001" in finding(run(*[False] * 20), run(*[True] * 20))
    assert "McNemar" not in finding(run(True), run(True))


def test_one_question_is_told_in_the_singular():
    assert "1 question became right, 0 became wrong." in finding(run(False), run(True))


def test_what_else_surely_changed_is_told():
    told = sure_differences(compare(run(*[True] * 30), run(*[True] * 30, ms=900.0)))
    assert any("first words" in sentence for sentence in told)
    assert sure_differences(compare(run(True), run(True))) == []


def test_a_run_names_its_weakest_kind():
    figures = figures_of([*run(*[True] * 12), *run(*[False] * 12, kind="opinion", first=50)])
    assert "12 of 24 answers were as expected in everything: 50.0 %" in run_finding(figures)
    assert "Weakest: opinion with 0.0 %." in run_finding(figures)


def test_a_kind_of_a_few_questions_is_not_called_weak():
    assert "Weakest" not in run_finding(figures_of([*run(*[True] * 12), *run(False, kind="opinion", first=50)]))


def test_nothing_judged_is_told_as_such():
    assert "nothing could be judged" in run_finding([])


def test_figures_are_written_as_people_write_them():
    assert [value_text(form, 0.5) for form in (Form.SHARE,)] == ["50.0 %"]
    assert value_text(Form.COUNT, 3.0) == "3"
    assert value_text(Form.MEDIAN, 845.7) == "846 ms"
    with translation.override("de"):
        assert value_text(Form.SHARE, 0.123).startswith("12,3")
