"""Words for stored values of the evaluation."""

from __future__ import annotations

from django import template

from apps.answering.trace_words import DECISIONS, reason_word, stage_word
from apps.evaluation.models import EvaluationResult
from apps.evaluation.running import verdict_of
from apps.evaluation.words import VERDICTS, kind_word, outcome_word, subkind_word

register = template.Library()
register.filter("kind_word", kind_word)
register.filter("subkind_word", subkind_word)
register.filter("outcome_word", outcome_word)
register.filter("stage_word", stage_word)


@register.filter
def decision_word(code: str) -> str:
    """Return what a decision before the search is called; an unknown code as it is."""
    return str(DECISIONS.get(code, code))


@register.filter("reason_word")
def reason_in_words(code: str) -> str:
    """Return why the query is what it is. No reader has asked here, so a model's own words may be shown."""
    return reason_word(code, with_words=True)


@register.filter
def what_is_wrong(result: EvaluationResult) -> list[str]:
    """Return in words what of a result was not as expected."""
    verdict = verdict_of(result)
    return [str(wrong) for name, (_right, wrong) in VERDICTS.items() if getattr(verdict, name) is False]
