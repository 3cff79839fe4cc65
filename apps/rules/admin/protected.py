"""Protected terms: names that never stand for one another, the parties' shown beside them, and a field to try."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextInputWidget

from apps.core.admin import DeskAdmin
from apps.core.cleaning import clean_line
from apps.documents.models import Party
from apps.language.tokenising import RULE_CHARACTERS
from apps.rules.engine.protecting import NameFinder, protected_terms
from apps.rules.engine.reading import read
from apps.rules.loading import protected_names
from apps.rules.models import ProtectedTerm


@admin.register(ProtectedTerm)
class ProtectedTermAdmin(DeskAdmin):
    """The editors' list. A change counts from the next release on."""

    list_display = ("name", "kind", "shown_aliases", "note")
    list_filter = ("kind",)
    search_fields = ("name", "aliases", "note")
    search_help_text = gettext_lazy("Search in name, other spellings and note")
    list_before_template = "admin/rules/protectedterm/_before.html"
    formfield_overrides = {**DeskAdmin.formfield_overrides, ArrayField: {"widget": UnfoldAdminTextInputWidget}}
    fieldsets = (
        (gettext_lazy("When a phrase or a question names…"), {"fields": ("name", "aliases", "kind")}),
        (gettext_lazy("Note"), {"fields": ("note",)}),
    )

    def get_urls(self) -> list[URLPattern]:
        def try_names(request: HttpRequest) -> HttpResponse:
            return names_view(self, request)

        view = self.admin_site.admin_view(require_POST(try_names))
        return [path("try/", view, name="rules_protectedterm_try"), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        parties: QuerySet[Party] = Party.objects.order_by("order", "short_name")
        may_see = request.user.has_perm("documents.view_party")
        context = {"parties": parties, "may_see_parties": may_see, **(extra_context or {})}
        response: HttpResponse = super().changelist_view(request, context)
        return response

    @display(description=gettext_lazy("also called"))
    def shown_aliases(self, term: ProtectedTerm) -> str:
        return ", ".join(term.aliases) or "–"


def names_view(desk: ProtectedTermAdmin, request: HttpRequest) -> HttpResponse:
    """Say which protected terms a text holds. Nothing is stored, and the text stands in no address."""
    if not desk.has_view_permission(request):
        raise PermissionDenied
    text = clean_line(request.POST.get("text", ""), limit=RULE_CHARACTERS)
    tokens = read(text).tokens
    names = protected_names()
    labels = {name.key: name.aliases[0] for name in names if name.aliases}
    found = [_label(term, labels) for term in protected_terms(tokens, NameFinder(names))]
    context = {"text": text, "found": found}
    if request.headers.get("HX-Request"):
        return render(request, "admin/rules/protectedterm/_found.html", context)
    page = {**desk.admin_site.each_context(request), "opts": desk.opts, "title": _("Which names are recognised?")}
    return render(request, "admin/rules/protectedterm/try.html", {**page, **context})


def _label(term: str, labels: dict[str, str]) -> str:
    """Return a term as an editor knows it: names by their first spelling, several that share one with "or"."""
    return _(" or ").join(labels.get(key, key) for key in term.split("+"))
