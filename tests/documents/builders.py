"""What the tests of documents put on the shelf."""

from __future__ import annotations

from apps.documents.indexing import index_version
from apps.documents.models import Collection, Document
from apps.documents.services import DocumentFacts, Receipt, document_receive

PROGRAMME = """# Programm der Brückenpartei

## Rente

Das Rentenniveau bleibt bei 48 Prozent. Die Rente steigt mit den Löhnen.

## Wohnen

Wir bauen 400.000 Wohnungen im Jahr. Die Mieten dürfen höchstens um 6 Prozent steigen.
"""


def shelf(slug: str = "programme", **fields: object) -> Collection:
    """Return a collection with this address."""
    return Collection.objects.get_or_create(slug=slug, defaults={"name": slug.title(), **fields})[0]


def receive(text: str = PROGRAMME, filename: str = "programm.md", **arguments: object) -> Receipt:
    """Hand in a Markdown file without queueing it."""
    facts = DocumentFacts(**arguments.pop("facts", {}))  # type: ignore[arg-type]
    collection = arguments.pop("collection", None) or shelf()
    return document_receive(
        data=text.encode(), filename=filename, collection=collection, facts=facts, enqueue=False, **arguments
    )  # type: ignore[arg-type]


def ready(text: str = PROGRAMME, filename: str = "programm.md", **arguments: object) -> Document:
    """Return an indexed document."""
    receipt = receive(text, filename, **arguments)
    index_version(receipt.version.pk)
    return Document.objects.get(pk=receipt.document.pk)
