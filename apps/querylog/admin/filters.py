"""Filters of the log's lists."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.querylog.models import Turn
from apps.rag.aspects import LOW_COVERAGE

# Five bands of equal width; the last one holds its upper end.
_BANDS: Final = {
    "0": (0.0, 0.2, _("under 20 %")),
    "1": (0.2, 0.4, _("20 to 40 %")),
    "2": (0.4, 0.6, _("40 to 60 %")),
    "3": (0.6, 0.8, _("60 to 80 %")),
    "4": (0.8, 1.1, _("80 % and more")),
}


class ConfidenceBand(admin.SimpleListFilter):
    """How likely the answer was right, in fifths."""

    title = _("confidence")
    parameter_name = "band"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(key, label) for key, (_from, _to, label) in _BANDS.items()]

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Turn]:
        band = _BANDS.get(self.value() or "")
        found: QuerySet[Turn] = queryset.filter(confidence__gte=band[0], confidence__lt=band[1]) if band else queryset
        return found


class LowCoverage(admin.SimpleListFilter):
    """Whether the passages left a good part of the question open."""

    title = _("aspects missing")
    parameter_name = "open"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("Yes"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Turn]:
        found: QuerySet[Turn] = queryset.filter(coverage__lt=LOW_COVERAGE) if self.value() == "yes" else queryset
        return found


class HandedOver(admin.SimpleListFilter):
    """What readers have handed to the desk, by what has become of it."""

    title = _("handed to the desk")
    parameter_name = "handed"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("Yes")), ("waiting", _("nobody has taken it")), ("no", _("No"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Turn]:
        found: QuerySet[Turn] = queryset
        if self.value() == "yes":
            found = queryset.filter(handed_over_at__isnull=False)
        elif self.value() == "waiting":
            found = queryset.filter(handover__state="open")
        elif self.value() == "no":
            found = queryset.filter(handed_over_at__isnull=True)
        return found
