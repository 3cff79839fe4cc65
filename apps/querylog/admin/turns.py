"""Questions with their outcome, and the whole trace of each: read only, words only for those who may read them."""

from __future__ import annotations

import re
from typing import Any, Final

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from apps.answering.trace_words import percent
from apps.core.admin import ReadOnlyAdmin
from apps.querylog.access import EXPORTING, access_note, reading_of
from apps.querylog.admin.filters import (
    ConfidenceBand,
    Feedback,
    HandedOver,
    LowCoverage,
    NamedParty,
    OnTopic,
    Period,
    WinningRule,
)
from apps.querylog.admin.mentions import mentions_view
from apps.querylog.admin.paging import MOST_LISTED, BoundedPaginator
from apps.querylog.admin.turn_pages import export_view, looked_view, reason_view, search_view
from apps.querylog.demo.progress import loading_note
from apps.querylog.models import AccessEntry, AnswerFeedback, Turn
from apps.querylog.trace import trace_of

_STORED_WORDS: Final = ("question", "query", "rewriting", "understood", "shown", "signals", "rule")


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    """Questions with outcome and trace."""

    list_display = (
        *("asked_at", "question_words", "kind", "decision", "outcome", "confidence_word", "rule_uid"),
        *("feedback_word", "handed"),
    )
    list_filter = (
        *(
            Period,
            OnTopic,
            NamedParty,
            WinningRule,
            "kind",
            "decision",
            "outcome",
            Feedback,
            ConfidenceBand,
            LowCoverage,
        ),
        *(HandedOver, "state", "language"),
    )
    list_select_related = ("feedback",)
    list_before_template = "admin/querylog/turn/_above_list.html"
    paginator = BoundedPaginator
    ordering = ("-created_at",)
    # What readers wrote is searched by a form of its own: an address would keep the words.
    search_fields = ()
    actions = None

    def get_urls(self) -> list[URLPattern]:
        def at(route: str, view: Any, name: str) -> URLPattern:
            def bound(request: HttpRequest, **arguments: int) -> Any:
                return view(self, request, **arguments)

            return path(route, self.admin_site.admin_view(bound), name=f"querylog_turn_{name}")

        return [
            at("reason/", reason_view, "reason"),
            at("search/", search_view, "search"),
            at("export/", export_view, "export"),
            at("mentions/", mentions_view, "mentions"),
            at("<int:pk>/looked/", looked_view, "looked"),
            *super().get_urls(),
        ]

    def get_list_display(self, request: HttpRequest) -> Any:
        return [name for name in self.list_display if name != "question_words" or reading_of(request).is_open]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """A filter in the address tells words by what it leaves: letter by letter, whatever the list shows."""
        first = lookup.split("__")[0]
        if first in {"handover", "feedback", "conversation", *_STORED_WORDS}:
            return False
        return bool(super().lookup_allowed(lookup, value, request))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the list; where it shows words, the access log gets a line that says which."""
        reading = reading_of(request)
        context = {
            "reading": reading,
            "may_export": request.user.has_perm(EXPORTING),
            "query": request.GET.urlencode(),
            "most_listed": MOST_LISTED,
            "loading": loading_note(),
            **(extra_context or {}),
        }
        response: HttpResponse = super().changelist_view(request, context)
        listed = getattr(response, "context_data", {}).get("cl")
        if reading.is_open and listed is not None:
            keys = [turn.uuid for turn in listed.result_list]
            access_note(request=request, what=AccessEntry.What.LIST, turns=keys, reason=reading.reason)
        return response

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the trace: there is nothing to change."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if object_id is None or not re.fullmatch("[0-9]{1,15}", object_id):
            raise Http404
        found = Turn.objects.select_related("conversation", "handover__editor", "feedback__looked_by")
        turn = get_object_or_404(found, pk=object_id)
        reading = reading_of(request)
        if reading.is_open:
            access_note(request=request, what=AccessEntry.What.TURN, turns=[turn.uuid], reason=reading.reason)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Question %(number)s of a conversation") % {"number": turn.number},
            "trace": trace_of(turn, with_words=reading.is_open),
            "reading": reading,
            **_said(turn),
            "may_see_handover": request.user.has_perm("querylog.view_handover"),
            "may_change_handover": request.user.has_perm("querylog.change_handover"),
            "may_look": request.user.has_perm("querylog.change_answerfeedback"),
            **(extra_context or {}),
        }
        return render(request, "admin/querylog/turn/trace.html", context)

    @admin.display(description=_("question"))
    def question_words(self, turn: Turn) -> str:
        return turn.question

    @admin.display(description=_("confidence"), ordering="confidence")
    def confidence_word(self, turn: Turn) -> str:
        return "–" if turn.confidence is None else f"{percent(turn.confidence)} %"

    @admin.display(description=_("feedback"))
    def feedback_word(self, turn: Turn) -> str:
        feedback = getattr(turn, "feedback", None)
        return str(feedback.get_verdict_display()) if feedback else "–"

    @admin.display(description=_("handed over"), ordering="handed_over_at")
    def handed(self, turn: Turn) -> str:
        return str(_("Yes")) if turn.handed_over_at is not None else "–"

    @admin.display(description=_("asked"), ordering="created_at")
    def asked_at(self, turn: Turn) -> str:
        return date_format(localtime(turn.created_at), "SHORT_DATETIME_FORMAT")


def _said(turn: Turn) -> dict[str, Any]:
    """What its reader said about the answer, and whether anybody still has to look at it."""
    feedback = getattr(turn, "feedback", None)
    reports = list(turn.sentence_reports.order_by("place"))
    reasons = dict(AnswerFeedback.Reason.choices)
    return {
        "reports": reports,
        "feedback_reasons": [reasons[reason] for reason in feedback.reasons] if feedback else [],
        "waits_for_look": any(row.looked_at is None for row in (*([feedback] if feedback else []), *reports)),
    }
