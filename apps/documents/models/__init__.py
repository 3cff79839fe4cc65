"""The tables of the collection."""

from apps.documents.models.chunks import Chunk, EmbeddedText
from apps.documents.models.collections import Collection
from apps.documents.models.documents import Document, DocumentVersion, Figure, Page, Section
from apps.documents.models.feeds import Feed
from apps.documents.models.links import CuratedLink
from apps.documents.models.parties import Party
from apps.documents.models.search import CorpusChange, IndexedChunk, Posting, Term, Word

__all__ = [
    "Chunk",
    "Collection",
    "CorpusChange",
    "CuratedLink",
    "Document",
    "DocumentVersion",
    "EmbeddedText",
    "Feed",
    "Figure",
    "IndexedChunk",
    "Page",
    "Party",
    "Posting",
    "Section",
    "Term",
    "Word",
]
