"""Reads the rule form out of a request, however unfinished it is: for Try and for what the engine reads."""

from __future__ import annotations

from django.http import QueryDict

from apps.rules.forms.rule import RuleForm
from apps.rules.forms.spec import spec_from
from apps.rules.loading import rule_spec
from apps.rules.models import Rule
from apps.rules.types import RuleSpec

_MOST_DIGITS = 15


def posted_rule(data: QueryDict) -> tuple[RuleForm, RuleSpec]:
    """Return the form that was sent and the unsaved rule that it says."""
    rule = stored_rule(data.get("rule_id", ""))
    form = RuleForm(data, base=rule_spec(rule) if rule else None)
    form.is_valid()
    return form, spec_from(form)


def stored_rule(number: str) -> Rule | None:
    """Return the rule with this number and all its rows; None for what is no number of a rule."""
    if not (number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS):
        return None
    return Rule.objects.whole().filter(pk=number).first()
