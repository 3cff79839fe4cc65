"""Questions with their outcome, and the whole trace of each: read only, words only for those who may read them."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _

from apps.answering.trace_words import percent
from apps.core.admin import ReadOnlyAdmin
from apps.querylog.admin.filters import ConfidenceBand, HandedOver, LowCoverage
from apps.querylog.models import Turn
from apps.querylog.trace import trace_of

_STORED_WORDS = ("question", "query", "rewriting", "understood", "shown", "signals", "rule")


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    """Questions with outcome and trace."""

    list_display = ("created_at", "question_words", "decision", "outcome", "confidence_word", "rule_uid", "handed")
    list_filter = (
        "outcome",
        "decision",
        ConfidenceBand,
        LowCoverage,
        HandedOver,
        "state",
        "language",
        "created_at",
    )
    date_hierarchy = "created_at"
    ordering = ("-created_at",)

    def get_list_display(self, request: HttpRequest) -> Any:
        return [name for name in self.list_display if name != "question_words" or may_read_words(request)]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """A filter in the address tells words by what it leaves: letter by letter, whatever the list shows."""
        first = lookup.split("__")[0]
        if first == "handover" or (first in _STORED_WORDS and not may_read_words(request)):
            return False
        return bool(super().lookup_allowed(lookup, value, request))

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the trace: there is nothing to change."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if object_id is None or not re.fullmatch("[0-9]{1,15}", object_id):
            raise Http404
        found = Turn.objects.select_related("conversation", "handover__editor")
        turn = get_object_or_404(found, pk=object_id)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Question %(number)s of a conversation") % {"number": turn.number},
            "trace": trace_of(turn, with_words=may_read_words(request)),
            "may_see_handover": request.user.has_perm("querylog.view_handover"),
            "may_change_handover": request.user.has_perm("querylog.change_handover"),
            **(extra_context or {}),
        }
        return render(request, "admin/querylog/turn/trace.html", context)

    @admin.display(description=_("question"))
    def question_words(self, turn: Turn) -> str:
        return turn.question

    @admin.display(description=_("confidence"), ordering="confidence")
    def confidence_word(self, turn: Turn) -> str:
        return "–" if turn.confidence is None else f"{percent(turn.confidence)} %"

    @admin.display(description=_("handed over"), boolean=True, ordering="handed_over_at")
    def handed(self, turn: Turn) -> bool:
        return turn.handed_over_at is not None


def may_read_words(request: HttpRequest) -> bool:
    """Say whether this person may read what readers wrote, masked as it is."""
    return request.user.has_perm("querylog.view_question")
