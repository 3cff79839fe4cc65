"""The tables of the collection."""

from apps.documents.models.chunks import Chunk, EmbeddedText
from apps.documents.models.collections import Collection
from apps.documents.models.documents import Document, DocumentVersion, Figure, Page, Section
from apps.documents.models.feeds import Feed
from apps.documents.models.links import CuratedLink
from apps.documents.models.parties import Party

__all__ = [
    "Chunk",
    "Collection",
    "CuratedLink",
    "Document",
    "DocumentVersion",
    "EmbeddedText",
    "Feed",
    "Figure",
    "Page",
    "Party",
    "Section",
]
