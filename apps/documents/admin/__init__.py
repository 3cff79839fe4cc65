"""The editors' desk for documents."""

from apps.documents.admin.documents import DocumentAdmin
from apps.documents.admin.links import CuratedLinkAdmin
from apps.documents.admin.parts import ChunkAdmin, DocumentVersionAdmin, SectionAdmin
from apps.documents.admin.shelves import CollectionAdmin, FeedAdmin, PartyAdmin

__all__ = [
    "ChunkAdmin",
    "CollectionAdmin",
    "CuratedLinkAdmin",
    "DocumentAdmin",
    "DocumentVersionAdmin",
    "FeedAdmin",
    "PartyAdmin",
    "SectionAdmin",
]
