"""Pages beside the list of questions: the reason box, the search, the export, and feedback that was looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.core.cleaning import clean_line
from apps.querylog.access import (
    EXPORTING,
    access_note,
    may_say_why,
    reading_close,
    reading_of,
    reading_open,
    reason_read,
)
from apps.querylog.exporting import MOST_ROWS, as_csv, as_xlsx
from apps.querylog.feedback import feedback_look
from apps.querylog.models import AccessEntry, Turn
from apps.querylog.querysets import TurnQuerySet
from apps.rules.admin.people import author_of

if TYPE_CHECKING:
    from apps.querylog.admin.turns import TurnAdmin

_MOST_FOUND: Final = 100
_MOST_WORDS: Final = 6
_XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class SearchForm(forms.Form):
    """Words to look for, in masked questions of a period."""

    words = forms.CharField(
        label=gettext_lazy("Words in the question"), max_length=200, widget=forms.TextInput(attrs={"autofocus": True})
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("In"),
        coerce=int,
        initial="7",
        choices=[("7", gettext_lazy("the last 7 days")), ("28", gettext_lazy("the last 28 days"))],
    )


class ExportForm(forms.Form):
    """In which form the list goes out, and why."""

    reason = forms.CharField(label=gettext_lazy("What is it for?"), max_length=200)
    format = forms.ChoiceField(
        label=gettext_lazy("As"), choices=[("xlsx", "XLSX (Excel)"), ("csv", "CSV")], widget=forms.RadioSelect
    )

    def clean_reason(self) -> str:
        reason = reason_read(self.cleaned_data["reason"])
        if not reason:
            raise forms.ValidationError(_("Say in a few words what the export is for: it is kept in the access log."))
        return reason


def reason_view(desk: TurnAdmin, request: HttpRequest) -> HttpResponse:
    """Take the reason for which somebody reads; without one, or with "close", words are hidden again."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    if not may_say_why(request):
        raise PermissionDenied
    if "close" in request.POST:
        reading_close(request)
    elif not reading_open(request, request.POST.get("reason", "")):
        messages.error(request, _("Say in a few words why you read; it is kept in the access log."))
    return redirect(
        _back(request, "admin:querylog_turn_changelist" if desk.has_view_permission(request) else "admin:index")
    )


def _back(request: HttpRequest, otherwise: str) -> str:
    wanted = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if is_ours and wanted.startswith("/") else reverse(otherwise)


def search_view(desk: TurnAdmin, request: HttpRequest) -> HttpResponse:
    """Look for words in questions. By POST only, so that no address and no history keeps them."""
    if not desk.has_view_permission(request):
        raise PermissionDenied
    reading = reading_of(request)
    if not reading.may:
        raise PermissionDenied
    form = SearchForm(request.POST if request.method == "POST" else None)
    found: list[Turn] = []
    if reading.is_open and form.is_bound and form.is_valid():
        words = clean_line(form.cleaned_data["words"], limit=200).split()[:_MOST_WORDS]
        found = list(Turn.objects.asked_within(form.cleaned_data["days"]).with_words(words)[: _MOST_FOUND + 1])
        keys = [turn.uuid for turn in found[:_MOST_FOUND]]
        access_note(request=request, what=AccessEntry.What.SEARCH, turns=keys, reason=reading.reason)
    context = {
        **desk.admin_site.each_context(request),
        "opts": desk.opts,
        "title": _("Search in questions"),
        "form": form,
        "reading": reading,
        "found": found[:_MOST_FOUND],
        "is_searched": form.is_bound and form.is_valid(),
        "has_more": len(found) > _MOST_FOUND,
    }
    return render(request, "admin/querylog/turn/search.html", context)


def export_view(desk: TurnAdmin, request: HttpRequest) -> HttpResponse:
    """Hand out the list as it is filtered, newest first; with words only to those who may read them."""
    if not desk.has_view_permission(request) or not request.user.has_perm(EXPORTING):
        raise PermissionDenied
    form = ExportForm(request.POST if request.method == "POST" else None, initial={"format": "xlsx"})
    with_words = reading_of(request).may
    if form.is_bound and form.is_valid():
        turns = list(_filtered(desk, request).order_by("-created_at")[:MOST_ROWS])
        access_note(
            request=request,
            what=AccessEntry.What.EXPORT,
            turns=[turn.uuid for turn in turns],
            reason=form.cleaned_data["reason"],
        )
        return _file(turns, form.cleaned_data["format"], with_words=with_words)
    context = {
        **desk.admin_site.each_context(request),
        "opts": desk.opts,
        "title": _("Export questions"),
        "form": form,
        "with_words": with_words,
        "most": MOST_ROWS,
    }
    return render(request, "admin/querylog/turn/export.html", context)


def _filtered(desk: TurnAdmin, request: HttpRequest) -> TurnQuerySet:
    """The list that the filters of the address leave, as the list itself would read them."""
    chosen = request.GET.copy()
    for name in ("p", "o"):
        chosen.pop(name, None)
    request.GET = QueryDict(chosen.urlencode())  # type: ignore[assignment]
    listed = desk.get_changelist_instance(request)
    turns: TurnQuerySet = listed.get_queryset(request).select_related("feedback")
    return turns


def _file(turns: list[Turn], kind: str, *, with_words: bool) -> HttpResponse:
    is_csv = kind == "csv"
    body = as_csv(turns, with_words=with_words) if is_csv else as_xlsx(turns, with_words=with_words)
    response = HttpResponse(body, content_type="text/csv; charset=utf-8" if is_csv else _XLSX)
    response["Content-Disposition"] = f'attachment; filename="questions.{"csv" if is_csv else "xlsx"}"'
    return response


def looked_view(desk: TurnAdmin, request: HttpRequest, pk: int) -> HttpResponse:
    """Note that somebody has looked at what the reader said about this answer."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    if not desk.has_view_permission(request) or not request.user.has_perm("querylog.change_answerfeedback"):
        raise PermissionDenied
    turn = get_object_or_404(Turn.objects.select_related("feedback"), pk=pk)
    feedback = getattr(turn, "feedback", None)
    rows = [*([feedback] if feedback else []), *turn.sentence_reports.all()]
    if not rows:
        raise Http404
    if feedback_look(rows=rows, editor=author_of(request)):
        messages.success(request, _("Noted: colleagues see that you have looked at it."))
    return redirect("admin:querylog_turn_change", pk)
