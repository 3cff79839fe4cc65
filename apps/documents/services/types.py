"""What the services take and give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from enum import StrEnum
from typing import Any

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

    def to_message(self) -> dict[str, Any]:
        """Return the facts as a task's argument."""
        dates = {name: value.isoformat() for name in _DATES if (value := getattr(self, name))}
        plain = {
            field.name: getattr(self, field.name) for field in fields(self) if field.name not in (*_DATES, "party")
        }
        return {**plain, **dates, "party": self.party.pk if self.party else None}

    @classmethod
    def from_message(cls, message: Mapping[str, Any]) -> DocumentFacts:
        """Return the facts that ``to_message`` gave; a party that is gone meanwhile is left out."""
        dates = {name: date.fromisoformat(message[name]) for name in _DATES if name in message}
        party = Party.objects.filter(pk=message["party"]).first()
        return cls(**{**message, **dates, "party": party, "aspects": tuple(message["aspects"])})


_DATES = ("published", "valid_from", "valid_until")
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
