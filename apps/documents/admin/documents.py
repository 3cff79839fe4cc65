"""The list of documents: what is readable, what is being read, what was rejected and why."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.postgres.fields import ArrayField
from django.db.models import Count, F, OuterRef, ProtectedError, QuerySet, RestrictedError, Subquery
from django.db.models.deletion import Collector
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe
from unfold.decorators import action, display
from unfold.widgets import UnfoldAdminTextInputWidget

from apps.core.admin import DeskAdmin
from apps.documents.admin.intake import (
    download_view,
    fetch_view,
    passages_view,
    progress_view,
    review_view,
    upload_view,
)
from apps.documents.indexing.reading import title_sort_key
from apps.documents.models import Chunk, Document, Page
from apps.documents.reasons import explain
from apps.documents.services import (
    ReceiptKind,
    RefusedError,
    document_refetch,
    document_reindex,
    documents_delete,
)

# Stand in every chunk's context, or decide how it is cut: a change means new chunks.
_SEARCHED = {"title", "collection", "language"}
# More addresses than this would keep an editor waiting too long in one request.
MOST_FETCHED = 5


def _counted(model: type[Chunk] | type[Page]) -> Subquery:
    """Count the rows of a document's current version without joining two lists."""
    rows = model.objects.filter(version=OuterRef("current_version")).order_by().values("version")
    return Subquery(rows.annotate(counted=Count("pk")).values("counted"))


class WaitsForEditor(admin.SimpleListFilter):
    """What an editor has to read: recognised text, and passages that give orders to a machine."""

    title = gettext_lazy("waits for an editor")
    parameter_name = "waits"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", gettext_lazy("Yes"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Document]:
        found: QuerySet[Document] = queryset.waiting_for_an_editor() if self.value() == "yes" else queryset
        return found


class IsSuperseded(admin.SimpleListFilter):
    """What a newer document replaces, and what is the newest."""

    title = gettext_lazy("superseded")
    parameter_name = "superseded"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", gettext_lazy("Yes")), ("no", gettext_lazy("No"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Document]:
        if self.value() not in ("yes", "no"):
            return cast("QuerySet[Document]", queryset)
        return cast("QuerySet[Document]", queryset.filter(superseded_by__isnull=self.value() == "no"))


