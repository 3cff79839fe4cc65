"""The panel "Try a question" for pages of other apps, and the words it speaks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import template

from apps.answering.try_form import TryForm
from apps.answering.try_words import Line, cut_words, level_lines, verdict_words
from apps.rules.reports import LevelReport, RuleReport
from apps.rules.types import Cut, ProtectedName

register = template.Library()


@register.inclusion_tag("admin/answering/_try_panel.html")
def try_panel(rule: Any = None) -> dict[str, Any]:
    """Show the panel beside the form of a rule, or of a new one."""
    return {"try_form": TryForm(), "form_id": "rule_form", "rule": rule}


@register.filter
def verdict(report: RuleReport, names: Sequence[ProtectedName]) -> str:
    return verdict_words(report, names)


@register.filter
def lines(level: LevelReport, names: Sequence[ProtectedName]) -> Iterable[Line]:
    return level_lines(level, names)


@register.filter
def said_cut(cut: Cut) -> str:
    return cut_words(cut)


@register.filter
def number_of(uid: str, ids: Iterable[tuple[str, int]]) -> int | None:
    """Return a rule's row by its short name, for its address."""
    return dict(ids).get(uid)
