"""Filters of the log's lists."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.core import ports
from apps.documents.models import Party
from apps.querylog.counting import berlin_span, berlin_today
from apps.querylog.models import AnswerFeedback, Turn
from apps.rag.aspects import LOW_COVERAGE
from apps.rules.models import Rule

# Five bands of equal width; the last one holds its upper end.
_BANDS: Final = {
    "0": (0.0, 0.2, _("under 20 %")),
    "1": (0.2, 0.4, _("20 to 40 %")),
    "2": (0.4, 0.6, _("40 to 60 %")),
    "3": (0.6, 0.8, _("60 to 80 %")),
    "4": (0.8, 1.1, _("80 % and more")),
}
_USUAL_DAYS: Final = "7"
_PERIODS: Final = {
    "1": _("today"),
    "2": _("since yesterday"),
    _USUAL_DAYS: _("the last 7 days"),
    "28": _("the last 28 days"),
    "all": _("all that are kept"),
}
_MOST_RULES: Final = 300


class Period(admin.SimpleListFilter):
    """From which day on, in whole Berlin days. Never without one: the list reads no more than it shows."""

    title = _("period")
    parameter_name = "days"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return list(_PERIODS.items())

    def value(self) -> str:
        chosen = super().value()
        return chosen if chosen in _PERIODS else _USUAL_DAYS

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Name the periods, without "all" in front: none is chosen by leaving it away."""
        for key, label in self.lookup_choices:
            yield {
                "selected": self.value() == key,
                "query_string": changelist.get_query_string({self.parameter_name: key}),
                "display": label,
            }

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Turn]:
        found: QuerySet[Turn] = queryset
        days = self.value()
        if days != "all":
            first = berlin_today() - timedelta(days=int(days) - 1)
            found = queryset.filter(created_at__gte=berlin_span(first)[0])
        return found


class NamedParty(admin.SimpleListFilter):
    """Which party the question names, by any of its names."""

    title = _("party")
    parameter_name = "party"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        parties = Party.objects.order_by("order", "slug").values_list("slug", "short_name")
        return [("any", _("any party")), ("none", _("no party")), *parties]

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Turn]:
        found: QuerySet[Turn] = queryset
        slug = self.value()
        if slug == "none":
            found = queryset.filter(parties=[])
        elif slug == "any":
            found = queryset.exclude(parties=[])
        elif slug:
            found = queryset.filter(parties__contains=[slug])
        return found


class WinningRule(admin.SimpleListFilter):
    """Which rule answered."""

    title = _("rule")
    parameter_name = "winner"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        rules = Rule.objects.order_by("title").values_list("uid", "title")[:_MOST_RULES]
        return [("any", _("any rule")), ("none", _("no rule")), *rules]

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Turn]:
        found: QuerySet[Turn] = queryset
        uid = self.value()
        if uid == "none":
            found = queryset.filter(rule_uid="")
        elif uid == "any":
            found = queryset.exclude(rule_uid="")
        elif uid:
            found = queryset.filter(rule_uid=uid)
        return found


class OnTopic(admin.SimpleListFilter):
    """On which topic the question is."""

    title = _("topic")
    parameter_name = "topic"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return list(ports.topic_choices(request.user))

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Turn]:
        found: QuerySet[Turn] = queryset
        key = self.value()
        # Only what this person is offered: who may not see topics narrows nothing by them.
        if key and key in {str(choice) for choice, _name in self.lookup_choices}:
            found = queryset.filter(pk__in=ports.turns_on_topic(key))
        return found


class Feedback(admin.SimpleListFilter):
    """What its reader said about the answer."""

    title = _("feedback")
    parameter_name = "said"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            *AnswerFeedback.Verdict.choices,
            *((f"reason-{value}", label) for value, label in AnswerFeedback.Reason.choices),
            ("comment", _("with a comment")),
            ("sentence", _("a sentence was reported")),
            ("any", _("any feedback")),
            ("none", _("no feedback")),
        ]

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Turn]:
        found: QuerySet[Turn] = queryset
        said = self.value() or ""
        if said in AnswerFeedback.Verdict.values:
            found = queryset.filter(feedback__verdict=said)
        elif said.startswith("reason-"):
            found = queryset.filter(feedback__reasons__contains=[said.removeprefix("reason-")])
        elif said == "comment":
            found = queryset.filter(feedback__isnull=False).exclude(feedback__comment="")
        elif said == "sentence":
            found = queryset.filter(sentence_reports__isnull=False).distinct()
        elif said in {"any", "none"}:
            found = queryset.filter(feedback__isnull=said == "none")
        return found


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
