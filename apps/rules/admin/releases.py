"""Releases: the review of what would change, publishing, the history, and the way back."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import display

from apps.core.admin import ReadOnlyAdmin
from apps.rules.admin.release_pages import release_page, review_view, rollback_view
from apps.rules.models import Release
from apps.rules.release_reads import change_counts


@admin.register(Release)
class ReleaseAdmin(ReadOnlyAdmin):
    """What readers got when. Rows are only written by publishing."""

    list_display = ("shown_number", "created_at", "author_name", "comment", "rule_count", "shown_changes")
    list_display_links = ("shown_number",)
    list_filter = ("kind",)
    search_fields = ("comment", "author_name")
    search_help_text = gettext_lazy("Search in comment and author")
    list_per_page = 20
    list_before_template = "admin/rules/release/_before.html"

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Who may look at rules may look at what was made of them."""
        return bool(request.user.has_perm("rules.view_rule") or request.user.has_perm("rules.view_release"))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_urls(self) -> list[URLPattern]:
        def at(route: str, view: Any, name: str) -> URLPattern:
            def bound(request: HttpRequest, **arguments: Any) -> HttpResponse:
                response: HttpResponse = view(self, request, **arguments)
                return response

            return path(route, self.admin_site.admin_view(bound), name=f"rules_release_{name}")

        return [
            at("review/", review_view, "review"),
            at("<int:number>/rollback/", rollback_view, "rollback"),
            *super().get_urls(),
        ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Release]:
        return super().get_queryset(request).defer("names").annotate(rules_counted=Count("entries"))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        may_publish = request.user.has_perm("rules.publish_rule")
        context = {"title": _("Releases"), "may_publish": may_publish, **(extra_context or {})}
        response: HttpResponse = super().changelist_view(request, context)
        changelist = getattr(response, "context_data", {}).get("cl")
        if changelist is not None:
            counts = change_counts(changelist.result_list)
            for release in changelist.result_list:
                release.counts = counts[release.number]
        return response

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return release_page(self, request, object_id)

    @display(description=gettext_lazy("release"), ordering="number")
    def shown_number(self, release: Release) -> str:
        return format_html("{} · {}", release.number, release.get_kind_display())

    @display(description=gettext_lazy("rules"), ordering="rules_counted")
    def rule_count(self, release: Any) -> int:
        return int(release.rules_counted)

    @display(description=gettext_lazy("against the one before"))
    def shown_changes(self, release: Any) -> str:
        return release.counts.sentence()
