"""The five outcomes: which words are missing, what a gap becomes when nothing closes it, what a conflict keeps."""

from __future__ import annotations

import pytest

from apps.rag.reading import question_coverage, read
from apps.rag.refusal import RefusalCode
from apps.rag.sufficiency import judge
from apps.rag.verdicts import Sufficiency, Verdict
from tests.rag.builders import SETTINGS, passage

ASKED = "Kostet der Fahrradverleih am Hafen Gebühren?"


def judged(text: str, *, may_search: bool = True) -> Verdict:
    passages = [passage(text, closeness=[0.8])]
    coverage = question_coverage(ASKED, "de", passages, {})
    evidence = read(ASKED, None, passages, coverage, "de", SETTINGS)
    return judge(evidence, SETTINGS.embedder, may_search=may_search)


def test_a_full_answer_is_an_answer() -> None:
    verdict = judged("Der Fahrradverleih am Hafen kostet keine Gebühren.")
    assert (verdict.outcome, verdict.refusal, verdict.missing) == (Sufficiency.ANSWER, None, ())


def test_what_lacks_most_of_the_question_is_a_gap_that_names_it() -> None:
    verdict = judged("Der Fahrradverleih öffnet um acht.")
    assert verdict.outcome is Sufficiency.GAP
    assert "Hafen" in verdict.missing
    assert "Fahrradverleih" not in verdict.missing


def test_after_the_gap_was_searched_nothing_is_a_gap() -> None:
    verdict = judged("Der Fahrradverleih öffnet um acht.", may_search=False)
    assert verdict.outcome is Sufficiency.REFUSE
    assert verdict.refusal in (RefusalCode.NOT_ENOUGH, RefusalCode.NOT_STATED)


@pytest.mark.parametrize(
    ("refusal", "settled"), [(None, Sufficiency.CAVEAT), (RefusalCode.NOT_ENOUGH, Sufficiency.REFUSE)]
)
def test_a_gap_settles_by_what_may_be_quoted(refusal: RefusalCode | None, settled: Sufficiency) -> None:
    verdict = Verdict(Sufficiency.GAP, 0.5, refusal, ("Hafen",)).settled()
    assert (verdict.outcome, verdict.missing) == (settled, ("Hafen",))


def test_only_what_suffices_can_be_in_conflict() -> None:
    assert Verdict(Sufficiency.ANSWER, 0.9).in_conflict().outcome is Sufficiency.CONFLICT
    refused = Verdict(Sufficiency.REFUSE, 0.1, RefusalCode.NOT_ENOUGH)
    assert refused.in_conflict() == refused
