"""Which parties a question names; their own words then come first and other parties' words are left out."""

from __future__ import annotations

from functools import lru_cache

from apps.documents.models import Party
from apps.language.parties import PartyRecogniser

_Names = tuple[tuple[str, tuple[str, ...]], ...]


def named_parties(text: str) -> tuple[str, ...]:
    """Return the slugs of the parties that `text` names, in its order, each once. One query."""
    if not text.strip():
        return ()
    rows = Party.objects.order_by("id").values_list("slug", "short_name", "name", "aliases")
    names = tuple((slug, (short_name, name, *aliases)) for slug, short_name, name, aliases in rows)
    return tuple(dict.fromkeys(mention.key for mention in _recogniser(names).find(text)))


@lru_cache(maxsize=4)
def _recogniser(names: _Names) -> PartyRecogniser:
    """Built anew when an editor changes a name: the names are the key."""
    return PartyRecogniser(dict(names))
