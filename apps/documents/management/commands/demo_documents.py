"""Loads the demo: parties, collections and documents of an invented election."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

import apps.documents.demo
from apps.documents.indexing import index_version
from apps.documents.models import Collection, CuratedLink, Document, Party
from apps.documents.services import (
    DocumentFacts,
    Receipt,
    ReceiptKind,
    document_receive,
    documents_delete,
    feed_receive,
)
from apps.documents.tasks import version_index

FOLDER = Path(apps.documents.demo.__file__).parent
_PARTY_FIELDS = ("name", "short_name", "aliases", "colour", "order")
_COLLECTION_FIELDS = ("name", "visibility", "chunking", "lexical_weight", "recency_half_life_days")


class Command(BaseCommand):
    help = "Loads the demo documents. Running it again changes nothing; --remove takes them out."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--first", type=int, help="read so many here and leave the rest to the workers; else all")
        parser.add_argument("--remove", action="store_true", help="take the demo's documents, parties and shelves out")

    def handle(self, *args: Any, **options: Any) -> None:
        manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
        if options["remove"]:
            self._remove(manifest)
            return
        parties = self._parties()
        self._curated_links(parties)
        collections = {row["slug"]: self._collection(row) for row in manifest["collections"]}
        entries = manifest["documents"]
        here = len(entries) if options["first"] is None else options["first"]
        counts = {"read": 0, "queued": 0, "unchanged": 0}
        for number, entry in enumerate(entries):
            for receipt in self._receive(entry, collections[entry["collection"]], parties):
                if receipt.kind is ReceiptKind.UNCHANGED:
                    # Received by a run that was stopped before it was read, or read already.
                    is_waiting = receipt.document.pending_version_id == receipt.version.pk
                    counts["unchanged"] += 0 if is_waiting else 1
                    if not is_waiting:
                        continue
                if number < here:
                    self.stdout.write(f"Reading “{receipt.document.title}” …")
                    index_version(receipt.version.pk)
                    counts["read"] += 1
                else:
                    version_index.delay_on_commit(receipt.version.pk)
                    counts["queued"] += 1
        _supersede(entries)
        self.stdout.write("Demo: " + ", ".join(f"{count} {word}" for word, count in counts.items() if count) + ".")

    def _parties(self) -> dict[str, Party]:
        rows = json.loads((FOLDER / "parties.json").read_text(encoding="utf-8"))
        return {
            row["slug"]: Party.objects.get_or_create(
                slug=row["slug"], defaults={field: row[field] for field in _PARTY_FIELDS if field in row}
            )[0]
            for row in rows
        }

    def _curated_links(self, parties: dict[str, Party]) -> None:
        for row in json.loads((FOLDER / "curated_links.json").read_text(encoding="utf-8")):
            link, is_new = CuratedLink.objects.get_or_create(
                address=row["address"], defaults={"title": row["title"], "teaser": row["teaser"]}
            )
            if is_new:
                link.parties.set([parties[slug] for slug in row["parties"]])

    def _collection(self, row: dict[str, Any]) -> Collection:
        defaults = {field: row[field] for field in _COLLECTION_FIELDS if field in row}
        return Collection.objects.get_or_create(slug=row["slug"], defaults=defaults)[0]

    def _receive(self, entry: dict[str, Any], collection: Collection, parties: dict[str, Party]) -> list[Receipt]:
        path = FOLDER / entry["path"]
        data = path.read_bytes()
        if "items" not in entry:
            facts = _facts(entry, parties)
            return [document_receive(data=data, filename=path.name, collection=collection, facts=facts, enqueue=False)]
        by_address = {item["address"]: _facts({**entry, **item}, parties) for item in entry["items"]}
        feed_receive(data=data, collection=collection, facts_by_address=by_address, enqueue=False)
        return self._waiting(by_address)

    def _waiting(self, addresses: dict[str, DocumentFacts]) -> list[Receipt]:
        """Articles of a feed that nobody has read yet, also those of a run that was stopped."""
        waiting = Document.objects.filter(address__in=addresses, status="queued").select_related("pending_version")
        return [
            Receipt(document, document.pending_version, ReceiptKind.AGAIN)
            for document in waiting
            if document.pending_version
        ]

    def _remove(self, manifest: dict[str, Any]) -> None:
        """Take out what came from the demo, and shelves and parties that nothing else stands on."""
        items = [item for entry in manifest["documents"] for item in entry.get("items", [])]
        addresses = [entry["address"] for entry in [*manifest["documents"], *items] if entry["address"]]
        with transaction.atomic():
            documents = Document.objects.filter(address__in=addresses)
            count = documents_delete(documents=documents)
            links = json.loads((FOLDER / "curated_links.json").read_text(encoding="utf-8"))
            CuratedLink.objects.filter(address__in=[row["address"] for row in links]).delete()
            slugs = [row["slug"] for row in manifest["collections"]]
            Collection.objects.filter(slug__in=slugs, documents__isnull=True, feeds__isnull=True).delete()
            parties = json.loads((FOLDER / "parties.json").read_text(encoding="utf-8"))
            Party.objects.filter(
                slug__in=[row["slug"] for row in parties], documents__isnull=True, feeds__isnull=True
            ).delete()
        self.stdout.write(f"Demo: {count} documents removed.")


def _supersede(entries: Sequence[dict[str, Any]]) -> None:
    """Say which article replaces which; what an editor has changed since stays."""
    stories = {story["slug"]: story for entry in entries for story in (entry, *entry.get("items", ()))}
    for story in stories.values():
        if "supersedes" not in story:
            continue
        newer = Document.objects.filter(address=story["address"]).first()
        older = Document.objects.filter(address=stories[story["supersedes"]]["address"], superseded_by=None)
        older.exclude(edited_fields__contains=["superseded_by"]).update(superseded_by=newer)


def _facts(entry: dict[str, Any], parties: dict[str, Party]) -> DocumentFacts:
    return DocumentFacts(
        title=entry["title"],
        kind=entry["kind"],
        party=parties[entry["party"]] if entry.get("party") else None,
        language=entry["language"],
        publisher=entry["publisher"],
        author=entry.get("author") or "",
        region=entry.get("region") or "",
        aspects=tuple(entry.get("aspects") or ()),
        published=_day(entry.get("published")),
        valid_from=_day(entry.get("valid_from")),
        valid_until=_day(entry.get("valid_until")),
        address=entry.get("address") or "",
    )


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
