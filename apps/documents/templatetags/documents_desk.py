"""What the templates of the documents' desk ask for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template

from apps.documents.models import Document
from apps.documents.reasons import explain

register = template.Library()


@register.simple_tag
def waiting_documents(
    documents: Iterable[Document] | None, changelist: Any = None, document: Document | None = None
) -> list[Document]:
    """Return the documents whose state may still change by itself, of those given, listed or edited on this page."""
    shown = documents or (changelist.result_list if changelist else filter(None, [document]))
    return [one for one in shown if one.pending_version_id and one.status != Document.Status.REVIEW]


@register.filter
def reason_explained(document: Document) -> str:
    """Return why a document was rejected, in the language of whoever looks."""
    return explain(document.reason_code, document.reason)
