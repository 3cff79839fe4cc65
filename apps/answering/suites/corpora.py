"""Indexes the corpora of the answer suites through the production code, in a throw-away database."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.test import override_settings

from apps.answering.settings_versions import AnswerSettingsVersion, ModelLimits
from apps.core.suites import SuiteContext
from apps.documents.indexing import index_version
from apps.documents.models import Collection, Document, Party
from apps.documents.parsing.types import Block, BlockKind, ParsedDocument
from apps.documents.sectioning import section_document
from apps.documents.services import DocumentFacts, document_receive
from apps.documents.versions import version_write_text
from apps.rag.settings import PipelineSettings

# File, short name, full name, other names.
PROGRAMMES: Final = (
    ("spd", "SPD", "Sozialdemokratische Partei Deutschlands", ("Sozialdemokraten",)),
    ("cdu-csu", "CDU/CSU", "Christlich Demokratische und Christlich-Soziale Union", ("CDU", "CSU", "Union")),
    ("gruene", "Grüne", "Bündnis 90/Die Grünen", ("Grünen", "Bündnis 90", "Greens")),
    ("linke", "Die Linke", "Die Linke (Partei)", ("Linke", "Linkspartei")),
    ("fdp", "FDP", "Freie Demokratische Partei", ("Freie Demokraten", "Liberale")),
    ("afd", "AfD", "Alternative für Deutschland", ()),
    ("bsw", "BSW", "Bündnis Sahra Wagenknecht", ()),
    ("volt", "Volt", "Volt Deutschland", ()),
    ("ssw", "SSW", "Südschleswigscher Wählerverband", ()),
    ("diebasis", "dieBasis", "Basisdemokratische Partei Deutschland", ("Die Basis",)),
    ("buendnis-deutschland", "Bündnis Deutschland", "Bündnis Deutschland (Partei)", ()),
)


# For suites that measure what is answered and not how soon: a busy machine must not change their figures.
PATIENT: Final = AnswerSettingsVersion(
    name="patient",
    pipeline=PipelineSettings(search_seconds=120.0, embed_seconds=120.0),
    limits=ModelLimits(first_token_seconds=60.0, whole_seconds=120.0, rewrite_seconds=60.0),
)


@dataclass(frozen=True, slots=True)
class AskedParagraph:
    """A question of XQuAD with its gold answer, the document that holds its paragraph, and the article around it."""

    question: str
    answer: str
    document_uuid: str
    article: str = ""


@contextmanager
def own_files() -> Iterator[None]:
    """Keep what a suite stores out of the operator's files."""
    with tempfile.TemporaryDirectory() as folder, override_settings(MEDIA_ROOT=folder):
        yield


def index_xquad(context: SuiteContext) -> list[AskedParagraph]:
    """Index each paragraph as a document of its own; return the questions."""
    articles = json.loads((context.folder("xquad-de") / "xquad.de.json").read_text(encoding="utf-8"))["data"]
    collection = Collection.objects.create(slug="xquad", name="XQuAD")
    asked: list[AskedParagraph] = []
    for place, article in enumerate(articles, 1):
        title = article["title"].replace("_", " ")
        for number, paragraph in enumerate(article["paragraphs"], 1):
            uuid = index_text([paragraph["context"]], f"{title} ({number})", collection)
            asked += [
                AskedParagraph(entry["question"], entry["answers"][0]["text"], uuid, title)
                for entry in paragraph["qas"]
            ]
        context.say(f"{place} of {len(articles)} articles indexed")
    return asked


def index_text(paragraphs: Sequence[str], title: str, collection: Collection) -> str:
    """Index paragraphs as they stand and return the document's uuid: parsing is another suite's subject."""
    facts = DocumentFacts(title=title, kind=Document.Kind.EXPLAINER, language="de")
    data = "\n\n".join(paragraphs).encode()
    receipt = document_receive(data=data, filename="paragraph.txt", collection=collection, facts=facts, enqueue=False)
    parsed = ParsedDocument(blocks=tuple(Block(BlockKind.PARAGRAPH, text) for text in paragraphs), language="de")
    version_write_text(receipt.version, section_document(parsed), ())
    index_version(receipt.version.pk)
    return str(receipt.document.uuid)


def index_programmes(context: SuiteContext, *, at_most: int) -> None:
    """Index the first ``at_most`` party programmes of 2025 from their PDF files."""
    folder: Path = context.folder("programmes-2025") / "pdf"
    collection = Collection.objects.create(slug="programmes", name="Programmes")
    for order, (slug, short_name, name, aliases) in enumerate(PROGRAMMES[:at_most], 1):
        party = Party.objects.create(slug=slug, name=name, short_name=short_name, aliases=list(aliases), order=order)
        facts = DocumentFacts(
            title=f"Wahlprogramm {short_name}", kind=Document.Kind.PROGRAMME, party=party, language="de"
        )
        path = folder / f"{slug}.pdf"
        receipt = document_receive(
            data=path.read_bytes(), filename=path.name, collection=collection, facts=facts, enqueue=False
        )
        outcome = index_version(receipt.version.pk)
        context.say(f"{short_name}: {outcome.value}, {receipt.document.chunks.count()} chunks")
