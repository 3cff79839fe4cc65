"""The suite asks the stored sets from the command line, with the same figures as a run."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from apps.core.suites import SUITES, MissingDataError, SuiteContext, load_suites
from apps.evaluation.models import EvaluationRun
from apps.evaluation.suites import questions as suite
from apps.evaluation.suites.questions import questions
from tests.evaluation.building import FakeAsk, asker, finished_run, question_set, refused, spec, unanswerable

pytestmark = pytest.mark.django_db


def context(**options: str) -> SuiteContext:
    return SuiteContext(data=None, say=lambda line: None, options=options, is_live=True)


def fair() -> FakeAsk:
    return FakeAsk({"Wie hoch ist der Mindestlohn (u": refused(), "Wie hoch ist der Mindestlohn (a2": refused()})


@pytest.fixture(autouse=True)
def asked(monkeypatch) -> list[FakeAsk]:
    fakes: list[FakeAsk] = []

    def made():
        fakes.append(fair())
        return asker(fakes[-1])

    monkeypatch.setattr(suite, "Asker", made)
    return fakes


def test_the_suite_is_registered_and_needs_no_data():
    load_suites()
    assert (SUITES["questions"].needs_data, SUITES["questions"].needs_database) == (False, True)


def test_the_suite_says_what_a_run_of_the_same_questions_says():
    own = question_set(specs=[spec("a1"), spec("a2"), spec("a3")])
    run = finished_run(own, fake=fair())
    kept = {each["name"]: each["value"] for each in run.figures if not each["name"].endswith("_ms")}
    result = questions(context(set="own"))
    assert result.n == 3
    assert {name: value for name, value in result.figures.items() if not name.endswith("_ms")} == pytest.approx(
        kept, abs=1e-6
    )
    assert result.figures["wrong_refusals"] == pytest.approx(1 / 3)
    assert "not right: own a2/1 (refused)" in result.notes
    assert any(note.startswith("answered: 95 % interval 0.208 to 0.939 of 3") for note in result.notes)


def test_several_kinds_have_a_prefix_each_and_the_six_their_own_name():
    question_set(specs=[spec("a1"), unanswerable("u1"), unanswerable("u2", subkind="off_topic")])
    figures = questions(context()).figures
    assert {"right", "answerable_answered", "unanswerable_right_refusals", "right_refusals_off_topic"} <= set(figures)


def test_a_sample_can_be_asked(asked):
    question_set(specs=[spec(f"a{n}") for n in range(9)])
    assert questions(context(questions="4")).n == 4


def test_a_set_that_is_not_there_is_named_with_those_that_are():
    question_set("own")
    with pytest.raises(MissingDataError, match=r"no question set 'other'\. There is: own"):
        questions(context(set="other"))


def test_no_run_is_stored_by_the_suite():
    question_set()
    questions(context())
    assert not EvaluationRun.objects.exists()


def test_the_command_prints_one_line_of_json_about_the_operators_own_sets():
    question_set(specs=[spec("a1")])
    out = StringIO()
    call_command("evaluate", "questions", "--live", "--json", "--option", "set=own", stdout=out)
    record = json.loads(out.getvalue())
    assert (record["suite"], record["n"], record["figures"]["right"]) == ("questions", 1, 1.0)
    assert "settings" in record["version"]


def test_the_command_tells_a_missing_set_in_a_sentence():
    with pytest.raises(CommandError, match="no question set 'own'"):
        call_command("evaluate", "questions", "--live", "--option", "set=own")
