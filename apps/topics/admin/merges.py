"""Topics that may be one subject: runs propose, editors bring them together or leave them apart."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from apps.core.admin import ReadOnlyAdmin
from apps.rules.admin.people import author_of
from apps.topics.admin import pages
from apps.topics.dashboards.waiting import under_way, why_empty
from apps.topics.models import MergeProposal
from apps.topics.services.merging import ProposalDecidedError, merge_accept, merge_decline

_MOST_DECIDED = 30


@admin.register(MergeProposal)
class MergeProposalAdmin(ReadOnlyAdmin):
    """Proposals, as one page."""

    actions = None

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("topics.view_topic"))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        decide = self.admin_site.admin_view(require_POST(self.decide))
        return [path("<int:pk>/decide/", decide, name="topics_merge_decide"), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Show what waits, and what was decided lately."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        found = MergeProposal.objects.select_related("one", "other", "editor")
        waiting = list(found.filter(state=MergeProposal.State.OPEN))
        context = {
            **pages.page_context(request, _("Proposals to merge")),
            "opts": self.opts,
            "finding": _finding(len(waiting)),
            "under_way": under_way(),
            "waiting": waiting,
            "decided": found.exclude(state=MergeProposal.State.OPEN).order_by("-decided_at")[:_MOST_DECIDED],
            "may_edit": request.user.has_perm("topics.change_topic"),
        }
        return render(request, "admin/topics/merges.html", context)

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> Any:
        return redirect("admin:topics_mergeproposal_changelist")

    def decide(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Bring two topics together, or leave them apart for good."""
        if not request.user.has_perm("topics.change_topic"):
            raise PermissionDenied
        proposal, editor = get_object_or_404(MergeProposal, pk=pk), author_of(request)
        try:
            if request.POST.get("what") == "accept":
                into = merge_accept(proposal=proposal, editor=editor)
                messages.success(
                    request, _("They are one topic now: “%(topic)s”. Its page undoes it.") % {"topic": into}
                )
            else:
                merge_decline(proposal=proposal, editor=editor)
                messages.success(request, _("They stay apart and are not proposed again."))
        except ProposalDecidedError:
            messages.warning(request, _("Somebody has decided this meanwhile."))
        return redirect("admin:topics_mergeproposal_changelist")


def _finding(waiting: int) -> str:
    if not waiting:
        return why_empty() or _("No two topics look like one subject.")
    return ngettext(
        "%(number)d pair of topics may be one subject. You decide.",
        "%(number)d pairs of topics may be one subject. You decide.",
        waiting,
    ) % {"number": waiting}
