"""What the command ingest was asked to take in: files, folders, patterns, addresses, and the list beside the files."""

from __future__ import annotations

import csv
import glob
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from django.utils.text import slugify

from apps.core.cleaning import clean_line
from apps.documents.models import Document, Party
from apps.documents.services import DocumentFacts
from apps.language.normalising import fold

# A table beside the files that says what each one is; see the command's help.
SIDECAR = "documents.csv"
COLUMNS = (
    *("file", "title", "kind", "party", "language", "publisher", "author", "region"),
    *("published", "valid_from", "valid_until", "address"),
)


class IngestError(Exception):
    """A wrong argument or list; the message is a sentence for the person at the keyboard."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file or one address, with what is known about it."""

    name: str
    facts: DocumentFacts
    path: Path | None = None

    @property
    def is_address(self) -> bool:
        """Say whether it must be fetched."""
        return self.path is None


def find_sources(
    arguments: Sequence[str], *, facts: DocumentFacts, is_recursive: bool, parties: Parties, party_from_name: bool
) -> list[Source]:
    """Return every file and address that the arguments name, once each, in their order. Raises IngestError."""
    found: dict[str, Source] = {}
    lists: dict[Path, dict[str, dict[str, str]]] = {}
    for argument in arguments:
        if argument.lower().startswith(("http://", "https://")):
            found.setdefault(argument, Source(argument, facts))
            continue
        for path in _files(argument, is_recursive=is_recursive):
            if str(path) in found:
                continue
            if path.parent not in lists:
                lists[path.parent] = _read_list(path.parent / SIDECAR)
            row = lists[path.parent].get(path.name, {})
            known = _row_facts(row, facts, parties, path)
            if party_from_name and known.party is None:
                known = replace(known, party=parties.find(path.stem))
            found[str(path)] = Source(str(path), known, path)
    return list(found.values())


class Parties:
    """Finds parties by any of their names; makes missing ones when asked to."""

    def __init__(self, *, may_create: bool) -> None:
        self._may_create = may_create
        self._known: dict[str, Party] = {}
        for party in Party.objects.all():
            self._learn(party)

    def find(self, name: str) -> Party:
        """Return the party, or raise IngestError with the names that there are."""
        party = self._known.get(_key(name))
        if party is not None:
            return party
        if not self._may_create:
            known = ", ".join(sorted({party.short_name for party in self._known.values()})) or "none yet"
            raise IngestError(
                f"There is no party called {name!r}. There are: {known}. "
                "Add it in the back office, or let --create-parties make it."
            )
        name = clean_line(name, limit=40)
        party = Party.objects.create(slug=slugify(fold(name))[:50] or "party", name=name, short_name=name)
        self._learn(party)
        return party

    def _learn(self, party: Party) -> None:
        for name in (party.slug, party.name, party.short_name, *party.aliases):
            self._known.setdefault(_key(name), party)


def _key(name: str) -> str:
    return "".join(character for character in fold(name) if character.isalnum())


def _files(argument: str, *, is_recursive: bool) -> Iterator[Path]:
    path = Path(argument).expanduser()
    if path.is_file():
        yield path
    elif path.is_dir():
        yield from _inside(path, is_recursive=is_recursive)
    else:
        matches = sorted(Path(match) for match in glob.glob(str(path), recursive=True))
        if not matches:
            raise IngestError(f"There is nothing at {argument}.")
        for match in matches:
            if match.is_file():
                yield match


def _inside(folder: Path, *, is_recursive: bool) -> Iterator[Path]:
    for path in sorted(folder.rglob("*") if is_recursive else folder.iterdir()):
        is_hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and not is_hidden and path.name != SIDECAR:
            yield path


def _read_list(path: Path) -> dict[str, dict[str, str]]:
    """Return the rows of a list by file name; an unknown column or a row without a file is an error."""
    if not path.is_file():
        return {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            unknown = set(reader.fieldnames or ()) - set(COLUMNS)
            if unknown or "file" not in (reader.fieldnames or ()):
                raise IngestError(f"{path}: the columns are {', '.join(COLUMNS)}; file is needed, the others are not.")
            rows = [{key: clean_line(value or "", limit=500) for key, value in row.items() if key} for row in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise IngestError(f"{path} cannot be read as a CSV file in UTF-8.") from error
    return {row["file"]: row for row in rows}


def _row_facts(row: dict[str, str], facts: DocumentFacts, parties: Parties, path: Path) -> DocumentFacts:
    if not row:
        return facts
    kind = row.get("kind", "") or facts.kind
    if kind and kind not in Document.Kind.values:
        raise IngestError(f"{path.name}: {kind!r} is no kind. There are: {', '.join(Document.Kind.values)}.")
    return DocumentFacts(
        title=row.get("title", "") or facts.title,
        kind=kind,
        party=parties.find(row["party"]) if row.get("party") else facts.party,
        language=row.get("language", "") or facts.language,
        publisher=row.get("publisher", "") or facts.publisher,
        author=row.get("author", ""),
        region=row.get("region", ""),
        published=read_date(row.get("published", ""), path.name) or facts.published,
        valid_from=read_date(row.get("valid_from", ""), path.name),
        valid_until=read_date(row.get("valid_until", ""), path.name),
        address=row.get("address", ""),
    )


def read_date(text: str, place: str) -> date | None:
    """Return a day written as 2025-02-23, None for nothing. Raises IngestError."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise IngestError(f"{place}: {text!r} is no day. Write it as 2025-02-23.") from error
