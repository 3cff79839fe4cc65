"""Parties, collections and feeds."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.postgres.fields import ArrayField
from django.db.models import Count, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from unfold.decorators import action, display
from unfold.widgets import UnfoldAdminColorInputWidget, UnfoldAdminTextInputWidget

from apps.core.admin import DeskAdmin, StateColours
from apps.documents.models import Collection, Feed, Party
from apps.documents.services import document_reindex
from apps.documents.tasks import feed_fetch

# What changes the chunks of a collection's documents when it changes.
_CUTTING = {"chunking", "section_limit", "window", "overlap"}


@admin.register(Party)
class PartyAdmin(DeskAdmin):
    """Parties with all the names that readers use."""

    list_display = ("short_name", "name", "shown_aliases", "document_count", "order")
    search_fields = ("name", "short_name", "slug", "aliases")
    prepopulated_fields = {"slug": ("short_name",)}
    formfield_overrides = {**DeskAdmin.formfield_overrides, ArrayField: {"widget": UnfoldAdminTextInputWidget}}
    fieldsets = (
        (gettext_lazy("When readers speak of it…"), {"fields": ("name", "short_name", "aliases")}),
        (gettext_lazy("…it is shown like this"), {"fields": ("colour", "order", "slug")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Party]:
        return super().get_queryset(request).annotate(documents_counted=Count("documents"))

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "colour":
            kwargs["widget"] = UnfoldAdminColorInputWidget
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    @display(description=gettext_lazy("other names"))
    def shown_aliases(self, party: Party) -> str:
        return ", ".join(party.aliases[:4]) + ("…" if len(party.aliases) > 4 else "")

    @display(description=gettext_lazy("documents"), ordering="documents_counted")
    def document_count(self, party: Any) -> int:
        return int(party.documents_counted)


@admin.register(Collection)
class CollectionAdmin(DeskAdmin):
    """Shelves: who may see them, how their documents are cut, how they rank."""

    list_display = ("name", "shown_visibility", "document_count", "chunking", "recency_half_life_days")
    list_filter = ("visibility", "chunking")
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    fieldsets = (
        (gettext_lazy("What it is and who may see it"), {"fields": ("name", "slug", "visibility")}),
        (gettext_lazy("How its documents rank"), {"fields": ("lexical_weight", "recency_half_life_days")}),
        (
            gettext_lazy("How its documents are cut"),
            {
                "fields": ("chunking", "section_limit", "window", "overlap"),
                "description": gettext_lazy("After a change its documents are cut anew in the background."),
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Collection]:
        return super().get_queryset(request).annotate(documents_counted=Count("documents"))

    @display(
        description=gettext_lazy("visibility"),
        label=StateColours(public="success", desk="warning"),
        ordering="visibility",
    )
    def shown_visibility(self, collection: Collection) -> tuple[str, str]:
        return collection.visibility, str(collection.get_visibility_display()).split(":")[0]

    @display(description=gettext_lazy("documents"), ordering="documents_counted")
    def document_count(self, collection: Any) -> int:
        return int(collection.documents_counted)

    def save_model(self, request: HttpRequest, obj: Collection, form: ModelForm[Any], change: bool) -> None:
        super().save_model(request, obj, form, change)
        if change and _CUTTING & set(form.changed_data):
            documents = list(obj.documents.filter(current_version__isnull=False))
            for document in documents:
                document_reindex(document=document)
            if documents:
                count = len(documents)
                said = ngettext("%(count)s document is cut anew.", "%(count)s documents are cut anew.", count) % {
                    "count": count
                }
                messages.info(request, said)


@admin.register(Feed)
class FeedAdmin(DeskAdmin):
    """Addresses that bring new articles every night."""

    list_display = ("__str__", "collection", "kind", "shown_state", "fetched_at")
    list_filter = ("is_active", "collection", "kind")
    list_select_related = ("collection",)
    search_fields = ("title", "address", "publisher")
    readonly_fields = ("fetched_at", "error")
    actions = ("fetch_now",)
    fieldsets = (
        (gettext_lazy("Where it comes from"), {"fields": ("address", "title", "is_active")}),
        (
            gettext_lazy("What its articles are"),
            {"fields": ("collection", "kind", "publisher", "party", "language")},
        ),
        (gettext_lazy("State"), {"fields": ("fetched_at", "error")}),
    )

    @display(
        description=gettext_lazy("state"),
        label=StateColours(works="success", fails="danger", off="warning", new="info"),
    )
    def shown_state(self, feed: Feed) -> tuple[str, str]:
        if not feed.is_active:
            return "off", _("switched off")
        if feed.error:
            return "fails", feed.error
        return ("works", _("works")) if feed.fetched_at else ("new", _("not fetched yet"))

    @action(description=gettext_lazy("Fetch now"), permissions=["change"])
    def fetch_now(self, request: HttpRequest, queryset: QuerySet[Feed]) -> None:
        for feed in queryset:
            feed_fetch.delay_on_commit(feed.pk)
        count = queryset.count()
        said = ngettext("%(count)s feed is being fetched.", "%(count)s feeds are being fetched.", count)
        messages.success(request, said % {"count": count})
