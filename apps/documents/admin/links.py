"""The desk's list of articles to read on, and whether they are still there."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy, ngettext
from unfold.decorators import action, display

from apps.core.admin import DeskAdmin, StateColours
from apps.documents.link_form import CuratedLinkForm
from apps.documents.models import CuratedLink
from apps.documents.reasons import explain
from apps.documents.services.links import link_forget_check
from apps.documents.tasks import link_check


@admin.register(CuratedLink)
class CuratedLinkAdmin(DeskAdmin):
    """Articles that the desk recommends to read on."""

    form = CuratedLinkForm
    list_display = ("title", "address", "shown_state", "checked_at", "valid_from", "valid_until")
    list_filter = ("state", "parties")
    search_fields = ("title", "address", "teaser")
    filter_horizontal = ("parties",)
    readonly_fields = ("shown_state", "checked_at", "shown_reason")
    actions = ("check_now",)
    fieldsets = (
        (gettext_lazy("Readers see…"), {"fields": ("title", "address", "teaser", "picture")}),
        (gettext_lazy("…when a question is about"), {"fields": ("parties",)}),
        (gettext_lazy("Limits"), {"fields": ("valid_from", "valid_until")}),
        (gettext_lazy("Is it still there?"), {"fields": ("shown_state", "checked_at", "shown_reason")}),
    )

    @display(
        description=gettext_lazy("state"),
        ordering="state",
        label=StateColours(alive="success", unknown="info", dead="danger"),
    )
    def shown_state(self, link: CuratedLink) -> tuple[str, str]:
        return link.state, link.get_state_display()

    @display(description=gettext_lazy("reason"))
    def shown_reason(self, link: CuratedLink) -> str:
        return explain(link.reason_code, link.reason) or "–"

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:
        dead = CuratedLink.objects.filter(state=CuratedLink.State.DEAD).count() if request.method == "GET" else 0
        if dead:
            said = ngettext(
                "%(count)s link is dead, and readers do not see it. Correct its address, or delete it.",
                "%(count)s links are dead, and readers do not see them. Correct their addresses, or delete them.",
                dead,
            )
            messages.warning(request, said % {"count": dead})
        return super().changelist_view(request, extra_context)

    @action(description=gettext_lazy("Check now"), permissions=["change"])
    def check_now(self, request: HttpRequest, queryset: QuerySet[CuratedLink]) -> None:
        for link in queryset:
            link_check.delay_on_commit(link.pk)
        count = queryset.count()
        said = ngettext("%(count)s link is being checked.", "%(count)s links are being checked.", count)
        messages.success(request, said % {"count": count})

    def save_model(self, request: HttpRequest, obj: CuratedLink, form: ModelForm[Any], change: bool) -> None:
        if change and "address" in form.changed_data:
            link_forget_check(link=obj)
        before = CuratedLink.objects.filter(pk=obj.pk).values_list("picture", flat=True).first() if change else ""
        super().save_model(request, obj, form, change)
        if before and before != obj.picture.name:
            _forget_pictures([before])
        if not change or "address" in form.changed_data:
            link_check.delay_on_commit(obj.pk)

    def delete_model(self, request: HttpRequest, obj: CuratedLink) -> None:
        super().delete_model(request, obj)
        _forget_pictures([obj.picture.name or ""])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[CuratedLink]) -> None:
        names = list(queryset.values_list("picture", flat=True))
        super().delete_queryset(request, queryset)
        _forget_pictures(names)


def _forget_pictures(names: list[str]) -> None:
    """Delete files that no link shows any more, once that is certain."""
    storage = CuratedLink._meta.get_field("picture").storage  # type: ignore[union-attr]

    def forget() -> None:
        for name in names:
            if name and not CuratedLink.objects.filter(picture=name).exists():
                storage.delete(name)

    transaction.on_commit(forget, robust=True)
