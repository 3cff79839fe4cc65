"""What readers say, as lists: about answers, sentences and sources; colleagues see what somebody has looked at."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.core.admin import ReadOnlyAdmin
from apps.querylog.admin.paging import BoundedPaginator
from apps.querylog.admin.words import WordsAdmin
from apps.querylog.feedback import feedback_look
from apps.querylog.models import AnswerFeedback, SentenceReport, SourceReport
from apps.rules.admin.people import author_of


class LookedAtFilter(admin.SimpleListFilter):
    """What still waits for somebody of the desk."""

    title = gettext_lazy("looked at")
    parameter_name = "looked"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("no", gettext_lazy("nobody has looked at it")), ("yes", gettext_lazy("looked at"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() in {"yes", "no"}:
            return queryset.filter(looked_at__isnull=self.value() == "no")
        return queryset


class SaidAdmin(ReadOnlyAdmin):
    """The base of the three lists."""

    actions = ("look_at_them",)
    list_filter: tuple[Any, ...] = (LookedAtFilter,)
    ordering = ("-created_at",)
    paginator = BoundedPaginator

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """It goes with the question, when its reader or its time says so."""
        return False

    def has_look_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm(f"querylog.change_{self.opts.model_name}"))

    @admin.action(description=gettext_lazy("I have looked at these"), permissions=["look"])
    def look_at_them(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        count = feedback_look(rows=list(queryset), editor=author_of(request))
        said = ngettext("%(count)s is noted as looked at.", "%(count)s are noted as looked at.", count)
        messages.success(request, said % {"count": count})

    @admin.display(description=gettext_lazy("question"))
    def trace_link(self, row: Any) -> str:
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:querylog_turn_change", args=[row.turn_id]), _("The whole trace")
        )


@admin.register(AnswerFeedback)
class AnswerFeedbackAdmin(WordsAdmin, SaidAdmin):
    """Whether answers were useful."""

    words_permission = "querylog.view_answerfeedback"
    words = ("comment",)

    list_display = ("created_at", "verdict", "reason_words", "comment", "trace_link", "looked_at", "looked_by")
    list_filter = ("verdict", LookedAtFilter)
    list_select_related = ("looked_by", "turn")
    list_display_links = None

    @admin.display(description=gettext_lazy("reasons"))
    def reason_words(self, row: AnswerFeedback) -> str:
        words = dict(AnswerFeedback.Reason.choices)
        return "; ".join(str(words[reason]) for reason in row.reasons) or "–"


@admin.register(SentenceReport)
class SentenceReportAdmin(SaidAdmin):
    """Sentences that do not stand in their source, readers say."""

    list_display = ("created_at", "sentence", "trace_link", "looked_at", "looked_by")
    list_select_related = ("looked_by",)
    list_display_links = None


@admin.register(SourceReport)
class SourceReportAdmin(WordsAdmin, SaidAdmin):
    """What readers found wrong on a source's page."""

    words_permission = "querylog.view_sourcereport"
    words = ("comment",)

    list_display = ("created_at", "comment", "place_link", "looked_at", "looked_by")
    list_select_related = ("document", "looked_by")
    list_display_links = None

    @admin.display(description=gettext_lazy("source"))
    def place_link(self, row: SourceReport) -> str:
        place = [row.document.uuid, row.version, row.start, row.end]
        return format_html('<a href="{}#passage">{}</a>', reverse("documents:passage", args=place), row.document.title)
