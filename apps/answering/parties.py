"""The parties as the pipeline needs them, kept in memory until an editor changes one."""

from __future__ import annotations

import threading

from django.db.models import Count, Max

from apps.documents.models import Party
from apps.rag.understanding import PartyDirectory, PartyName

_lock = threading.Lock()
_cached: tuple[object, PartyDirectory] | None = None


def party_directory() -> PartyDirectory:
    """Return the directory of all parties in their order. One cheap query tells whether it must be built anew."""
    global _cached
    state = Party.objects.aggregate(count=Count("pk"), changed=Max("updated_at"))
    version = (state["count"], state["changed"])
    with _lock:
        if _cached is None or _cached[0] != version:
            _cached = (version, _built())
        return _cached[1]


def _built() -> PartyDirectory:
    parties = list(Party.objects.order_by("order", "slug"))
    return PartyDirectory(
        [PartyName(party.slug, party.short_name) for party in parties],
        {party.slug: [party.short_name, party.name, *party.aliases] for party in parties},
    )
