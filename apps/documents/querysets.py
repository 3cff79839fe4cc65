"""Reads over documents and chunks: who may quote what, and search."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db import models


class DocumentQuerySet(models.QuerySet[Any]):
    """Documents by what may be done with them."""

    def answerable(self, on: date) -> DocumentQuerySet:
        """What the public bot may quote on a day."""
        return (
            # The desk keeps some collections to itself.
            self.filter(collection__visibility="public")
            # A document that is read anew stays quotable in its current version.
            .filter(current_version__isnull=False, current_version__needs_review=False)
            # Neither before its time nor after.
            .filter(models.Q(valid_from__isnull=True) | models.Q(valid_from__lte=on))
            .filter(models.Q(valid_until__isnull=True) | models.Q(valid_until__gte=on))
        )


class ChunkQuerySet(models.QuerySet[Any]):
    """Chunks by who may see them; search is added in its own modules."""
