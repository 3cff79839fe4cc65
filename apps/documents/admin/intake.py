"""The pages of the documents' desk beside Django's own: upload, fetch, progress, review, original file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from apps.documents.forms import FetchForm, UploadForm
from apps.documents.models import Chunk, Collection, Document, DocumentVersion
from apps.documents.parsing.limits import Limits
from apps.documents.reasons import explain
from apps.documents.services import (
    DocumentFacts,
    Receipt,
    ReceiptKind,
    RefusedError,
    address_take,
    chunk_review,
    document_receive,
    version_review,
)

if TYPE_CHECKING:
    from apps.documents.admin.documents import DocumentAdmin

# One poll asks for no more rows than a list page shows.
_MOST_POLLED = 50


@dataclass(frozen=True, slots=True)
class Handed:
    """One line of the outcome: what was handed in, what became of it, and a sentence."""

    name: str
    sentence: str
    is_refused: bool = False
    document: Document | None = None


def upload_view(desk: DocumentAdmin, request: HttpRequest) -> HttpResponse:
    """Take several files in; each gets its own line of outcome."""
    _require(desk.has_add_permission(request))
    form = UploadForm(request.POST, request.FILES) if request.method == "POST" else UploadForm()
    handed: list[Handed] = []
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        handed = [_upload(file, given["collection"], form.facts()) for file in given["uploads"]]
    return _page(desk, request, form, handed, _("Upload documents"))


def fetch_view(desk: DocumentAdmin, request: HttpRequest) -> HttpResponse:
    """Fetch a page or a file from the web while the editor waits, or have a feed fetched."""
    _require(desk.has_add_permission(request))
    form = FetchForm(request.POST) if request.method == "POST" else FetchForm()
    handed: list[Handed] = []
    if request.method == "POST" and form.is_valid():
        address = form.cleaned_data["address"]
        try:
            receipt = address_take(address=address, collection=form.cleaned_data["collection"], facts=form.facts())
            is_feed = _("is a feed. Its articles are being fetched and appear in the list of documents one by one.")
            handed = [_handed(receipt.document.title, receipt) if receipt else Handed(address, is_feed)]
        except RefusedError as error:
            handed = [Handed(address, explain(error.code, error.reason), is_refused=True)]
    return _page(desk, request, form, handed, _("Fetch an address"))


def progress_view(desk: DocumentAdmin, request: HttpRequest) -> HttpResponse:
    """Return the state of the documents that a page asks for; the page asks again while something moves."""
    _require(desk.has_view_permission(request))
    ids = [int(value) for value in request.GET.getlist("id")[:_MOST_POLLED] if value.isdecimal() and len(value) < 16]
    documents = list(Document.objects.filter(pk__in=ids).with_passages_waiting())
    return render(request, "admin/documents/document/_progress.html", {"documents": documents, "is_fragment": True})


def review_view(desk: DocumentAdmin, request: HttpRequest, document_id: int) -> HttpResponse:
    """Show recognised text and let an editor approve or refuse it."""
    _require(desk.has_change_permission(request))
    document = get_object_or_404(Document, pk=document_id)
    version = document.pending_version if document.status == Document.Status.REVIEW else None
    if version is None:
        messages.info(request, _("This document does not wait for a review."))
        return redirect("admin:documents_document_change", document_id)
    if request.method == "POST" and request.POST.get("version") != str(version.pk):
        messages.warning(request, _("Another file has come in meanwhile. Please read its text."))
    elif request.method == "POST":
        is_approved = request.POST.get("decision") == "approve"
        version_review(version=version, is_approved=is_approved)
        said = _("The text is approved and will be searchable soon.") if is_approved else _("The text is kept out.")
        messages.success(request, said)
        return redirect("admin:documents_document_changelist")
    context = {"document": document, "version": version, "title": _("Review the recognised text")}
    return render(request, "admin/documents/document/review.html", _context(desk, request, context))


def passages_view(desk: DocumentAdmin, request: HttpRequest, document_id: int) -> HttpResponse:
    """Show the passages that read like orders to a machine, and let an editor decide on each."""
    _require(desk.has_change_permission(request))
    document = get_object_or_404(Document.objects.select_related("current_version"), pk=document_id)
    suspicious = document.chunks.exclude(review=Chunk.Review.FREE).select_related("section")
    if request.method == "POST":
        number = request.POST.get("chunk", "")
        chunk = suspicious.filter(pk=number).first() if number.isdecimal() and len(number) < 16 else None
        if chunk is None:
            messages.warning(request, _("The document was read anew meanwhile. Please look at its passages again."))
        else:
            _decide(desk, request, document, chunk)
        return redirect("admin:documents_document_passages", document_id)
    chunks = suspicious.defer("vector", "sentence_vectors").order_by("order")
    context = {"document": document, "chunks": chunks, "title": _("Passages that wait for an editor")}
    return render(request, "admin/documents/document/passages.html", _context(desk, request, context))


def _decide(desk: DocumentAdmin, request: HttpRequest, document: Document, chunk: Chunk) -> None:
    is_approved = request.POST.get("decision") == "approve"
    chunk_review(chunk=chunk, is_approved=is_approved)
    if is_approved:
        said = _("The passage is approved. Answers may quote it from now on.")
    else:
        said = _("The passage is kept out of every answer.")
    messages.success(request, said)
    desk.log_change(request, document, said)


def download_view(desk: DocumentAdmin, request: HttpRequest, document_id: int, number: int) -> HttpResponseBase:
    """Send the file as it was received; always as a download, since it may hold anything."""
    _require(desk.has_view_permission(request))
    version = get_object_or_404(DocumentVersion, document=document_id, number=number)
    try:
        # Read whole: under ASGI Django would gather an open file line by line before it sends it.
        with version.file.open("rb") as file:
            data = file.read()
    except OSError as error:
        raise Http404 from error
    name = content_disposition_header(True, version.filename)
    return HttpResponse(data, content_type="application/octet-stream", headers={"Content-Disposition": name})


def _require(is_allowed: bool) -> None:
    if not is_allowed:
        raise PermissionDenied


def _upload(file: UploadedFile, collection: Collection, facts: DocumentFacts) -> Handed:
    name = file.name or "document"
    limit = Limits().max_bytes
    if (file.size or 0) > limit:
        # Before it is read into memory.
        return Handed(name, _("The file is larger than %(size)s MB.") % {"size": limit // 2**20}, is_refused=True)
    try:
        receipt = document_receive(
            data=file.read(), filename=name, content_type=file.content_type or "", collection=collection, facts=facts
        )
    except RefusedError as error:
        return Handed(name, explain(error.code, error.reason), is_refused=True)
    return _handed(name, receipt)


def _handed(name: str, receipt: Receipt) -> Handed:
    sentences = {
        ReceiptKind.CREATED: _("is taken in and being read."),
        ReceiptKind.UPDATED: _("is taken in as a new version and being read."),
        ReceiptKind.AGAIN: _("was rejected before and is read again."),
        ReceiptKind.UNCHANGED: _("is here already, nothing was changed."),
    }
    return Handed(name, sentences[receipt.kind], document=receipt.document)


def _page(desk: DocumentAdmin, request: HttpRequest, form: Any, handed: list[Handed], title: str) -> HttpResponse:
    context = {
        "form": form,
        "handed": handed,
        "documents": [line.document for line in handed if line.document],
        "title": title,
        "has_collections": Collection.objects.exists(),
    }
    return render(request, "admin/documents/document/intake.html", _context(desk, request, context))


def _context(desk: DocumentAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    return {**desk.admin_site.each_context(request), "opts": desk.opts, **context}
