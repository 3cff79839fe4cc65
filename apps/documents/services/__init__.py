"""Writes of the collection: one way in for files, addresses and feeds."""

from apps.documents.services.addresses import document_fetch, document_refetch, feed_fetch
from apps.documents.services.documents import (
    document_receive,
    document_reindex,
    documents_resume,
    version_review,
)
from apps.documents.services.types import DocumentFacts, Receipt, ReceiptKind, RefusedError

__all__ = [
    "DocumentFacts",
    "Receipt",
    "ReceiptKind",
    "RefusedError",
    "document_fetch",
    "document_receive",
    "document_refetch",
    "document_reindex",
    "documents_resume",
    "feed_fetch",
    "version_review",
]
