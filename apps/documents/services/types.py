"""What the services take and give."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from apps.documents.models import Document, DocumentVersion, Party


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What a person says about a document. Empty values are told from the file, given ones are kept for good."""

    title: str = ""
    kind: str = ""
    party: Party | None = None
    language: str = ""
    publisher: str = ""
    author: str = ""
    region: str = ""
    aspects: tuple[str, ...] = ()
    published: date | None = None
    valid_from: date | None = None
    valid_until: date | None = None
    address: str = ""


NO_FACTS = DocumentFacts()


class ReceiptKind(StrEnum):
    """What became of something that was handed in."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    AGAIN = "again"  # the same file, which was rejected before, is read again


@dataclass(frozen=True, slots=True)
class Receipt:
    """The document a file belongs to, the version it is, and whether anything had to be done."""

    document: Document
    version: DocumentVersion
    kind: ReceiptKind


class RefusedError(Exception):
    """Something that does not even become a document. ``code`` is stable, ``reason`` a sentence for the editor."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
