"""A PDF source of two sections, written row by row, and the addresses into it."""

from __future__ import annotations

from django.core.files.base import ContentFile
from django.urls import reverse

from apps.documents.models import Document, DocumentVersion, Page, Party, Section
from tests.documents.builders import shelf
from tests.documents.pdf_files import printed

FIRST = "Wählen dürfen Bürgerinnen und Bürger ab 18 Jahren."
SECOND = "Der Mindestlohn soll auf 15 Euro <b>steigen</b>."
TABLE = "Jahr | Satz\n2026 | 13,90 Euro\n2027 | 14,60 Euro"
TEXT = "\n\n".join(["Wahlrecht", FIRST, SECOND, "Löhne", TABLE])
LINES = [[11, 61, 40.0, 80.0, 300.0, 92.0], [63, 111, 40.0, 100.0, 300.0, 112.0]]


def written_source() -> DocumentVersion:
    """Return the current version of a published programme, without a run of the parser."""
    party = Party.objects.create(slug="bfm", name="Bündnis für Morgen", short_name="BfM", colour="#1a5fb4")
    document = Document.objects.create(
        title="Programm & Plan", kind="programme", collection=shelf(), party=party, language="de"
    )
    version = DocumentVersion(
        document=document, number=1, filename="plan.pdf", content_type="application/pdf", checksum="a" * 64, text=TEXT
    )
    spans, position = [], 0
    for text, kind, level, heads in zip(
        TEXT.split("\n\n"),
        ["heading", "paragraph", "paragraph", "heading", "table"],
        [1, 0, 0, 1, 0],
        [0, 0, 0, 0, 1],
        strict=True,
    ):
        spans.append([kind, level, position, position + len(text), 1, 1, heads])
        position += len(text) + 2
    version.blocks = spans
    version.file.save("plan.pdf", ContentFile(printed([["# Wahlrecht", FIRST, SECOND]])), save=False)
    version.save()
    for order, (first, last) in enumerate([(0, 2), (3, 4)]):
        heading = TEXT[spans[first][2] : spans[first][3]]
        Section.objects.create(
            version=version,
            order=order,
            level=1,
            heading=heading,
            path=[heading],
            start=spans[first][2],
            end=spans[last][3],
        )
    Page.objects.create(version=version, number=1, width=420, height=595, lines=LINES)
    publish(document, version)
    return version


def publish(document: Document, version: DocumentVersion) -> None:
    DocumentVersion.objects.filter(pk=version.pk).update(was_current=True)
    document.current_version, document.status = version, "ready"
    document.save()


def address(version: DocumentVersion, words: str = SECOND) -> str:
    start = version.text.index(words)
    return reverse("documents:passage", args=[version.document.uuid, version.number, start, start + len(words)])


def image_address(version: DocumentVersion, number: int = 1) -> str:
    return reverse("documents:page-image", args=[version.document.uuid, version.number, number])


def addresses(version: DocumentVersion) -> list[str]:
    return [
        address(version),
        reverse("documents:reading", args=[version.document.uuid, version.number, 0]),
        image_address(version),
    ]
