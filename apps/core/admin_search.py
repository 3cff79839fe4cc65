"""The search behind fields of the back office that complete what is typed."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import path


class FieldSearch(AutocompleteJsonView):
    """Django's search, without relations that lead backwards: no form has them, and it would break on them."""

    def process_request(self, request: HttpRequest) -> Any:
        """Return what is to be searched. PermissionDenied where no form has such a field."""
        found = super().process_request(request)
        if not found[2].concrete:
            raise PermissionDenied
        return found


urlpatterns = [path("", admin.site.admin_view(FieldSearch.as_view(admin_site=admin.site)))]
