"""The settings of answers in the back office: drafts, what is in force, the history, and the way back."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from unfold.decorators import display

from apps.answering.caching import hit_days
from apps.answering.language_models import model_names
from apps.answering.models import AnswerSettings
from apps.answering.settings_fields import GROUPS, changed_count, changes_between
from apps.answering.settings_form import AnswerSettingsForm
from apps.answering.settings_pages import activate_view, copy_view, rollback_view, version_page
from apps.core.admin import DeskAdmin, StateColours


@admin.register(AnswerSettings)
class AnswerSettingsAdmin(DeskAdmin):
    """Drafts are forms; what was activated is a page."""

    form = AnswerSettingsForm
    list_display = ("shown_name", "shown_state", "title", "comment", "author_name", "activated_at", "shown_changes")
    list_display_links = ("shown_name",)
    search_fields = ("title", "comment", "author_name")
    search_help_text = gettext_lazy("Search in title, reason and author")
    list_per_page = 20
    list_before_template = "admin/answering/settings/_list.html"
    change_form_before_template = "admin/answering/settings/_draft.html"
    fieldsets = (
        (None, {"fields": ("title", "seen")}),
        *((group.title, {"fields": group.names, "description": group.said}) for group in GROUPS),
    )

    def get_urls(self) -> list[URLPattern]:
        def at(route: str, view: Any, name: str) -> URLPattern:
            def bound(request: HttpRequest, **arguments: Any) -> HttpResponse:
                response: HttpResponse = view(self, request, **arguments)
                return response

            return path(route, self.admin_site.admin_view(bound), name=f"answering_answersettings_{name}")

        return [
            at("<int:key>/activate/", activate_view, "activate"),
            at("<int:key>/copy/", copy_view, "copy"),
            at("rollback/<int:number>/", rollback_view, "rollback"),
            *super().get_urls(),
        ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[AnswerSettings]:
        later = AnswerSettings.objects.filter(number__gt=OuterRef("number"))
        return super().get_queryset(request).annotate(is_replaced=Exists(later))

    def has_change_permission(self, request: HttpRequest, obj: AnswerSettings | None = None) -> bool:
        """What was activated is never changed again."""
        return (obj is None or obj.is_draft) and bool(super().has_change_permission(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: AnswerSettings | None = None) -> bool:
        return (obj is None or obj.is_draft) and bool(super().has_delete_permission(request, obj))

    def get_actions(self, request: HttpRequest) -> Any:
        """No action over many rows: one of them may be in force."""
        return {}

    def save_model(self, request: HttpRequest, obj: AnswerSettings, form: Any, change: bool) -> None:
        if not change:
            obj.author, obj.author_name = request.user, request.user.get_username()[:150]  # type: ignore[assignment]
        super().save_model(request, obj, form, change)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        context = {
            "title": _("Settings of answers"),
            "live": AnswerSettings.objects.in_force(),
            "days": hit_days() if request.user.has_perm("answering.view_cacheday") else None,
            "models": [str(name) for name in model_names().values()],
            "may_add": self.has_add_permission(request),
            "may_activate": may_activate(request),
            **(extra_context or {}),
        }
        response: HttpResponse = super().changelist_view(request, context)
        return response

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row is not None and not row.is_draft:
            if request.method == "POST":
                messages.warning(request, _("Nothing was saved: meanwhile somebody has put this draft in force."))
            return version_page(self, request, row)
        live = AnswerSettings.objects.in_force()
        context = {
            "live": live,
            "changes": changes_between(live, row),
            "from_shipped": changes_between(None, row) if live else None,
            "may_activate": may_activate(request) and row is not None,
            **(extra_context or {}),
        }
        try:
            with transaction.atomic():
                if request.method == "POST" and row is not None:
                    # Who saves at the same moment waits, and then sees what the other has written.
                    AnswerSettings.objects.select_for_update().filter(pk=row.pk).first()
                response: HttpResponse = super().change_view(request, object_id, form_url, context)
        except IntegrityError:
            # Between our look and the write: the database refuses to change what is in force.
            messages.warning(request, _("Nothing was saved: meanwhile somebody has put this draft in force."))
            return redirect(request.path)
        return response

    @display(description=gettext_lazy("version"), ordering="number")
    def shown_name(self, row: AnswerSettings) -> str:
        return str(row.number) if not row.is_draft else _("draft")

    @display(
        description=gettext_lazy("state"),
        label=StateColours(live="success", draft="info", past="default"),
    )
    def shown_state(self, row: Any) -> tuple[str, str]:
        if row.is_draft:
            return "draft", _("draft")
        return ("past", _("replaced")) if row.is_replaced else ("live", _("in force"))

    @display(description=gettext_lazy("against what is shipped"))
    def shown_changes(self, row: AnswerSettings) -> str:
        count = changed_count(row)
        return ngettext("%(count)s change", "%(count)s changes", count) % {"count": count}


def may_activate(request: HttpRequest) -> bool:
    """Writing a draft is one right, putting it in force another."""
    return bool(request.user.has_perm("answering.activate_answersettings"))
