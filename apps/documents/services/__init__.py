"""Writes of the collection: one way in for files, addresses and feeds."""

from apps.documents.services.addresses import (
    address_receive,
    address_take,
    document_refetch,
    feed_fetch,
    feed_note_error,
    feed_receive,
    feed_take,
    is_feed,
)
from apps.documents.services.documents import (
    document_receive,
    document_reindex,
    documents_delete,
    documents_resume,
    version_review,
)
from apps.documents.services.passages import chunk_review
from apps.documents.services.types import DocumentFacts, Receipt, ReceiptKind, RefusedError

__all__ = [
    "DocumentFacts",
    "Receipt",
    "ReceiptKind",
    "RefusedError",
    "address_receive",
    "address_take",
    "chunk_review",
    "document_receive",
    "document_refetch",
    "document_reindex",
    "documents_delete",
    "documents_resume",
    "feed_fetch",
    "feed_note_error",
    "feed_receive",
    "feed_take",
    "is_feed",
    "version_review",
]
