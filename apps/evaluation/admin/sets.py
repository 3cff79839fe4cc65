"""The desk's question sets, and the questions of each."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy
from unfold.decorators import display

from apps.core import ports
from apps.core.admin import DeskAdmin
from apps.evaluation.admin.exchange import export_view, import_view, refresh_view
from apps.evaluation.forms import QuestionForm
from apps.evaluation.models import Question, QuestionSet
from apps.evaluation.shipping import free_slug
from apps.evaluation.words import kind_word, subkind_word


@admin.register(QuestionSet)
class QuestionSetAdmin(DeskAdmin):
    """All sets at a glance: how many questions of which kind, and when they were last asked."""

    list_display = ("name", "shown_count", "shown_kinds", "shown_languages", "origin", "shown_last_run")
    list_before_template = "admin/evaluation/set/_above_list.html"
    change_form_before_template = "admin/evaluation/set/_above_form.html"
    search_fields = ("name", "slug", "description")
    readonly_fields = ("slug", "origin", "created_at", "updated_at")
    fieldsets = (
        (gettext_lazy("What the set is to show"), {"fields": ("name", "description")}),
        (gettext_lazy("For commands"), {"fields": ("slug", "origin", "created_at", "updated_at")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[QuestionSet]:
        sets: QuerySet[QuestionSet] = super().get_queryset(request)
        return sets.counted()  # type: ignore[attr-defined,no-any-return]

    def get_urls(self) -> list[URLPattern]:
        def at(route: str, view: Any, name: str) -> URLPattern:
            def bound(request: HttpRequest, **arguments: int) -> Any:
                return view(self, request, **arguments)

            return path(route, self.admin_site.admin_view(bound), name=f"evaluation_questionset_{name}")

        return [
            at("import/", import_view, "import_new"),
            at("refresh/", refresh_view, "refresh"),
            at("<int:pk>/import/", import_view, "import"),
            at("<int:pk>/export/", export_view, "export"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        context = {"has_builder": ports.has_builder_questions(), **(extra_context or {})}
        return super().changelist_view(request, {**_rights(request), **context})

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> Any:
        return super().change_view(request, object_id, form_url, {**_rights(request), **(extra_context or {})})

    def save_model(self, request: HttpRequest, obj: QuestionSet, form: Any, change: bool) -> None:
        if not change:
            obj.slug = free_slug(obj.name)
        super().save_model(request, obj, form, change)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Count what goes with a set: a list of thousands would be no help."""
        return counted_deletion(super().get_deleted_objects(objs, request))

    @display(description=gettext_lazy("questions"))
    def shown_count(self, each: Any) -> int:
        return int(each.question_count)

    @display(description=gettext_lazy("kinds"))
    def shown_kinds(self, each: Any) -> str:
        return ", ".join(map(kind_word, each.kinds)) or "–"

    @display(description=gettext_lazy("languages"))
    def shown_languages(self, each: Any) -> str:
        return ", ".join(each.languages) or "–"

    @display(description=gettext_lazy("last asked"), ordering="last_run_at")
    def shown_last_run(self, each: Any) -> str:
        return date_format(localtime(each.last_run_at), "SHORT_DATETIME_FORMAT") if each.last_run_at else "–"


@admin.register(Question)
class QuestionAdmin(DeskAdmin):
    """The questions of a set, reached from its page."""

    form = QuestionForm
    list_display = ("text", "shown_key", "kind", "shown_subkind", "expected", "decision", "language")
    list_filter = ("question_set", "kind", "subkind", "expected", "language")
    search_fields = ("text", "key", "note")
    list_select_related = ("question_set",)
    ordering = ("question_set", "position", "key", "number")
    fieldsets = (
        (
            gettext_lazy("When a reader asks…"),
            {"fields": ("question_set", "text", "language", "kind", "subkind", "has_typo")},
        ),
        (
            gettext_lazy("…this is expected"),
            {"fields": ("expected", "references", "needs", "speaker", "forbidden", "legal_basis", "absent")},
        ),
        (
            gettext_lazy("In a conversation"),
            {
                "fields": (
                    *("key", "number", "decision", "allowed", "must", "forbidden_additions"),
                    *("offers", "items", "choices", "queries"),
                )
            },
        ),
        (gettext_lazy("Notes"), {"fields": ("topic", "party", "note")}),
    )

    def save_model(self, request: HttpRequest, obj: Question, form: Any, change: bool) -> None:
        if not change:
            last = Question.objects.filter(question_set=obj.question_set).order_by("-position").first()
            obj.position = last.position + 1 if last else 1
        super().save_model(request, obj, form, change)

    @display(description=gettext_lazy("key"), ordering="key")
    def shown_key(self, each: Question) -> str:
        return each.key if each.number == 1 else f"{each.key}/{each.number}"

    @display(description=gettext_lazy("more exactly"), ordering="subkind")
    def shown_subkind(self, each: Question) -> str:
        return subkind_word(each.subkind) or "–"


def counted_deletion(found: tuple[Any, Any, Any, Any]) -> tuple[Any, Any, Any, Any]:
    """Return what Django tells of a deletion without the names of everything that goes with it."""
    names, counts, needed, protected = found
    return names[:1], counts, needed, protected


def _rights(request: HttpRequest) -> dict[str, bool]:
    return {
        "may_run": request.user.has_perm("evaluation.add_evaluationrun"),
        "may_import": request.user.has_perm("evaluation.change_questionset"),
    }
