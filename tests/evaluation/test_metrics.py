"""From verdicts to figures, by hand."""

from __future__ import annotations

import pytest

from apps.evaluation.judging import Verdict
from apps.evaluation.metrics import Form, Judged, figure_of, figure_record, figures_of
from apps.evaluation.question_files import Expected
from apps.rag.types import Outcome


def judged(number, ms=100.0, **told):
    verdict = Verdict(outcome=True, **told)
    key = ("own", f"q{number}", 1)
    return Judged(key, "answerable", "", Expected.ANSWER, Outcome.ANSWERED, verdict, ms, ms * 2)


def table(results):
    return {(figure.kind, figure.name): figure for figure in figures_of(results)}


ANSWERS = [
    judged(1, right_source=True, sentences=2, cited=2, verbatim=1, known=2, right_party=2),
    judged(2, right_source=False, sentences=1, cited=1, verbatim=1, known=1, right_party=1),
    judged(3),
]


def refused_wrongly(number):
    key, verdict = ("own", f"q{number}", 1), Verdict(outcome=False)
    return Judged(key, "answerable", "", Expected.ANSWER, Outcome.REFUSED, verdict, 100.0, 200.0)


def unanswerable(number, subkind, *, is_refused):
    outcome = Outcome.REFUSED if is_refused else Outcome.ANSWERED
    verdict = Verdict(outcome=is_refused)
    return Judged(("own", f"u{number}", 1), "unanswerable", subkind, Expected.REFUSE, outcome, verdict, 50.0, 60.0)


def test_shares_are_of_those_that_they_concern():
    figures = table([*ANSWERS, refused_wrongly(4)])
    expected = {
        "right": (2 / 4, 4),  # 1 and 3; 2 quotes a wrong source, 4 is refused
        "answered": (3 / 4, 4),
        "wrong_refusals": (1 / 4, 4),
        "right_source": (1 / 2, 2),
        "cited": (1.0, 2),
        "verbatim": (3 / 4, 2),  # one half, one whole: an answer counts once
    }
    found = {name: (figures["answerable", name].value, figures["answerable", name].n) for name in expected}
    assert found == expected
    assert ("answerable", "right_refusals") not in figures
    assert ("answerable", "marked") not in figures


def test_a_share_of_yes_and_no_has_wilsons_interval_and_others_a_drawn_one():
    figures = table([*ANSWERS, refused_wrongly(4)])
    assert (figures["answerable", "answered"].low, figures["answerable", "answered"].high) == pytest.approx(
        (0.3006, 0.9544), abs=0.001
    )
    halves = figures["answerable", "verbatim"]
    assert (halves.low, halves.high) == (0.5, 1.0)


def test_the_six_kinds_of_unanswerable_questions_have_a_figure_each():
    results = [
        unanswerable(1, "wrong_party", is_refused=True),
        unanswerable(2, "wrong_party", is_refused=False),
        unanswerable(3, "off_topic", is_refused=True),
    ]
    figures = table(results)
    assert figures["unanswerable", "right_refusals"].value == pytest.approx(2 / 3)
    assert figures["unanswerable:wrong_party", "right_refusals"].value == 0.5
    assert figures["unanswerable:off_topic", "right_refusals"].value == 1.0
    assert {name for kind, name in figures if ":" in kind} == {"right_refusals"}


def test_everything_together_has_a_table_only_beside_several_kinds():
    one = table(ANSWERS)
    assert {kind for kind, _name in one} == {"answerable"}
    both = table([*ANSWERS, unanswerable(1, "", is_refused=True)])
    assert {kind for kind, _name in both} == {"all", "answerable", "unanswerable"}
    assert both["all", "right"].n == 4
    hollow = table([unanswerable(1, "off_topic", is_refused=True)])
    assert {kind for kind, _name in hollow} == {"unanswerable", "unanswerable:off_topic"}


def test_times_are_quantiles_and_counts_have_no_interval():
    results = [judged(number, ms=float(number)) for number in range(1, 102)]
    figures = table([*results, judged(200, nothing_added=False), judged(201, nothing_added=False)])
    times = table(results)
    assert times["answerable", "first_p50_ms"].value == 51.0
    assert times["answerable", "first_p95_ms"].value == 96.0
    assert times["answerable", "whole_p50_ms"].value == 102.0
    added = figures["answerable", "forbidden_additions"]
    assert (added.value, added.form, added.low, added.high) == (2.0, Form.COUNT, None, None)


def test_breadth_is_a_mean_over_answers_and_neither_good_nor_bad():
    results = [
        judged(1, citations=3, documents=2, documents_found=4),
        judged(2, citations=1, documents=1, documents_found=0),
        refused_wrongly(3),
    ]
    figures = table(results)
    assert (figures["answerable", "citations_per_answer"].value, figures["answerable", "citations_per_answer"].n) == (
        2,
        2,
    )
    assert figures["answerable", "documents_per_answer"].value == 1.5
    assert (figures["answerable", "documents_found"].value, figures["answerable", "documents_found"].n) == (4.0, 1)


def test_no_results_make_no_figures():
    assert figures_of([]) == []


def test_a_figure_survives_being_stored():
    for figure in figures_of([*ANSWERS, refused_wrongly(4)]):
        again = figure_of(figure_record(figure))
        assert (again.kind, again.name, again.form, again.n) == (figure.kind, figure.name, figure.form, figure.n)
        assert again.value == pytest.approx(figure.value, abs=1e-6)
        assert (again.low is None) == (figure.low is None)
