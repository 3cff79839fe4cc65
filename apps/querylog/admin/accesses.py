"""Who has read readers' words: a list for those who watch over that, changed by nobody."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.core.admin import ReadOnlyAdmin
from apps.querylog.admin.paging import BoundedPaginator
from apps.querylog.models import AccessEntry


@admin.register(AccessEntry)
class AccessEntryAdmin(ReadOnlyAdmin):
    """When, who, what, and why; newest first."""

    list_display = ("created_at", "name", "what", "count", "reason")
    list_filter = ("what", "name")
    fields = ("created_at", "name", "what", "count", "reason", "turns")
    ordering = ("-created_at",)
    paginator = BoundedPaginator
    actions = None

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """It is forgotten after a year, and not before."""
        return False
