"""Versions, sections and chunks: written by the machine, read by whoever wants to know what the bot reads."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from apps.core.admin import ReadOnlyAdmin
from apps.documents.models import Chunk, DocumentVersion, Section


class _PartAdmin(ReadOnlyAdmin):
    """Comes and goes with its document."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(DocumentVersion)
class DocumentVersionAdmin(_PartAdmin):
    """The files of a document, with the text that was read from them."""

    list_display = ("document", "number", "filename", "needs_review", "page_count", "created_at")
    list_filter = ("needs_review",)
    search_fields = ("document__title", "filename", "checksum")
    fields = (
        *("document", "number", "filename", "original", "content_type", "checksum"),
        *("created_at", "warnings", "needs_review", "text"),
    )
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[DocumentVersion]:
        found = super().get_queryset(request).select_related("document").annotate(pages_counted=Count("pages"))
        is_list = request.resolver_match is not None and str(request.resolver_match.url_name).endswith("_changelist")
        return found.defer("text", "blocks") if is_list else found

    @display(description=_("pages"))
    def page_count(self, version: Any) -> int | str:
        return int(version.pages_counted) or "–"

    @display(description=_("original file"))
    def original(self, version: DocumentVersion) -> str:
        address = reverse("admin:documents_document_download", args=[version.document_id, version.number])
        return format_html('<a href="{}">{}</a>', address, _("Download"))


@admin.register(Section)
class SectionAdmin(_PartAdmin):
    """Headings with their page ranges."""

    list_display = ("heading", "document_title", "level", "page_from", "page_to")
    list_select_related = ("version__document",)
    search_fields = ("heading", "version__document__title")
    fields = ("version", "order", "level", "shown_path", "page_from", "page_to", "start", "end")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Section]:
        return super().get_queryset(request).defer("version__text", "version__blocks")

    @display(description=_("document"), ordering="version__document__sort_key")
    def document_title(self, section: Section) -> str:
        return section.version.document.title

    @display(description=_("headings"))
    def shown_path(self, section: Section) -> str:
        return " › ".join(section.path)


@admin.register(Chunk)
class ChunkAdmin(_PartAdmin):
    """What is searched: the text, its place, and what is searched with it."""

    list_display = ("beginning", "document", "order", "page_from", "token_count", "language", "embedding_model")
    list_filter = ("review", "language", "embedding_model")
    list_select_related = ("document",)
    search_fields = ("document__title",)
    fields = (
        *("document", "order", "context", "text", "start", "end", "page_from", "page_to"),
        *("token_count", "language", "sentence_count", "embedding_model", "content_hash", "review"),
    )
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Chunk]:
        return super().get_queryset(request).defer("vector", "sentence_vectors")

    @display(description=_("text"))
    def beginning(self, chunk: Chunk) -> str:
        return chunk.text[:100] + ("…" if len(chunk.text) > 100 else "")

    @display(description=_("sentences"))
    def sentence_count(self, chunk: Chunk) -> int:
        return len(chunk.sentence_spans)
