"""Words for stored values of the evaluation."""

from __future__ import annotations

from django import template

from apps.evaluation.models import EvaluationResult
from apps.evaluation.running import verdict_of
from apps.evaluation.words import VERDICTS, kind_word, outcome_word, subkind_word

register = template.Library()
register.filter("kind_word", kind_word)
register.filter("subkind_word", subkind_word)
register.filter("outcome_word", outcome_word)


@register.filter
def what_is_wrong(result: EvaluationResult) -> list[str]:
    """Return in words what of a result was not as expected."""
    verdict = verdict_of(result)
    return [str(wrong) for name, (_right, wrong) in VERDICTS.items() if getattr(verdict, name) is False]
