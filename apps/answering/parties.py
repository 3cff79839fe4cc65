"""The parties and public people as the pipeline needs them, kept in memory until an editor changes one."""

from __future__ import annotations

import threading

from django.db.models import Count, Max

from apps.documents.models import Party
from apps.rag.understanding import PartyDirectory, PartyName
from apps.rules.models import ProtectedTerm

_lock = threading.Lock()
_cached: tuple[object, PartyDirectory] | None = None


def party_directory() -> PartyDirectory:
    """Return the directory of all parties in their order. Two cheap queries tell whether it must be built anew."""
    global _cached
    people = ProtectedTerm.objects.filter(kind=ProtectedTerm.Kind.PERSON)
    version = tuple(
        tuple(rows.aggregate(count=Count("pk"), changed=Max("updated_at")).values())
        for rows in (Party.objects.all(), people)
    )
    with _lock:
        if _cached is None or _cached[0] != version:
            _cached = (version, _built())
        return _cached[1]


def _built() -> PartyDirectory:
    parties = list(Party.objects.order_by("order", "slug"))
    people = ProtectedTerm.objects.filter(kind=ProtectedTerm.Kind.PERSON).order_by("name")
    return PartyDirectory(
        [PartyName(party.slug, party.short_name) for party in parties],
        {party.slug: [party.short_name, party.name, *party.aliases] for party in parties},
        {person.name: person.aliases for person in people},
    )
