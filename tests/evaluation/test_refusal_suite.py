"""What the refusal suites count: an answer to what has none is wrong, unless the source corrects the question."""

from __future__ import annotations

import pytest

from apps.evaluation.filed_questions import Expected, FiledQuestion
from apps.evaluation.suites.refusal import is_right_not_to_answer, judged_score, outcome_of
from apps.rag.events import Done, Failed
from apps.rag.types import Outcome


def question(expected: Expected) -> FiledQuestion:
    return FiledQuestion("u001", "Wie hoch ist er?", "de", "not_in_corpus", expected, "arbeit")


@pytest.mark.parametrize("outcome", [Outcome.REFUSED, Outcome.CLARIFIED, Outcome.CHATTED])
def test_what_is_not_answered_is_right(outcome: Outcome) -> None:
    assert is_right_not_to_answer(question(Expected.REFUSE), [Done(outcome)], {})


@pytest.mark.parametrize("expected", [Expected.REFUSE, Expected.CLARIFY])
def test_an_answer_to_what_has_none_is_wrong(expected: Expected) -> None:
    assert not is_right_not_to_answer(question(expected), [Done(Outcome.ANSWERED)], {})


def test_a_turn_that_broke_is_no_refusal() -> None:
    assert outcome_of([Failed("search_down")]) is Outcome.FAILED
    assert not is_right_not_to_answer(question(Expected.REFUSE), [Failed("search_down")], {})


def test_what_was_never_searched_has_no_score() -> None:
    assert judged_score([Done(Outcome.CHATTED)]) == 0.0
