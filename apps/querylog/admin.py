"""The log as the desk sees it: read only, words only for those who may read them."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.core.admin import ReadOnlyAdmin
from apps.querylog.models import Turn
from apps.querylog.rule_words import rule_words

# Hold the reader's words, or name the words of the question that were found.
_WORDS = {"question_words", "answer_words", "signals_text"}
_STORED_WORDS = ("question", "query", "rewriting", "shown", "signals", "rule")


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    """Questions with outcome and trace."""

    list_display = ("created_at", "question_words", "decision", "outcome", "rule_uid", "state", "language")
    list_filter = ("outcome", "decision", "state", "language", "created_at")
    date_hierarchy = "created_at"
    ordering = ("-created_at",)
    fields = (
        "created_at",
        "finished_at",
        "question_words",
        "state",
        "decision",
        "outcome",
        "rule_text",
        "answer_words",
        "passages_text",
        "signals_text",
        "timings_text",
    )

    def get_list_display(self, request: HttpRequest) -> Any:
        return [name for name in self.list_display if name != "question_words" or self._may_read(request)]

    def get_fields(self, request: HttpRequest, obj: Turn | None = None) -> Any:
        if self._may_read(request):
            return ["rule_with_words" if name == "rule_text" else name for name in self.fields or ()]
        return [name for name in self.fields or () if name not in _WORDS]

    def get_readonly_fields(self, request: HttpRequest, obj: Turn | None = None) -> Any:
        return self.get_fields(request, obj)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """A filter in the address tells words by what it leaves: letter by letter, whatever the list shows."""
        if lookup.split("__")[0] in _STORED_WORDS and not self._may_read(request):
            return False
        return bool(super().lookup_allowed(lookup, value, request))

    @staticmethod
    def _may_read(request: HttpRequest) -> bool:
        return request.user.has_perm("querylog.view_question")

    @admin.display(description=_("question"))
    def question_words(self, turn: Turn) -> str:
        return turn.question

    @admin.display(description=_("shown"))
    def answer_words(self, turn: Turn) -> str:
        return "\n".join(item.get("text") or item.get("code", "") for item in turn.shown)

    @admin.display(description=_("rule"))
    def rule_text(self, turn: Turn) -> str:
        return "\n".join(rule_words(turn.rule, turn.versions.get("release", 0), with_words=False))

    @admin.display(description=_("rule"))
    def rule_with_words(self, turn: Turn) -> str:
        return "\n".join(rule_words(turn.rule, turn.versions.get("release", 0), with_words=True))

    @admin.display(description=_("passages"))
    def passages_text(self, turn: Turn) -> str:
        return json.dumps(turn.passages, ensure_ascii=False, indent=1)

    @admin.display(description=_("signals"))
    def signals_text(self, turn: Turn) -> str:
        return json.dumps(turn.signals, ensure_ascii=False, indent=1)

    @admin.display(description=_("timings in milliseconds"))
    def timings_text(self, turn: Turn) -> str:
        return json.dumps(turn.timings, ensure_ascii=False)
