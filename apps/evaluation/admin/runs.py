"""The desk's evaluation runs: order one, watch it, read what came of it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe
from unfold.decorators import display

from apps.core.admin import ReadOnlyAdmin, StateColours
from apps.evaluation.admin.comparisons import compare_view
from apps.evaluation.admin.results import result_view
from apps.evaluation.admin.run_pages import cancel_view, order_view, progress_view, run_view
from apps.evaluation.admin.sets import counted_deletion
from apps.evaluation.findings import percent
from apps.evaluation.metrics import EVERYTHING, Form, figure_of
from apps.evaluation.models import EvaluationRun


@admin.register(EvaluationRun)
class EvaluationRunAdmin(ReadOnlyAdmin):
    """The runs of all evaluators. Nobody changes one; who may add one may cancel one."""

    list_display = ("created_at", "title", "shown_state", "shown_right", "note", "author")
    list_filter = ("state", "sets")
    list_select_related = ("author",)
    list_before_template = "admin/evaluation/run/_above_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[EvaluationRun]:
        runs: QuerySet[EvaluationRun] = super().get_queryset(request)
        return runs.defer("versions")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("evaluation.add_evaluationrun"))

    def get_urls(self) -> list[URLPattern]:
        def at(route: str, view: Any, name: str, guard: Any) -> URLPattern:
            def bound(request: HttpRequest, **arguments: int) -> HttpResponse:
                response: HttpResponse = view(self, request, **arguments)
                return response

            return path(route, self.admin_site.admin_view(guard(bound)), name=f"evaluation_evaluationrun_{name}")

        return [
            at("<int:pk>/progress/", progress_view, "progress", require_safe),
            at("<int:pk>/cancel/", cancel_view, "cancel", require_POST),
            at("<int:pk>/compare/", compare_view, "compare", require_safe),
            at("<int:pk>/results/<int:result>/", result_view, "result", require_safe),
            *super().get_urls(),
        ]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        return order_view(self, request)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return run_view(self, request, object_id)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Count what goes with a run: a list of hundreds of results would be no help."""
        return counted_deletion(super().get_deleted_objects(objs, request))

    @display(
        description=gettext_lazy("state"),
        label=StateColours(done="success", failed="danger", cancelled="warning", running="info"),
    )
    def shown_state(self, run: EvaluationRun) -> tuple[str, str]:
        return run.state, str(run.get_state_display())

    @display(description=gettext_lazy("as expected"))
    def shown_right(self, run: EvaluationRun) -> str:
        if not run.is_over:
            return render_to_string("admin/evaluation/run/_bar.html", {"run": run})
        figures = [figure_of(each) for each in run.figures if each["name"] == "right"]
        whole = next((each for each in figures if each.kind == EVERYTHING), figures[0] if figures else None)
        return f"{percent(whole.value)} ({whole.n})" if whole and whole.form is Form.SHARE else "–"
