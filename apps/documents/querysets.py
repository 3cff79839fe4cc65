"""Reads over documents and chunks: who may quote what, and search."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from django.db import models

from apps.rag.types import Passage, SearchFilters, SearchQuery

# States of a chunk (Chunk.Review) in which nobody but the desk sees it; the SQL of search names them too.
HELD_BACK: Final = ("waiting", "kept_out")


class DocumentQuerySet(models.QuerySet[Any]):
    """Documents by what may be done with them."""

    def answerable(self, on: date) -> DocumentQuerySet:
        """What the public bot may quote on a day."""
        # The desk keeps some collections to itself.
        return self.filter(collection__visibility="public").valid(on)

    def valid(self, on: date) -> DocumentQuerySet:
        """What can be quoted on a day at all, by readers or by the desk."""
        return (
            # A document that is read anew stays quotable in its current version.
            self.filter(current_version__isnull=False, current_version__needs_review=False)
            # Neither before its time nor after.
            .filter(models.Q(valid_from__isnull=True) | models.Q(valid_from__lte=on))
            .filter(models.Q(valid_until__isnull=True) | models.Q(valid_until__gte=on))
        )

    def within(self, filters: SearchFilters) -> DocumentQuerySet:
        """What a search may find. The one place that turns its limits into conditions; empty means no limit."""
        documents = self.valid(filters.on) if filters.includes_desk else self.answerable(filters.on)
        if filters.party_slugs:
            documents = documents.filter(party__slug__in=filters.party_slugs)
        if filters.kinds:
            documents = documents.filter(kind__in=filters.kinds)
        if filters.collection_slugs:
            documents = documents.filter(collection__slug__in=filters.collection_slugs)
        if filters.regions:
            documents = documents.filter(models.Q(region="") | models.Q(region__in=filters.regions))
        if filters.aspects:
            documents = documents.filter(aspects__overlap=list(filters.aspects))
        if filters.published_from:
            documents = documents.filter(published__gte=filters.published_from)
        if filters.published_until:
            documents = documents.filter(published__lte=filters.published_until)
        return documents

    def newest_of(self, line: list[int], on: date) -> Any:
        """Return the last of these documents, given by id, that readers may see on a day; None without one."""
        shown = self.answerable(on).filter(pk__in=line).select_related("current_version").in_bulk()
        return next((shown[pk] for pk in reversed(line) if pk in shown), None)

    def with_passages_waiting(self) -> DocumentQuerySet:
        """With ``passages_waiting``: how many of their passages wait for an editor, None for none."""
        from apps.documents.models import Chunk

        held = Chunk.objects.held_back().filter(document=models.OuterRef("pk"), review="waiting").order_by()
        counted = held.values("document").annotate(counted=models.Count("pk")).values("counted")
        return self.annotate(passages_waiting=models.Subquery(counted))

    def waiting_for_an_editor(self) -> DocumentQuerySet:
        """Recognised text that nobody has read, or passages that give orders to a machine."""
        from apps.documents.models import Chunk

        waiting = Chunk.objects.held_back().filter(review="waiting", document=models.OuterRef("pk"))
        return self.filter(models.Q(status="review") | models.Exists(waiting))

    def spoken_by(self, party_slugs: tuple[str, ...]) -> DocumentQuerySet:
        """What these parties say themselves, and what no party says: others' own words are left out."""
        return self.filter(models.Q(party__isnull=True) | models.Q(party__slug__in=party_slugs))


class ChunkQuerySet(models.QuerySet[Any]):
    """Chunks by who may see them, and what a search finds among them."""

    def held_back(self) -> ChunkQuerySet:
        """What gives orders to a machine and no editor has approved."""
        return self.filter(review__in=HELD_BACK)

    def quotable(self) -> ChunkQuerySet:
        """What an answer, a rule or a source page may use."""
        return self.exclude(review__in=HELD_BACK)

    def searchable(self, filters: SearchFilters) -> ChunkQuerySet:
        """Chunks of current versions inside the limits of a search."""
        from apps.documents.models import Document

        chunks = self.quotable().filter(version_id__in=Document.objects.within(filters).values("current_version_id"))
        return chunks.filter(language__in=filters.languages) if filters.languages else chunks

    def search(self, query: SearchQuery) -> list[Passage]:
        """Return at most ``query.top_k`` passages, best first, by words and vectors among all chunks."""
        from apps.documents.search import search

        return search(query)
