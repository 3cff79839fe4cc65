"""What the templates of the documents' desk ask for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template
from django.utils.translation import gettext

from apps.documents.models import Chunk, Document
from apps.documents.reasons import SUSPICIONS, explain
from apps.documents.source_pages import Run, marked_runs

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


@register.filter
def suspicion_reasons(chunk: Chunk) -> list[str]:
    """Return in sentences what each kind of suspicion means; an order that stands in a heading is quoted there."""
    kinds = sorted({kind for _start, _end, kinds, _key in chunk.suspicions for kind in kinds})
    reasons = [str(SUSPICIONS.get(kind, kind)) for kind in kinds]
    if any(not end for _start, end, _kinds, _key in chunk.suspicions):
        reasons.append(gettext("It stands in the title or a heading: %(context)s") % {"context": chunk.context})
    return reasons


@register.filter
def suspicion_runs(chunk: Chunk) -> list[Run]:
    """Return the chunk's text in runs, the suspicious sentences marked."""
    runs: list[Run] = []
    position = 0
    for start, end in sorted((start, end) for start, end, _kinds, _key in chunk.suspicions if end):
        part = chunk.text[position:end]
        runs.extend(marked_runs(part, position, max(start, position), end))
        position = max(position, end)
    return [*runs, Run(chunk.text[position:], False)]


@register.filter
def review_colour(chunk: Chunk) -> str:
    """Return the label's type for the state of a chunk."""
    return {"approved": "success", "kept_out": "danger"}.get(chunk.review, "warning")
