"""The desk's side of the question builder: buttons, templates, and what a combination becomes."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import action

from apps.chat.builder import choices_of, composed, problem_text, unsourced_among, unsourced_text
from apps.chat.models import (
    BuilderPair,
    BuilderQuery,
    BuilderTemplate,
    Facet,
    GuideSection,
    SharedAnswer,
    Suggestion,
    check_placeholders,
)
from apps.chat.tasks import builder_pairs_check
from apps.core.admin import DeskAdmin, DeskTabularInline, ReadOnlyAdmin

_LIMITS = (gettext_lazy("Limits"), {"fields": ("is_active", "order", "valid_from", "valid_until")})


@admin.register(Facet)
class FacetAdmin(DeskAdmin):
    """The buttons."""

    list_display = ("label", "kind", "slug", "is_active", "order", "valid_from", "valid_until")
    list_filter = ("kind", "is_active")
    search_fields = ("label", "label_en", "slug")
    autocomplete_fields = ("party",)
    fieldsets = (
        (gettext_lazy("Readers see…"), {"fields": ("kind", "party", "label", "label_en")}),
        (gettext_lazy("In the question"), {"fields": ("phrase", "phrase_en")}),
        (gettext_lazy("For rules"), {"fields": ("slug",)}),
        _LIMITS,
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Facet | None = None) -> tuple[str, ...]:
        # Rules and stored questions know the choice by it.
        return ("slug",) if obj else ()

    def get_prepopulated_fields(self, request: HttpRequest, obj: Facet | None = None) -> dict[str, Any]:
        return {} if obj else {"slug": ("label",)}


class QueryFormSet(BaseInlineFormSet):  # type: ignore[type-arg]
    """Checks the placeholders against the template as it is being saved."""

    def clean(self) -> None:
        super().clean()
        for form in self.forms:
            if not form.is_valid() or form.cleaned_data.get("DELETE") or not form.has_changed():
                continue
            for name in ("text", "text_en"):
                try:
                    check_placeholders(form.cleaned_data.get(name, ""), self.instance.takes, field=name)
                except ValidationError as error:
                    form.add_error(None, error)


class QueryInline(DeskTabularInline):
    model = BuilderQuery
    formset = QueryFormSet
    fields = ("text", "text_en", "order")


@admin.register(BuilderTemplate)
class BuilderTemplateAdmin(DeskAdmin):
    """What combinations become."""

    list_display = ("name", "question", "roles", "topics", "parties", "is_active", "order")
    list_filter = ("is_active", "roles", "topics", "parties")
    search_fields = ("name", "question")
    autocomplete_fields = ("only",)
    inlines: ClassVar = [QueryInline]
    fieldsets = (
        (gettext_lazy("When readers choose…"), {"fields": ("name", "roles", "topics", "parties", "only")}),
        (gettext_lazy("…the question is"), {"fields": ("question", "question_en")}),
        _LIMITS,
    )
    actions_list: ClassVar = ["preview"]

    @action(description=gettext_lazy("Try combinations"), url_path="preview", permissions=["view"])
    def preview(self, request: HttpRequest) -> HttpResponse:
        return redirect("admin:chat_builder_preview")

    def get_urls(self) -> list[URLPattern]:
        own = path("try/", self.admin_site.admin_view(self.preview_page), name="chat_builder_preview")
        return [own, *super().get_urls()]

    def preview_page(self, request: HttpRequest) -> HttpResponse:
        """Show what a combination becomes in both languages, with the queries behind it. Nothing is stored."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        form = PreviewForm(request.GET or None)
        slugs = form.cleaned_data["choice"] if form.is_valid() else []
        context = {
            **self.admin_site.each_context(request),
            "title": _("Try combinations"),
            "opts": self.opts,
            "form": form,
            "results": [_result(slugs, language) for language in ("de", "en")] if slugs else [],
        }
        return render(request, "admin/chat/builder_preview.html", context)


class PreviewForm(forms.Form):
    """Which buttons to press."""

    choice = forms.MultipleChoiceField(label=gettext_lazy("buttons"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        facets = Facet.objects.all()
        groups = {label: [(f.slug, f.label) for f in facets if f.kind == kind] for kind, label in Facet.Kind.choices}
        self.fields["choice"].choices = [(label, rows) for label, rows in groups.items() if rows]  # type: ignore[attr-defined]


def _result(slugs: list[str], language: str) -> dict[str, Any]:
    choices = choices_of(slugs, language)
    becomes = composed(choices, language)
    missing = [unsourced_text(topic, other) for topic, other in unsourced_among(choices)]
    return {
        "language": language,
        "composed": becomes,
        "problem": problem_text(becomes.problem) if becomes.problem else "",
        "unsourced": missing,
    }


@admin.register(BuilderPair)
class BuilderPairAdmin(ReadOnlyAdmin):
    """Which pairs have an answer in the sources; a nightly task asks them."""

    list_display = ("topic", "other", "is_sourced", "checked_at")
    list_filter = ("is_sourced", "topic")
    list_select_related = ("topic", "other")
    actions_list: ClassVar = ["check_now"]

    @action(description=gettext_lazy("Check all now"), url_path="check", permissions=["check"])
    def check_now(self, request: HttpRequest) -> HttpResponse:
        builder_pairs_check.delay_on_commit()
        messages.success(
            request, _("All combinations are being asked. This takes some minutes; the list changes then.")
        )
        return redirect("admin:chat_builderpair_changelist")

    def has_check_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("chat.change_facet"))


@admin.register(GuideSection)
class GuideSectionAdmin(DeskAdmin):
    """The page "How it works"."""

    list_display = ("title", "slug", "adds", "is_active", "order")
    list_filter = ("is_active",)
    search_fields = ("title", "title_en", "text", "text_en")
    fieldsets = (
        (gettext_lazy("Readers see…"), {"fields": ("title", "text", "adds")}),
        (gettext_lazy("…in English"), {"fields": ("title_en", "text_en")}),
        (gettext_lazy("Limits"), {"fields": ("slug", "is_active", "order")}),
    )

    def view_on_site(self, section: GuideSection) -> str:
        return f"{reverse('chat:how-it-works')}#{section.slug}"


@admin.register(Suggestion)
class SuggestionAdmin(DeskAdmin):
    """What readers may begin with."""

    list_display = ("question", "question_en", "is_active", "order", "valid_from", "valid_until")
    list_filter = ("is_active",)
    search_fields = ("question", "question_en")
    fieldsets = ((gettext_lazy("Readers see…"), {"fields": ("question", "question_en")}), _LIMITS)


@admin.register(SharedAnswer)
class SharedAnswerAdmin(ReadOnlyAdmin):
    """How much is shared: no words and no links. Only who has shared an answer takes it back."""

    list_display = ("created_at", "language", "sentences", "sources")
    list_display_links = None
    list_filter = ("language",)
    date_hierarchy = "created_at"
    fields = list_display
    readonly_fields = list_display

    @admin.display(description=gettext_lazy("sentences"))
    def sentences(self, shared: SharedAnswer) -> int:
        return sum(item["type"] == "sentence" for item in shared.shown)

    @admin.display(description=gettext_lazy("sources"))
    def sources(self, shared: SharedAnswer) -> int:
        cited = (citation for item in shared.shown for citation in item.get("citations", ()))
        return len({citation["source"]["uuid"] for citation in cited})

    def has_delete_permission(self, request: HttpRequest, obj: SharedAnswer | None = None) -> bool:
        return False
