"""The one door to what readers have said to the desk: hidden until somebody says why they read, then noted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from django.http import HttpRequest, HttpResponse

from apps.core.admin import DeskAdmin
from apps.querylog.access import Reading, access_note, reading_of
from apps.querylog.models import AccessEntry

if TYPE_CHECKING:
    _Base = DeskAdmin
else:
    _Base = object


class WordsAdmin(_Base):
    """Mixed into an admin class: ``words`` are its columns and fields that show what readers wrote."""

    words_permission: ClassVar[str]
    words: ClassVar[tuple[str, ...]]
    list_before_template = "admin/querylog/_words.html"
    change_form_outer_before_template = "admin/querylog/_words.html"

    def reading(self, request: HttpRequest) -> Reading:
        return reading_of(request, self.words_permission)

    def get_list_display(self, request: HttpRequest) -> Any:
        return self._readable(request, super().get_list_display(request))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        found = super().get_fieldsets(request, obj)
        return [(name, {**told, "fields": self._readable(request, told["fields"])}) for name, told in found]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the list; where it shows words, the access log gets a line that says which."""
        reading = self.reading(request)
        response: HttpResponse = super().changelist_view(request, {"reading": reading, **(extra_context or {})})
        listed = getattr(response, "context_data", {}).get("cl")
        if reading.is_open and listed is not None:
            self._note(request, AccessEntry.What.LIST, reading, listed.result_list)
        return response

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one; the same holds for its page."""
        reading = self.reading(request)
        response: HttpResponse = super().changeform_view(
            request, object_id, form_url, {"reading": reading, **(extra_context or {})}
        )
        shown = getattr(response, "context_data", {}).get("original")
        if reading.is_open and shown is not None:
            self._note(request, AccessEntry.What.TURN, reading, [shown])
        return response

    def _readable(self, request: HttpRequest, names: Iterable[Any]) -> tuple[Any, ...]:
        is_open = self.reading(request).is_open
        return tuple(name for name in names if is_open or name not in self.words)

    def _note(self, request: HttpRequest, what: AccessEntry.What, reading: Reading, rows: Iterable[Any]) -> None:
        turns = [row.turn.uuid for row in rows if hasattr(row, "turn_id")]
        others = sum(not hasattr(row, "turn_id") for row in rows)
        access_note(request=request, what=what, turns=turns, reason=reading.reason, others=others)
