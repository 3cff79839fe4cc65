"""Which parties a question names; their own words then come first and other parties' words are left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from apps.documents.models import Document, Party
from apps.documents.search.keeping import keep, kept_by_version
from apps.language.parties import PartyMention, PartyRecogniser
from apps.rag.types import SearchFilters

_Names = tuple[tuple[str, tuple[str, ...]], ...]

_ARTICLE_BEFORE: Final = re.compile(r"\b(?:die|der|den|dem|des|das|the)\s+$", re.IGNORECASE)
_WORD: Final = re.compile(r"\w{2}")
_read_parties: Final = kept_by_version(1)
_read_questions: Final = kept_by_version(256)


@dataclass(frozen=True, slots=True)
class AskedParties:
    """What a question says about parties.

    ``speaking`` are the named ones that have documents of their own inside the filters. ``text`` is the question
    without their names, which their own documents hardly ever use; ``names`` are those names, to be looked for in
    what others write.
    """

    speaking: tuple[str, ...]
    text: str
    names: str = ""


def asked_parties(text: str, filters: SearchFilters, index: str = "") -> AskedParties:
    """Find the parties that `text` names. One query, two when it names one; none where that is kept."""
    return keep(_read_questions, index, (text, filters), lambda: _asked_parties(text, filters, index))


def _asked_parties(text: str, filters: SearchFilters, index: str) -> AskedParties:
    mentions = _recogniser(keep(_read_parties, index, (), _names)).find(text)
    if not mentions:
        return AskedParties((), text)
    named = dict.fromkeys(mention.key for mention in mentions)
    documents = Document.objects.within(filters).filter(party__slug__in=named)
    own = set(documents.order_by().values_list("party__slug", flat=True).distinct())
    speaking = tuple(slug for slug in named if slug in own)
    spoken_of = [mention for mention in mentions if mention.key in own]
    bare = _without(text, spoken_of)
    if not spoken_of or not _WORD.search(bare):
        return AskedParties(speaking, text)
    return AskedParties(speaking, bare, " ".join(mention.text for mention in spoken_of))


def _names() -> _Names:
    rows = Party.objects.order_by("id").values_list("slug", "short_name", "name", "aliases")
    return tuple((slug, (short, name, *aliases)) for slug, short, name, aliases in rows)


@lru_cache(maxsize=4)
def _recogniser(names: _Names) -> PartyRecogniser:
    """Built anew when an editor changes a name: the names are the key."""
    return PartyRecogniser(dict(names))


def _without(text: str, mentions: list[PartyMention]) -> str:
    """Cut the names out, from the last to the first, with the article before them."""
    for mention in sorted(mentions, key=lambda mention: -mention.start):
        text = _ARTICLE_BEFORE.sub("", text[: mention.start]) + " " + text[mention.end :]
    return " ".join(text.split()).strip(" :,;-–")
