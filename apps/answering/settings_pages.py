"""The pages of versions: what one says, what going live or back would change, and doing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from apps.answering.models import AnswerSettings
from apps.answering.settings_fields import changes_between, state_of
from apps.answering.settings_services import (
    OvertakenError,
    SettingsRefusedError,
    settings_activate,
    settings_draft,
    settings_rollback,
)
from apps.core.cleaning import clean_line

if TYPE_CHECKING:
    from apps.answering.admin import AnswerSettingsAdmin

_LIST = "admin:answering_answersettings_changelist"
_LARGEST_KEY = 2**31 - 1


def version_page(desk: AnswerSettingsAdmin, request: HttpRequest, row: AnswerSettings) -> HttpResponse:
    """Show one activated version: who, when, why, and what it changed."""
    _require(desk.has_view_permission(request, row))
    before = AnswerSettings.objects.activated().filter(number__lt=row.number or 0).first()
    context = {
        "row": row,
        "before": before,
        "changes": changes_between(before, row),
        "from_shipped": changes_between(None, row) if before else None,
        "is_live": row == AnswerSettings.objects.in_force(),
        "title": _("Version %(number)s") % {"number": row.number},
        "may_add": desk.has_add_permission(request),
        "may_activate": _may_activate(request),
    }
    return render(request, "admin/answering/settings/version.html", _page(desk, request, context))


def activate_view(desk: AnswerSettingsAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """Show what a draft would change for readers, then ask why and put it in force."""
    _require(_may_activate(request))
    row = get_object_or_404(AnswerSettings, pk=_key(key), number__isnull=True)
    error = ""
    if request.method == "POST":
        try:
            made = settings_activate(
                draft_id=row.pk,
                author=_author(request),
                comment=request.POST.get("comment", ""),
                expected=_expected(request),
                seen=request.POST.get("seen"),
            )
        except SettingsRefusedError as refused:
            error = str(refused)
        else:
            return _in_force(request, made)
    live = AnswerSettings.objects.in_force()
    title = _("Put “%(title)s” in force") % {"title": row.title}
    return _review(desk, request, row, live, title=title, error=error)


def rollback_view(desk: AnswerSettingsAdmin, request: HttpRequest, number: int) -> HttpResponse:
    """Show what going back would change, then ask why and do it. Number 0 is what the product ships."""
    _require(_may_activate(request))
    row = get_object_or_404(AnswerSettings, number=_key(number)) if number else None
    live = AnswerSettings.objects.in_force()
    if live is None or live == row:
        messages.info(request, _("These settings are in force already."))
        return redirect(_LIST)
    error = ""
    if request.method == "POST":
        try:
            made = settings_rollback(
                number=number,
                author=_author(request),
                comment=request.POST.get("comment", ""),
                expected=_expected(request),
            )
        except SettingsRefusedError as refused:
            error = str(refused)
        else:
            return _in_force(request, made)
    title = _("Back to version %(number)s") % {"number": number} if row else _("Back to what is shipped")
    return _review(desk, request, row, live, title=title, error=error)


def copy_view(desk: AnswerSettingsAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """Begin a draft with what a version says."""
    _require(desk.has_add_permission(request))
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    row = get_object_or_404(AnswerSettings, pk=_key(key))
    made = settings_draft(author=_author(request), title=row.title, like=row)
    return redirect("admin:answering_answersettings_change", made.pk)


def _review(
    desk: AnswerSettingsAdmin,
    request: HttpRequest,
    row: AnswerSettings | None,
    live: AnswerSettings | None,
    *,
    title: str,
    error: str,
) -> HttpResponse:
    context = {
        "row": row,
        "live": live,
        "changes": changes_between(live, row),
        "seen": state_of(row) if row else "",
        "title": title,
        "comment": clean_line(request.POST.get("comment", ""), limit=300),
        "error": error,
    }
    return render(request, "admin/answering/settings/review.html", _page(desk, request, context))


def _in_force(request: HttpRequest, made: AnswerSettings) -> HttpResponse:
    said = _("Version %(number)s is in force. Every reader gets it within five seconds.")
    messages.success(request, said % {"number": made.number})
    return redirect(_LIST)


def _expected(request: HttpRequest) -> int:
    """The version that was in force when the page was made."""
    number = request.POST.get("live", "")
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise OvertakenError
    return int(number)


def _key(key: int) -> int:
    if key > _LARGEST_KEY:
        raise Http404
    return key


def _may_activate(request: HttpRequest) -> bool:
    return bool(request.user.has_perm("answering.activate_answersettings"))


def _author(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None


def _page(desk: AnswerSettingsAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    return {**desk.admin_site.each_context(request), "opts": desk.opts, **context}


def _require(is_allowed: bool) -> None:
    if not is_allowed:
        raise PermissionDenied
