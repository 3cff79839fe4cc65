"""A version's file and text: stored once by checksum, written when it was parsed, read back to be cut anew."""

from __future__ import annotations

import hashlib
import mimetypes
from pathlib import PurePath

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from apps.core.cleaning import clean_line
from apps.documents.models import DocumentVersion, Figure, Page, Section
from apps.documents.parsing.types import BlockKind
from apps.documents.sectioning import BlockSpan, LineSpan, PageLines, SectionedDocument, section_text


class StoredFileError(Exception):
    """The stored file is gone or differs from what was received."""


def file_checksum(data: bytes) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def file_type(data: bytes, filename: str, content_type: str = "") -> str:
    """Return the media type by content for PDF, since pages are drawn from it, else what sender or name say."""
    if b"%PDF-" in data[:1024]:
        return "application/pdf"
    told = clean_line(content_type.split(";")[0].lower(), limit=100)
    guessed = mimetypes.guess_type(PurePath(filename).name)[0]
    if told in ("", "application/octet-stream", "application/pdf"):
        return guessed or "application/octet-stream"
    return told


def file_store(data: bytes, name: str) -> str:
    """Write a file unless it is there in full, and return the name it has in the storage."""
    if default_storage.exists(name):
        if default_storage.size(name) == len(data):
            return name
        # A process that was killed while it wrote.
        default_storage.delete(name)
    return default_storage.save(name, ContentFile(data))


def file_read(version: DocumentVersion) -> bytes:
    """Return the bytes as received. Raises StoredFileError with a sentence."""
    try:
        with version.file.open("rb") as file:
            data: bytes = file.read()
    except OSError as error:
        raise StoredFileError("The stored file cannot be read. Please upload it again.") from error
    if file_checksum(data) != version.checksum:
        raise StoredFileError("The stored file is damaged. Please upload it again.")
    return data


def version_write_text(version: DocumentVersion, document: SectionedDocument, warnings: tuple[str, ...]) -> None:
    """Store text, blocks, pages, sections and figures. Call inside a transaction; a second call changes nothing."""
    version.text = document.text
    version.blocks = [
        [block.kind.value, block.level, block.start, block.end, block.page_from, block.page_to, block.header_rows]
        for block in document.blocks
    ]
    version.warnings = list(warnings)
    version.save(update_fields=["text", "blocks", "warnings", "needs_review"])
    for rows in (version.pages, version.figures, version.sections):
        rows.all().delete()
    Page.objects.bulk_create(
        Page(
            version=version,
            number=page.number,
            width=page.width,
            height=page.height,
            is_recognised=page.is_recognised,
            lines=[[line.start, line.end, line.x0, line.y0, line.x1, line.y1] for line in page.lines],
        )
        for page in document.pages
    )
    Figure.objects.bulk_create(
        Figure(
            version=version,
            start=figure.start,
            end=figure.end,
            page=figure.page_from,
            caption=document.text[figure.start : figure.end],
        )
        for figure in document.figures
    )
    sections_write(version, document)


def version_read_text(version: DocumentVersion) -> SectionedDocument:
    """Return a parsed version as it was written."""
    blocks = [
        BlockSpan(BlockKind(kind), level, start, end, page_from, page_to, header_rows)
        for kind, level, start, end, page_from, page_to, header_rows in version.blocks
    ]
    pages = [
        PageLines(
            page.number,
            page.width,
            page.height,
            page.is_recognised,
            tuple(LineSpan(int(start), int(end), *box) for start, end, *box in page.lines),
        )
        for page in version.pages.all()
    ]
    return section_text(version.text, blocks, pages)


def sections_write(version: DocumentVersion, document: SectionedDocument) -> list[Section]:
    """Store the sections of a version and return them in their order."""
    rows = [
        Section(
            version=version,
            order=order,
            level=section.level,
            heading=section.heading,
            path=list(section.path),
            start=section.start,
            end=section.end,
            page_from=section.page_from,
            page_to=section.page_to,
        )
        for order, section in enumerate(document.sections)
    ]
    Section.objects.bulk_create(rows, batch_size=500)
    for row, section in zip(rows, document.sections, strict=True):
        row.parent = None if section.parent is None else rows[section.parent]
    Section.objects.bulk_update([row for row in rows if row.parent_id], ["parent"], batch_size=500)
    return rows
