"""The desk for one rule: the form, what belongs to it while it is filled in, and the list that tree.py draws."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.views.decorators.http import require_POST, require_safe

from apps.rules.admin.exchange import ExchangeMixin
from apps.rules.admin.form_page import checks_view, reading_view, rule_page
from apps.rules.admin.picking import pick_view
from apps.rules.admin.removing import remove_page
from apps.rules.admin.tree import TreeMixin
from apps.rules.models import Rule


@admin.register(Rule)
class RuleAdmin(TreeMixin, ExchangeMixin):
    """Rules: written here, published elsewhere."""

    def get_urls(self) -> list[URLPattern]:
        def at(route: str, view: Any, name: str) -> URLPattern:
            def bound(request: HttpRequest, **arguments: int) -> HttpResponse:
                response: HttpResponse = view(self, request, **arguments)
                return response

            guard = require_POST if name == "reading" else require_safe
            return path(route, self.admin_site.admin_view(guard(bound)), name=f"rules_rule_{name}")

        return [
            at("reading/", reading_view, "reading"),
            at("pick/", pick_view, "pick"),
            at("<int:object_id>/checks/", checks_view, "checks"),
            *super().get_urls(),
        ]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        return rule_page(self, request, None)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return rule_page(self, request, object_id)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        return remove_page(self, request, object_id)
