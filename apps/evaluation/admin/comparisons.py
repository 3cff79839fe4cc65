"""The page that lays two runs side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from apps.evaluation.admin.run_pages import page_context, run_or_404
from apps.evaluation.comparing import Change, ChangedQuestion, Comparison, Difference, compare
from apps.evaluation.findings import comparison_finding, number, sure_differences, value_text
from apps.evaluation.forms import CompareForm
from apps.evaluation.metrics import Form
from apps.evaluation.models import EvaluationResult, EvaluationRun
from apps.evaluation.running import judged_of
from apps.evaluation.words import CHANGES, figure_word, kind_word, outcome_word

if TYPE_CHECKING:
    from apps.evaluation.admin.runs import EvaluationRunAdmin

MOST_CHANGED = 200
Key = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """One line of the table. ``is_better`` is None where the change may be chance, or neither is good."""

    word: str
    before: str
    after: str
    gain: str
    interval: str
    chance: str
    n: int
    is_better: bool | None


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """A question that fares differently, with its two results."""

    before: EvaluationResult
    after: EvaluationResult
    outcome_before: str
    outcome_after: str


def compare_view(desk: EvaluationRunAdmin, request: HttpRequest, pk: int) -> HttpResponse:
    """Compare a run with another: the earlier one is "before", wherever one comes from."""
    run = run_or_404(desk, request, str(pk))
    form = CompareForm(run, request.GET)
    if not form.is_valid():
        messages.warning(request, _("Nothing was compared: choose another run that has asked some of the same sets."))
        return redirect("admin:evaluation_evaluationrun_change", run.pk)
    before, after = sorted((form.cleaned_data["before"], run), key=lambda each: each.created_at)
    first, second = _results(before), _results(after)
    comparison = compare(judged_of(first.values()), judged_of(second.values()))
    context = {
        "before": before,
        "after": after,
        "comparison": comparison,
        "finding": comparison_finding(comparison),
        "further": sure_differences(comparison),
        "groups": _groups(comparison.differences),
        "changes": _changes(comparison, first, second),
        "title": _("Two runs compared"),
    }
    return render(request, "admin/evaluation/run/compare.html", page_context(desk, request, context))


def _results(run: EvaluationRun) -> dict[Key, EvaluationResult]:
    rows = run.results.order_by("position").defer("trace")
    return {(each.set_slug, each.key, each.number): each for each in rows}


def _groups(differences: Iterable[Difference]) -> list[tuple[str, list[DifferenceRow]]]:
    return [
        (kind_word(kind), [_row(each) for each in members])
        for kind, members in groupby(differences, key=lambda each: each.kind)
    ]


def _row(each: Difference) -> DifferenceRow:
    return DifferenceRow(
        word=figure_word(each.name),
        before=value_text(each.form, each.before),
        after=value_text(each.form, each.after),
        gain=_signed(each.form, each.gain),
        interval=_("%(low)s to %(high)s")
        % {"low": _signed(each.form, each.low), "high": _signed(each.form, each.high)},
        chance="" if each.chance is None else number(each.chance, 3),
        n=each.n,
        is_better=each.is_better,
    )


def _interval(each: Difference) -> str:
    return _("%(low)s to %(high)s") % {"low": _signed(each.form, each.low), "high": _signed(each.form, each.high)}


def _signed(form: Form, value: float) -> str:
    """Return a difference: of shares in percentage points."""
    if form is Form.SHARE:
        text = number(abs(100 * value), 1)
    elif form is Form.MEAN:
        text = number(abs(value), 1)
    else:
        text = number(abs(value), 0)
    is_nothing = not text.strip("0.,")
    return text if is_nothing else f"{'+' if value > 0 else '−'}{text}"


def _changes(
    comparison: Comparison, first: dict[Key, EvaluationResult], second: dict[Key, EvaluationResult]
) -> list[dict[str, Any]]:
    found = []
    for change in (Change.WORSE, Change.BETTER, Change.OTHER):
        members = [each for each in comparison.changed if each.change is change]
        rows = [_changed_row(each, first, second) for each in members[:MOST_CHANGED]]
        if rows:
            found.append(
                {"word": CHANGES[change], "count": len(members), "rows": rows, "hidden": len(members) - len(rows)}
            )
    return found


def _changed_row(
    changed: ChangedQuestion, first: dict[Key, EvaluationResult], second: dict[Key, EvaluationResult]
) -> ChangedRow:
    before, after = first[changed.key], second[changed.key]
    return ChangedRow(before, after, outcome_word(before.outcome), outcome_word(after.outcome))
