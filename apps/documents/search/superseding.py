"""Which newer documents stand before an outdated one, and from when on they count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from apps.documents.models import Document


def superseding_lines(documents: Iterable[Document]) -> Mapping[int, tuple[str, ...]]:
    """Return for each superseded document the uuids of all that supersede it, the next first.

    No query without a superseded document, else one for each step of the longest line.
    """
    first = {each.pk: each.superseded_by_id for each in documents if each.superseded_by_id is not None}
    known: dict[int, tuple[str, int | None]] = {}
    wanted = set(first.values())
    while wanted:
        rows = Document.objects.filter(pk__in=wanted).values_list("pk", "uuid", "superseded_by_id")
        known.update({pk: (str(uuid), following) for pk, uuid, following in rows})
        wanted = {following for _, following in known.values() if following is not None} - known.keys()
    return {pk: tuple(_line(following, known)) for pk, following in first.items()}


def _line(following: int | None, known: Mapping[int, tuple[str, int | None]]) -> Iterable[str]:
    for _ in known:
        if following is None or following not in known:
            return
        uuid, following = known[following]
        yield uuid


def superseded_on(document: Document) -> date | None:
    """Return the day from which the next newer document counts; one without any date has always been there."""
    newer = document.superseded_by
    if newer is None:
        return None
    days = [day for day in (newer.published, newer.valid_from) if day]
    return max(days) if days else document.published or date.min
