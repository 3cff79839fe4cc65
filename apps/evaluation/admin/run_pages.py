"""The pages of one run: the order, the progress, the figures with the results behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from apps.answering.settings_versions import DRAFT
from apps.evaluation.findings import interval_text, run_finding, value_text
from apps.evaluation.forms import CompareForm, OrderForm, settings_label
from apps.evaluation.metrics import Figure, figure_of
from apps.evaluation.models import EvaluationResult, EvaluationRun, QuestionSet
from apps.evaluation.services import run_cancel, run_order
from apps.evaluation.words import VERSIONS, figure_word, kind_word

if TYPE_CHECKING:
    from apps.evaluation.admin.runs import EvaluationRunAdmin

RESULTS_PER_PAGE = 50
# Which results the page shows, by the word in its address.
SHOWN = {
    "wrong": Q(is_right=False),
    "right": Q(is_right=True),
    "unjudged": Q(is_right__isnull=True),
    "failed": Q(outcome="failed"),
}


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One line of the table of figures."""

    word: str
    value: str
    interval: str
    n: int


@dataclass(frozen=True, slots=True)
class FigureGroup:
    """The figures of one kind of questions."""

    kind: str
    word: str
    rows: tuple[FigureRow, ...]


def order_view(desk: EvaluationRunAdmin, request: HttpRequest) -> HttpResponse:
    """Order a run; the page of a set sends it along."""
    if not desk.has_add_permission(request):
        raise PermissionDenied
    chosen = request.GET.get("set", "")
    start = QuestionSet.objects.filter(pk=chosen) if chosen.isdecimal() and len(chosen) < 16 else None
    form = OrderForm(request.POST or None, initial={"sets": start})
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        before = set(EvaluationRun.objects.unfinished().values_list("pk", flat=True))
        run = run_order(
            author=request.user,
            sets=list(given["sets"]),
            note=given["note"],
            most=given["most"],
            answer_settings=given["answer_settings"],
        )
        if run.pk in before:
            messages.info(request, _("You had ordered just this run before; it is not over yet. Here it is."))
        return redirect("admin:evaluation_evaluationrun_change", run.pk)
    context = {"form": form, "title": _("New evaluation run")}
    return render(request, "admin/evaluation/run/order.html", page_context(desk, request, context))


def run_view(desk: EvaluationRunAdmin, request: HttpRequest, object_id: str) -> HttpResponse:
    """Show how far a run is, or what it has found."""
    run = run_or_404(desk, request, object_id)
    results = run.results.all()
    show, kind = request.GET.get("show", ""), request.GET.get("kind", "")
    page = Paginator(_chosen(results, show, kind), RESULTS_PER_PAGE).get_page(request.GET.get("page"))
    figures = [figure_of(each) for each in run.figures]
    counts = results.aggregate(all=Count("pk"), **{name: Count("pk", filter=each) for name, each in SHOWN.items()})
    context = {
        "run": run,
        "finding": run_finding(figures) if figures else "",
        "groups": figure_groups(figures),
        "page": page,
        "show": show,
        "kind": kind,
        "kinds": _kinds(results),
        "tabs": _tabs(counts),
        "versions": [(VERSIONS[name], run.versions[name]) for name in VERSIONS if run.versions.get(name, "") != ""],
        "changed": [VERSIONS.get(name, name) for name in run.versions.get("changed", ())],
        "chosen_settings": _chosen_settings(run),
        "compare_form": CompareForm(run) if run.is_over else None,
        "reason": _(run.reason) if run.reason else "",
        "title": _("Evaluation run"),
    }
    return render(request, "admin/evaluation/run/run.html", page_context(desk, request, context))


def progress_view(desk: EvaluationRunAdmin, request: HttpRequest, pk: int) -> HttpResponse:
    """Return how far a run is; the page loads anew when it is over or gone."""
    if not desk.has_view_permission(request):
        raise PermissionDenied
    run = EvaluationRun.objects.filter(pk=pk).defer("figures").first() if pk < 2**63 else None
    answer = render(request, "admin/evaluation/run/_progress.html", {"run": run})
    if run is None:
        answer["HX-Redirect"] = redirect("admin:evaluation_evaluationrun_changelist")["Location"]
    elif run.is_over:
        answer["HX-Refresh"] = "true"
    return answer


def cancel_view(desk: EvaluationRunAdmin, request: HttpRequest, pk: int) -> HttpResponse:
    """Stop a run; what was asked stays."""
    if not desk.has_add_permission(request):
        raise PermissionDenied
    run = run_or_404(desk, request, str(pk))
    if run_cancel(run=run):
        messages.success(request, _("The run is cancelled. What was asked until now is kept."))
    else:
        messages.info(request, _("The run had just finished."))
    return redirect("admin:evaluation_evaluationrun_change", pk)


def _chosen_settings(run: EvaluationRun) -> str:
    """The settings that were chosen for a run, "" where it asked with those in force."""
    if run.answer_settings:
        return settings_label(run.answer_settings)
    return _("a draft that was deleted") if str(run.versions.get("settings", "")).startswith(DRAFT) else ""


def run_or_404(desk: EvaluationRunAdmin, request: HttpRequest, object_id: str) -> EvaluationRun:
    """Return the run to who may see it."""
    if not desk.has_view_permission(request):
        raise PermissionDenied
    known = EvaluationRun.objects.select_related("author", "answer_settings")
    run = known.filter(pk=object_id).first() if object_id.isdecimal() and len(object_id) < 16 else None
    if run is None:
        raise Http404
    return run


def figure_groups(figures: Iterable[Figure]) -> list[FigureGroup]:
    """Return figures as a page shows them, kind by kind."""
    return [
        FigureGroup(
            kind,
            kind_word(kind),
            tuple(
                FigureRow(
                    figure_word(each.name),
                    value_text(each.form, each.value),
                    interval_text(each.form, each.low, each.high),
                    each.n,
                )
                for each in members
            ),
        )
        for kind, members in groupby(figures, key=lambda figure: figure.kind)
    ]


def page_context(desk: EvaluationRunAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return what every page of the runs needs."""
    shared = {"opts": desk.opts, "may_order": desk.has_add_permission(request)}
    return {**desk.admin_site.each_context(request), **shared, **context}


def _chosen(results: QuerySet[EvaluationResult], show: str, kind: str) -> QuerySet[EvaluationResult]:
    found = results.filter(SHOWN[show]) if show in SHOWN else results
    return (found.filter(kind=kind) if kind else found).order_by("position").defer("trace")


def _kinds(results: QuerySet[EvaluationResult]) -> list[tuple[str, str]]:
    kinds = results.order_by("kind").values_list("kind", flat=True).distinct()
    return [(kind, kind_word(kind)) for kind in kinds]


def _tabs(counts: dict[str, int]) -> Sequence[tuple[str, str, int]]:
    words = {"": _("all"), "wrong": _("wrong"), "right": _("right"), "unjudged": _("not judged"), "failed": _("failed")}
    return [(name, word, counts[name or "all"]) for name, word in words.items() if not name or counts[name]]
