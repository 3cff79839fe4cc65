"""Receiving, re-indexing and reviewing documents."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from functools import partial
from typing import Any

from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone

from apps.core.cleaning import clean_line
from apps.documents.indexing.reading import filename_title, title_sort_key
from apps.documents.models import Collection, Document, DocumentVersion
from apps.documents.models.documents import upload_path
from apps.documents.page_cache import forget_pages
from apps.documents.parsing.limits import Limits
from apps.documents.querysets import DocumentQuerySet
from apps.documents.services.types import NO_FACTS, DocumentFacts, Receipt, ReceiptKind, RefusedError
from apps.documents.tasks import version_index
from apps.documents.versions import file_checksum, file_store, file_type

# Longer than a step between two progress marks ever takes (the parser's child is stopped after two minutes).
STANDSTILL = timedelta(minutes=15)


def document_receive(
    *,
    data: bytes,
    filename: str,
    collection: Collection,
    content_type: str = "",
    facts: DocumentFacts = NO_FACTS,
    document: Document | None = None,
    is_crawled: bool = False,
    enqueue: bool = True,
) -> Receipt:
    """Take a file in and have it read: the one door for uploads, addresses, feeds and the command.

    The same file twice changes nothing, whatever its name. A file with a known address, or for a given ``document``,
    becomes that document's next version. With ``enqueue`` off the caller indexes the version itself.
    Raises RefusedError for an empty or too large file, and for an address that is not one of the web.
    """
    _check_size(data)
    _check_address(facts.address)
    filename = clean_line(filename, limit=255) or "document"
    checksum = file_checksum(data)
    content_type = file_type(data, filename, content_type)
    with transaction.atomic():
        _serialise(checksum, facts.address)
        document = document or _known_document(facts.address, checksum)
        if document is not None:
            document = Document.objects.select_for_update(of=("self",)).get(pk=document.pk)
            same = document.versions.filter(checksum=checksum).first()
            if same is not None:
                return _seen_before(document, same, enqueue=enqueue)
        kind = ReceiptKind.CREATED if document is None else ReceiptKind.UPDATED
        document = document or _new_document(filename, collection, facts)
        version = DocumentVersion(
            document=document,
            number=(document.versions.aggregate(last=Max("number"))["last"] or 0) + 1,
            filename=filename,
            content_type=content_type,
            checksum=checksum,
            is_crawled=is_crawled,
        )
        version.file.name = file_store(data, upload_path(version, filename))
        version.save()
        _wait_for(document, version, enqueue=enqueue)
    return Receipt(document, version, kind)


def document_reindex(*, document: Document, enqueue: bool = True) -> DocumentVersion | None:
    """Cut and embed a document anew from its stored text; a rejected file is read again.

    Returns the version, or None when the document has no file.
    """
    with transaction.atomic():
        document = Document.objects.select_for_update(of=("self",)).get(pk=document.pk)
        latest = document.versions.order_by("-number").first()
        is_rejected = document.status == Document.Status.REJECTED
        version = latest if is_rejected or document.pending_version_id else document.current_version or latest
        if version is None:
            return None
        _wait_for(document, version, enqueue=enqueue)
    return version


def version_review(*, version: DocumentVersion, is_approved: bool, enqueue: bool = True) -> Document:
    """Let recognised text be searched, or keep it out with a reason that the list shows."""
    with transaction.atomic():
        document = Document.objects.select_for_update(of=("self",)).get(pk=version.document_id)
        if document.status != Document.Status.REVIEW or document.pending_version_id != version.pk:
            return document
        if is_approved:
            DocumentVersion.objects.filter(pk=version.pk).update(needs_review=False)
            _wait_for(document, version, enqueue=enqueue)
        else:
            document.status = Document.Status.REJECTED
            document.reason_code = "review"
            document.reason = "An editor found the recognised text not good enough."
            document.pending_version = None
            document.progress = 0
            document.save()
    return document


def documents_resume() -> int:
    """Queue every document that waits but has shown no sign of work for a while; return how many."""
    still = Document.objects.filter(pending_version__isnull=False, updated_at__lt=timezone.now() - STANDSTILL).exclude(
        status=Document.Status.REVIEW
    )
    ids = list(still.values_list("pk", "pending_version"))
    # So that the next sweep waits its turn.
    Document.objects.filter(pk__in=[pk for pk, _version in ids]).update(updated_at=timezone.now())
    for _pk, version_id in ids:
        version_index.delay_on_commit(version_id)
    return len(ids)


def documents_delete(*, documents: DocumentQuerySet) -> int:
    """Delete documents with everything that was made of them, and the files that no other version has."""
    with transaction.atomic():
        ids = list(documents.values_list("pk", flat=True))
        files = dict(DocumentVersion.objects.filter(document__in=ids).values_list("checksum", "file"))
        Document.objects.filter(pk__in=ids).delete()
        for checksum, name in files.items():
            transaction.on_commit(partial(_remove_file, checksum, name), robust=True)
    return len(ids)


def _remove_file(checksum: str, name: str) -> None:
    """Remove a file that no version has, under the lock of its uploads: one that comes in now keeps it."""
    with transaction.atomic():
        _serialise(checksum)
        if not DocumentVersion.objects.filter(checksum=checksum).exists():
            default_storage.delete(name)
            forget_pages(checksum)


def _check_size(data: bytes) -> None:
    limit = Limits().max_bytes
    if not data:
        raise RefusedError("empty", "The file is empty.")
    if len(data) > limit:
        raise RefusedError("too_large", f"The file is larger than {limit // 2**20} MB.")


def _check_address(address: str) -> None:
    """Readers are sent there by a link: nothing but the web, whoever wrote the list that it came from."""
    if address and not address.lower().startswith(("https://", "http://")):
        raise RefusedError("bad_address", "This is not a web address.")


def _serialise(*words: str) -> None:
    """Let two uploads of the same file or address at once see each other; the lock ends with the transaction."""
    keys = [int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big", signed=True) for word in words if word]
    with connection.cursor() as cursor:
        for key in sorted(keys):
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])


def _known_document(address: str, checksum: str) -> Document | None:
    by_address = Document.objects.filter(address=address).first() if address else None
    if by_address is not None:
        return by_address
    version = DocumentVersion.objects.filter(checksum=checksum).order_by("pk").select_related("document").first()
    return version.document if version else None


def _seen_before(document: Document, version: DocumentVersion, *, enqueue: bool) -> Receipt:
    """The file is a version of this document already: nothing to do, unless it is not the one that counts."""
    if document.pending_version_id == version.pk:
        return Receipt(document, version, ReceiptKind.UNCHANGED)
    if document.status == Document.Status.REJECTED:
        _wait_for(document, version, enqueue=enqueue)
        return Receipt(document, version, ReceiptKind.AGAIN)
    latest = document.versions.order_by("-number").first()
    if document.current_version_id == version.pk or (latest and latest.pk != version.pk and not document.address):
        return Receipt(document, version, ReceiptKind.UNCHANGED)
    # A page went back to an earlier wording.
    _wait_for(document, version, enqueue=enqueue)
    return Receipt(document, version, ReceiptKind.UPDATED)


def _new_document(filename: str, collection: Collection, facts: DocumentFacts) -> Document:
    given: dict[str, Any] = {
        "title": clean_line(facts.title, limit=300),
        "kind": facts.kind,
        "party": facts.party,
        "language": facts.language[:8],
        "publisher": clean_line(facts.publisher, limit=120),
        "author": clean_line(facts.author, limit=120),
        "region": clean_line(facts.region, limit=80),
        "aspects": list(facts.aspects),
        "published": facts.published,
        "valid_from": facts.valid_from,
        "valid_until": facts.valid_until,
        "address": facts.address[:500],
    }
    given = {field: value for field, value in given.items() if value}
    document = Document(collection=collection, **{"title": filename_title(filename), **given})
    document.sort_key = title_sort_key(document.title)
    document.edited_fields = sorted(given)
    document.save()
    return document


def _wait_for(document: Document, version: DocumentVersion, *, enqueue: bool) -> None:
    document.pending_version = version
    document.status = Document.Status.QUEUED
    document.reason_code = document.reason = ""
    document.progress = 0
    document.save()
    if enqueue:
        version_index.delay_on_commit(version.pk)
