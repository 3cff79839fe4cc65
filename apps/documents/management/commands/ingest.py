"""Takes files, folders, patterns, web addresses and feeds into the collection."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError
from django.utils.text import slugify
from tqdm import tqdm

from apps.documents.embedding.endpoint import EmbeddingError
from apps.documents.indexing import index_version
from apps.documents.ingesting import COLUMNS, SIDECAR, IngestError, Parties, Source, find_sources, read_date
from apps.documents.models import Collection, Document
from apps.documents.services import (
    DocumentFacts,
    Receipt,
    ReceiptKind,
    RefusedError,
    address_receive,
    document_receive,
    feed_receive,
    is_feed,
)

DEFAULT_COLLECTION = "documents"
_POLL_SECONDS = 2.0
_SAID = {"review": "the recognised text waits for an editor's review"}


class Command(BaseCommand):
    help = (
        "Takes documents in: PDF, DOCX, ODT, HTML, Markdown, text, CSV, XLSX, mail, RSS and Atom. The same file twice "
        f"changes nothing. A file {SIDECAR} in a folder may say what its files are; its columns are "
        f"{', '.join(COLUMNS)}. Ends with 1 when something was rejected."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.formatter_class = argparse.HelpFormatter
        parser.add_argument("sources", nargs="+", metavar="PATH|URL", help="file, folder, pattern, address or feed")
        parser.add_argument("--collection", default="", help=f"its short address; else {DEFAULT_COLLECTION!r}")
        parser.add_argument("--create-collection", metavar="NAME", default="", help="make this collection and use it")
        parser.add_argument("--party", default="", help="the party that speaks in these documents")
        parser.add_argument(
            "--party-from-name", action="store_true", help="each file is named after its party: spd.pdf"
        )
        parser.add_argument("--create-parties", action="store_true", help="make parties that are not there yet")
        parser.add_argument("--kind", default="", choices=["", *Document.Kind.values], help="what they are")
        parser.add_argument("--language", default="", help="two letters; else told from each text")
        parser.add_argument("--publisher", default="")
        parser.add_argument("--published", default="", metavar="DAY", help="for example 2025-02-23")
        parser.add_argument("--title", default="", help="for a single document")
        parser.add_argument("--recursive", action="store_true", help="folders inside folders too")
        parser.add_argument("--queue", action="store_true", help="let the workers read them instead of this process")
        parser.add_argument("--wait", action=argparse.BooleanOptionalAction, default=True, help="with --queue: wait")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            collection = self._collection(options)
            sources = self._sources(options)
        except IngestError as error:
            raise CommandError(str(error)) from error
        run = _Run(self, collection, is_queued=options["queue"])
        with tqdm(sources, desc="Reading", unit="file", disable=None, leave=False) as bar:
            for source in bar:
                bar.set_postfix_str(source.name.rsplit("/", 1)[-1][:40])
                run.take(source, bar)
        if options["queue"] and options["wait"]:
            run.wait()
        run.summarise()

    def _collection(self, options: dict[str, Any]) -> Collection:
        if options["create_collection"]:
            name = options["create_collection"]
            slug = options["collection"] or slugify(name) or DEFAULT_COLLECTION
            return Collection.objects.get_or_create(slug=slug, defaults={"name": name})[0]
        slug = options["collection"] or DEFAULT_COLLECTION
        collection = Collection.objects.filter(slug=slug).first()
        if collection is None and not options["collection"]:
            return Collection.objects.create(slug=slug, name="Dokumente")
        if collection is None:
            known = ", ".join(Collection.objects.values_list("slug", flat=True)) or "none yet"
            raise IngestError(
                f"There is no collection {slug!r}. There are: {known}. "
                'Add it in the back office, or make it here with --create-collection "Its name".'
            )
        return collection

    def _sources(self, options: dict[str, Any]) -> list[Source]:
        parties = Parties(may_create=options["create_parties"])
        facts = DocumentFacts(
            title=options["title"],
            kind=options["kind"],
            party=parties.find(options["party"]) if options["party"] else None,
            language=options["language"],
            publisher=options["publisher"],
            published=read_date(options["published"], "--published"),
        )
        sources = find_sources(
            options["sources"],
            facts=facts,
            is_recursive=options["recursive"],
            parties=parties,
            party_from_name=options["party_from_name"],
        )
        if options["title"] and len(sources) != 1:
            raise IngestError(f"--title is for a single document, and these are {len(sources)}.")
        return sources


class _Run:
    """Takes sources one after the other and remembers how each ended."""

    def __init__(self, command: Command, collection: Collection, *, is_queued: bool) -> None:
        self.command = command
        self.collection = collection
        self.is_queued = is_queued
        self.waiting: list[tuple[str, int]] = []
        self.counts: Counter[str] = Counter()

    def take(self, source: Source, bar: tqdm[Source]) -> None:
        try:
            receipts = self._receive(source)
        except (RefusedError, OSError) as error:
            self._note(source.name, "rejected", str(error))
            return
        for receipt in receipts:
            name = source.name if len(receipts) == 1 else receipt.document.title
            # What was received by a run that was stopped is still to be read.
            is_unread = receipt.document.pending_version_id == receipt.version.pk
            if receipt.kind is ReceiptKind.UNCHANGED and not is_unread:
                self._note(name, "unchanged", f"already here as “{receipt.document.title}”")
            elif self.is_queued:
                self.waiting.append((name, receipt.document.pk))
            else:
                self._index(name, receipt, bar)

    def wait(self) -> None:
        """Wait until the workers are through, with a bar."""
        ids = [pk for _name, pk in self.waiting]
        moving = Document.objects.filter(pk__in=ids, pending_version__isnull=False).exclude(status="review")
        with tqdm(total=len(ids), desc="Waiting for the workers", unit="file", disable=None, leave=False) as bar:
            while left := moving.count():
                bar.update(len(ids) - left - bar.n)
                time.sleep(_POLL_SECONDS)
        for name, pk in self.waiting:
            self._note_document(name, pk)
        self.waiting = []

    def summarise(self) -> None:
        self.counts["queued"] += len(self.waiting)
        parts = [f"{count} {word}" for word, count in sorted(self.counts.items()) if count]
        self.command.stdout.write(f"{', '.join(parts) or 'Nothing to do'}.")
        if self.counts["rejected"]:
            raise CommandError(f"{self.counts['rejected']} rejected, see the reasons above.", returncode=1)

    def _receive(self, source: Source) -> list[Receipt]:
        if source.path is None:
            return address_receive(
                address=source.name, collection=self.collection, facts=source.facts, enqueue=self.is_queued
            )
        data = source.path.read_bytes()
        if is_feed(data):
            read = feed_receive(data=data, collection=self.collection, facts=source.facts, enqueue=self.is_queued)
            if read.error:
                self._note(source.name, "rejected", read.error)
            return read.receipts
        return [
            document_receive(
                data=data,
                filename=source.path.name,
                collection=self.collection,
                facts=source.facts,
                enqueue=self.is_queued,
            )
        ]

    def _index(self, name: str, receipt: Receipt, bar: tqdm[Source]) -> None:
        def report(status: str, percent: int) -> None:
            bar.set_postfix_str(f"{name.rsplit('/', 1)[-1][:40]} {status} {percent} %")

        try:
            index_version(receipt.version.pk, report=report)
        except (OperationalError, EmbeddingError) as error:
            raise CommandError(f"{error} What was read before is kept; run the command again.") from error
        self._note_document(name, receipt.document.pk)

    def _note_document(self, name: str, pk: int) -> None:
        document = Document.objects.select_related("current_version").get(pk=pk)
        if document.status == Document.Status.READY and document.current_version:
            pages = document.current_version.pages.count()
            chunks = document.chunks.count()
            said = f"{document.title}: " + (_many(pages, "page") + ", " if pages else "") + _many(chunks, "chunk")
            held_back = document.chunks.held_back().count()
            if held_back:
                said += f"; {_many(held_back, 'passage')} with orders to a machine held back until an editor decides"
        else:
            said = document.reason or _SAID.get(document.status, "a worker is reading it")
        self._note(name, document.status, said)

    def _note(self, name: str, status: str, said: str) -> None:
        self.counts[status] += 1
        with tqdm.external_write_mode():
            self.command.stdout.write(f"{status:10} {name}: {said}")


def _many(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
