"""What the templates of the rule form ask for."""

from __future__ import annotations

from typing import Final

from django import template
from django.forms import BoundField, CheckboxInput

from apps.rules.forms import RuleForm

register = template.Library()

_PARTS: Final = {
    "words": tuple(
        f"{name}_{field}" for name in ("core", "anchor", "exclude") for field in ("need", "amount", "slots")
    ),
    "also": (
        *("extra", "fill_up_to", "links"),
        *("answer_text", "answer_is_desk_text", "answer_owner", "answer_checked", "answer_expires"),
    ),
    "limits": (
        *("parent_title", "valid_from", "valid_until", "languages", "audiences", "builder_choices"),
        *("priority", "hit_policy", "threshold"),
    ),
    "examples": ("examples",),
    "why": ("reason", "owner", "tags", "uid"),
}


@register.filter
def is_tick(field: BoundField) -> bool:
    """Say whether a field is a box to tick, whose label stands behind it."""
    return isinstance(field.field.widget, CheckboxInput)


@register.filter
def has_trouble(form: RuleForm, part: str) -> bool:
    """Say whether a folded part holds an error: then it must not stay folded."""
    if not form.is_bound:
        return False
    rows = {"links": form.links, "examples": form.examples}
    return any(not rows[name].is_valid() if name in rows else name in form.errors for name in _PARTS[part])
