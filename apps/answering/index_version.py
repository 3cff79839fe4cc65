"""Which state of the sources an answer was made from."""

from __future__ import annotations

from django.db.models import Sum

from apps.answering.models import SourceChange


def index_version() -> str:
    """Return how often what answers may be made from has changed: documents, passages, parties, links. One query."""
    return str(SourceChange.objects.aggregate(total=Sum("changes"))["total"] or 0)
