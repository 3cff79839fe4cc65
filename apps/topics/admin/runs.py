"""The runs: order one, watch it, cancel it, see what it changed and why it was not taken."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe
from unfold.decorators import display

from apps.core.admin import ReadOnlyAdmin, StateColours
from apps.rules.admin.people import author_of
from apps.topics import tasks
from apps.topics.admin import pages
from apps.topics.dashboards.figures import percent
from apps.topics.dashboards.waiting import no_runs, under_way
from apps.topics.models import TopicRun
from apps.topics.services.ordering import CANCELLABLE_UNTIL, Cancelling, run_cancel, run_order
from apps.topics.wording import METHODS, REASONS

_MOST_STEPS = 400
_CANCELLED = {
    Cancelling.STOPPED: gettext_lazy("The run is cancelled. The topics of before stay."),
    Cancelling.STOPS: gettext_lazy("The run stops at its next step. The topics of before stay."),
    Cancelling.TOO_LATE: gettext_lazy("It is too late to cancel: the run is over or stores its topics already."),
}


@admin.register(TopicRun)
class TopicRunAdmin(ReadOnlyAdmin):
    """Runs over the log."""

    list_display = ("created_at", "kind", "state_word", "reason_word", "texts", "topics", "born", "survived", "loose")
    list_filter = ("state", "kind")
    ordering = ("-created_at",)
    actions = None
    list_before_template = "admin/topics/_under_way.html"
    change_list_template = "admin/topics/runs.html"

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("order/", wrap(require_POST(self.order)), name="topics_run_order"),
            path("<int:pk>/cancel/", wrap(require_POST(self.cancel)), name="topics_run_cancel"),
            path("<int:pk>/progress/", wrap(require_safe(self.progress)), name="topics_run_progress"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        may_order = request.user.has_perm("topics.add_topicrun")
        context = {**(extra_context or {}), "may_order": may_order, "under_way": under_way() or no_runs()}
        return super().changelist_view(request, context)

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> Any:
        """Show what a run has found and changed."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        run = get_object_or_404(TopicRun, pk=object_id) if object_id.isdecimal() and len(object_id) < 16 else None
        if run is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        steps = run.lineage.exclude(kind="continue").select_related("old", "new")[:_MOST_STEPS]
        context = {
            **pages.page_context(request, _("Run of the topics")),
            "opts": self.opts,
            "run": run,
            "reason": REASONS.get(run.reason, ""),
            "steps": steps,
            "shares": {name: percent(share).text for name, share in _shares(run).items()},
            "methods": [str(METHODS.get(name, name)) for name in _methods(run)],
            "went_on": run.lineage.filter(kind="continue").count(),
            "may_order": request.user.has_perm("topics.add_topicrun"),
            "may_cancel": run.progress < CANCELLABLE_UNTIL and not run.is_cancel_wanted,
        }
        return render(request, "admin/topics/run.html", context)

    def order(self, request: HttpRequest) -> HttpResponse:
        """Order a run; one that is open already is shown instead."""
        _guard(request)
        kind = TopicRun.Kind.FULL if request.POST.get("kind") == "full" else TopicRun.Kind.NIGHT
        run = run_order(kind=kind, author=author_of(request))
        tasks.run.delay_on_commit(run.pk)
        return redirect("admin:topics_topicrun_change", run.pk)

    def cancel(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask a run to stop."""
        _guard(request)
        run = get_object_or_404(TopicRun, pk=pk)
        found = run_cancel(run=run)
        say = messages.warning if found == Cancelling.TOO_LATE else messages.success
        say(request, str(_CANCELLED[found]))
        return redirect("admin:topics_topicrun_change", pk)

    def progress(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return the bar alone, for htmx."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        run = get_object_or_404(TopicRun, pk=pk)
        return render(request, "admin/topics/_progress.html", {"run": run})

    @display(description=gettext_lazy("State"), ordering="state",
             label=StateColours(accepted="success", rejected="danger", failed="danger", running="info"))  # fmt: skip
    def state_word(self, run: TopicRun) -> tuple[str, str]:
        return run.state, run.get_state_display()

    @display(description=gettext_lazy("Why"))
    def reason_word(self, run: TopicRun) -> str:
        return str(REASONS.get(run.reason, "–"))

    @display(description=gettext_lazy("Went on"), ordering="survival")
    def survived(self, run: TopicRun) -> str:
        return percent(run.went_on_share).text

    @display(description=gettext_lazy("Unplaced"), ordering="unplaced_share")
    def loose(self, run: TopicRun) -> str:
        return percent(run.unplaced_share).text


def _shares(run: TopicRun) -> dict[str, float | None]:
    return {"went_on": run.went_on_share, "unplaced": run.unplaced_share, "largest": run.largest_share}


def _methods(run: TopicRun) -> list[str]:
    """Return how a run grouped the texts and what it tried, as codes."""
    return [name for name in (run.method, *run.parameters.get("tried", [])) if name]


def _guard(request: HttpRequest) -> None:
    if not request.user.has_perm("topics.add_topicrun"):
        raise PermissionDenied