@admin.register(Document)
class DocumentAdmin(DeskAdmin):
    """Everything the bot may read."""

    # No more than fit beside the menu at 1280 pixels.
    list_display = ("title", "kind", "party", "collection", "shown_status", "shown_size", "shown_change")
    list_filter = (WaitsForEditor, IsSuperseded, "status", "kind", "collection", "party", "language", "published")
    list_select_related = ("party", "collection")
    list_before_template = "admin/documents/document/_progress.html"
    change_form_outer_before_template = "admin/documents/document/_progress.html"
    search_fields = ("title", "publisher", "author", "address", "region")
    search_help_text = gettext_lazy("Search in title, publisher, author, address and region")
    actions = ("index_again", "fetch_again")
    actions_list = ("fetch_address",)
    actions_detail = ("open_review", "open_passages", "download_original")
    actions_submit_line = ("index_saved",)
    autocomplete_fields = ("superseded_by",)
    readonly_fields = ("shown_older", "shown_status", "shown_version", "shown_size", "uuid", "created_at", "updated_at")
    formfield_overrides = {**DeskAdmin.formfield_overrides, ArrayField: {"widget": UnfoldAdminTextInputWidget}}
    fieldsets = (
        (
            gettext_lazy("When readers see it as a source…"),
            {"fields": ("title", "kind", "party", "publisher", "author", "published", "address")},
        ),
        (
            gettext_lazy("…it counts for"),
            {"fields": ("aspects", "region", "language", "valid_from", "valid_until", "superseded_by", "shown_older")},
        ),
        (gettext_lazy("Where it stands"), {"fields": ("collection",)}),
        (
            gettext_lazy("State"),
            {"fields": ("shown_status", "shown_version", "shown_size", "created_at", "updated_at")},
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        return (
            super()
            .get_queryset(request)
            .with_passages_waiting()
            .annotate(
                version_number=F("current_version__number"),
                pages_counted=_counted(Page),
                chunks_counted=_counted(Chunk),
            )
        )

    def get_urls(self) -> list[URLPattern]:
        def at(route: str, view: Any, name: str) -> URLPattern:
            def bound(request: HttpRequest, **arguments: int) -> HttpResponse:
                response: HttpResponse = view(self, request, **arguments)
                return response

            guarded = require_safe(bound) if name in ("progress", "download") else bound
            return path(route, self.admin_site.admin_view(guarded), name=f"documents_document_{name}")

        return [
            at("fetch/", fetch_view, "fetch"),
            at("progress/", progress_view, "progress"),
            at("<int:document_id>/review/", review_view, "review"),
            at("<int:document_id>/passages/", passages_view, "passages"),
            at("<int:document_id>/versions/<int:number>/original/", download_view, "download"),
            *super().get_urls(),
        ]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """A document begins with a file: the add button leads to the upload page."""
        return upload_view(self, request)

    def get_actions_detail(self, request: HttpRequest, object_id: int) -> list[Any]:
        """Offer the review only where a text waits for one, and the passages only where some are suspicious."""
        offered: list[Any] = super().get_actions_detail(request, object_id)
        document = Document.objects.filter(pk=object_id).first() if str(object_id).isdecimal() else None
        missing = set()
        if document is None or document.status != Document.Status.REVIEW:
            missing.add("open_review")
        if document is None or not document.chunks.exclude(review=Chunk.Review.FREE).exists():
            missing.add("open_passages")
        return [one for one in offered if not any(one.action_name.endswith(f"_{name}") for name in missing)]

    # --- what a row says ---

    @display(description=gettext_lazy("status"), ordering="status")
    def shown_status(self, document: Document) -> str:
        return render_to_string("admin/documents/document/_status.html", {"document": document})

    @display(description=gettext_lazy("changed"), ordering="updated_at")
    def shown_change(self, document: Document) -> str:
        return date_format(localtime(document.updated_at), "SHORT_DATE_FORMAT")

    @display(description=gettext_lazy("version"), ordering="version_number")
    def shown_version(self, document: Any) -> int | str:
        return document.version_number or "–"

    @display(description=gettext_lazy("size"))
    def shown_size(self, document: Any) -> str:
        pages, chunks = document.pages_counted or 0, document.chunks_counted or 0
        parts = []
        if pages:
            parts.append(ngettext("%(count)s page", "%(count)s pages", pages) % {"count": pages})
        if chunks:
            parts.append(ngettext("%(count)s chunk", "%(count)s chunks", chunks) % {"count": chunks})
        return ", ".join(parts) or "–"

    @display(description=gettext_lazy("supersedes"))
    def shown_older(self, document: Document) -> str:
        return ", ".join(older.title for older in document.supersedes.all()) or "–"

    # --- saving and deleting ---

    def save_model(self, request: HttpRequest, obj: Document, form: ModelForm[Any], change: bool) -> None:
        changed = set(form.changed_data)
        obj.sort_key = title_sort_key(obj.title)
        obj.edited_fields = sorted({*obj.edited_fields, *changed})
        # Only the form's own fields: a worker may have moved the status since the form was read.
        obj.save(update_fields=[*form.cleaned_data, "sort_key", "edited_fields", "updated_at"])
        if changed & _SEARCHED and document_reindex(document=obj) is not None:
            messages.info(
                request, _("The document is indexed again in the background. Until then its old text counts.")
            )
        # What the skin's own save_model does after saving.
        for pressed in self.get_actions_submit_line(request, obj.pk):
            if pressed.action_name in request.POST:
                pressed.method(request, obj)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Name the documents, not their thousands of chunks, and what keeps them from being deleted."""
        documents = list(objs)
        protected: list[str] = []
        try:
            Collector(using="default").collect(documents)
        except (ProtectedError, RestrictedError) as error:
            kept = error.protected_objects if isinstance(error, ProtectedError) else error.restricted_objects
            protected = [str(other) for other in kept]
        counts = {str(Document._meta.verbose_name_plural): len(documents)}
        return [str(document) for document in documents], counts, set(), protected

    def delete_model(self, request: HttpRequest, obj: Document) -> None:
        documents_delete(documents=Document.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        documents_delete(documents=Document.objects.filter(pk__in=list(queryset.values_list("pk", flat=True))))

    # --- actions ---

    @action(description=gettext_lazy("Index again"), permissions=["change"])
    def index_again(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        count = sum(document_reindex(document=document) is not None for document in queryset)
        said = ngettext("%(count)s document is indexed again.", "%(count)s documents are indexed again.", count)
        messages.success(request, said % {"count": count})

    @action(description=gettext_lazy("Fetch the address again"), permissions=["change"])
    def fetch_again(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        documents = list(queryset.exclude(address="")[: MOST_FETCHED + 1])
        if not documents:
            messages.warning(request, _("None of these documents has an address."))
        for document in documents[:MOST_FETCHED]:
            try:
                kind = document_refetch(document=document)
            except RefusedError as error:
                messages.error(request, f"{document.title}: {explain(error.code, error.reason)}")
                continue
            said = _("has not changed.") if kind is ReceiptKind.UNCHANGED else _("has changed and is read anew.")
            messages.success(request, f"{document.title} {said}")
        if len(documents) > MOST_FETCHED:
            said = _("Only the first %(count)s were fetched. Choose the others again.") % {"count": MOST_FETCHED}
            messages.warning(request, said)

    @action(description=gettext_lazy("Fetch an address"), url_path="go-fetch", permissions=["add"], icon="link")
    def fetch_address(self, request: HttpRequest) -> HttpResponse:
        return _redirect("fetch")

    @action(description=gettext_lazy("Read and approve"), url_path="go-review", permissions=["change"], icon="rule")
    def open_review(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return _redirect("review" if object_id.isdecimal() else "change", object_id)

    @action(description=gettext_lazy("Passages"), url_path="go-passages", permissions=["change"], icon="gavel")
    def open_passages(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return _redirect("passages" if object_id.isdecimal() else "change", object_id)

    @action(description=gettext_lazy("Original file"), url_path="go-original", permissions=["view"], icon="download")
    def download_original(self, request: HttpRequest, object_id: str) -> HttpResponse:
        document = self.get_object(request, object_id)
        latest = document.versions.order_by("-number").first() if document else None
        if latest is None:
            messages.warning(request, _("This document has no file."))
            return _redirect("change", object_id)
        return _redirect("download", object_id, latest.number)

    @action(description=gettext_lazy("Save and index again"), permissions=["change"])
    def index_saved(self, request: HttpRequest, obj: Document) -> None:
        self.index_again(request, Document.objects.filter(pk=obj.pk))


def _redirect(name: str, *arguments: Any) -> HttpResponse:
    return HttpResponseRedirect(reverse(f"admin:documents_document_{name}", args=arguments))
