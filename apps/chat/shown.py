"""What a page shows of a turn: plain values that templates read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from apps.chat.texts import NoticeText
from apps.querylog.models import Turn

# What a turn's versions name: the draw by which the parties of its answer stand; without it they stand by name.
DRAW: Final = "party_draw"


@dataclass(frozen=True, slots=True)
class ShownCitation:
    """A numbered link to the exact place."""

    number: int
    href: str
    title: str
    party: str
    party_slug: str
    publisher: str
    author: str
    kind: str
    published: date | None
    page: int | None
    heading: str
    months_old: int = 0


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """One sentence with its links. ``lang`` is set where it differs from the page's.

    ``place`` counts the sentences of an answer as they were shown; reports name it.
    """

    text: str
    citations: tuple[ShownCitation, ...]
    lang: str
    is_opinion: bool
    author: str
    is_quote: bool = True
    place: int = 0


@dataclass(frozen=True, slots=True)
class ShownGroup:
    """Sentences of one speaker; ``name`` is empty where nobody needs to be named, ``slug`` where it is no party."""

    name: str
    slug: str
    sentences: tuple[ShownSentence, ...]


@dataclass(frozen=True, slots=True)
class ShownLink:
    """An article that the desk recommends; ``site`` is the name of its host."""

    href: str
    title: str
    teaser: str
    picture: str
    site: str


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """What one of several sources that differ says, word for word. ``lang`` is set where it differs from the page's."""

    text: str
    source: ShownCitation
    lang: str


@dataclass(frozen=True, slots=True)
class ShownNotice:
    """A notice in words, with documents to look at and articles to read on.

    The desk's own text comes in ``paragraphs``, ``signed`` and with its date. ``claims`` of sources that differ have
    the newer one first.
    """

    kind: str
    text: NoticeText
    choices: tuple[str, ...]
    nearest: tuple[ShownCitation, ...]
    links: tuple[ShownLink, ...] = ()
    paragraphs: tuple[str, ...] = ()
    signed: str = ""
    as_of: date | None = None
    claims: tuple[ShownClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownSaid:
    """What the reader has said about an answer so far; ``places`` are the sentences that were reported."""

    verdict: str
    is_explained: bool
    places: frozenset[int]
    share: str


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """Everything a page shows of a turn. ``desk`` stands above the sentences, ``read_on`` below the sources.

    ``offers`` are questions to go on with.
    """

    turn: Turn
    groups: tuple[ShownGroup, ...]
    more: tuple[ShownGroup, ...]
    notices: tuple[ShownNotice, ...]
    sources: tuple[ShownCitation, ...]
    desk: tuple[ShownNotice, ...] = ()
    read_on: tuple[ShownLink, ...] = ()
    offers: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    said: ShownSaid | None = None

    @property
    def is_comparison(self) -> bool:
        return len({group.slug for group in self.groups} - {""}) > 1

    @property
    def is_drawn(self) -> bool:
        return bool(self.turn.versions.get(DRAW))

    @property
    def sentences(self) -> list[ShownSentence]:
        """Return all sentences in the order they were shown."""
        both = [sentence for group in (*self.groups, *self.more) for sentence in group.sentences]
        return sorted(both, key=lambda sentence: sentence.place)

    @property
    def has_other_language(self) -> bool:
        return any(sentence.lang for group in (*self.groups, *self.more) for sentence in group.sentences)
