"""The values that travel through the answer pipeline. Frozen, plain, without a database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray


class Decision(StrEnum):
    """What the pipeline decided before searching."""

    CHAT = "CHAT"
    SEARCH_AS_IS = "SEARCH_AS_IS"
    REWRITE = "REWRITE"
    CLARIFY = "CLARIFY"
    DECOMPOSE = "DECOMPOSE"


class Outcome(StrEnum):
    """How a turn ended. A refusal is as good an end as an answer."""

    ANSWERED = "answered"
    REFUSED = "refused"
    CHATTED = "chatted"
    CLARIFIED = "clarified"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


class NoticeKind(StrEnum):
    """What a notice is: anything shown to a reader that is not a cited sentence."""

    CHAT = "chat"
    CLARIFICATION = "clarification"
    CAVEAT = "caveat"
    CONFLICT = "conflict"
    REFUSAL = "refusal"
    DESK = "desk"
    OFFER = "offer"


@dataclass(frozen=True, slots=True)
class Question:
    """A reader's question after the door: cleaned and masked, at most 500 characters."""

    text: str
    language: str = "de"


@dataclass(frozen=True, slots=True)
class HistoryTurn:
    """One earlier turn, masked. Only ``question`` and ``answer`` are always known.

    ``query`` is its stand-alone query, ``subject`` what its pronouns stood for, ``offers`` the questions and choices
    that were shown with it, ``items`` what its answer listed, ``chunk_ids`` the evidence it had, best first. ``number``
    counts from 1.
    """

    question: str
    answer: str
    number: int = 0
    decision: Decision | None = None
    query: str = ""
    subject: str = ""
    offers: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    chunk_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """What the server knows and no text can change.

    ``now`` is aware of its time zone. ``party_slugs`` limits the search where a page or rule asks for it.
    ``audience`` is who asks (readers, embed, api, desk), ``builder_choices`` what was clicked in the question builder,
    ``sub_queries`` what editors have laid down to be asked for that combination.
    ``party_draw`` names the draw by which parties are heard that are compared; empty: they are heard by name.
    ``wants_offers`` where follow-up questions can be shown: looking for them takes longer than the answer.
    """

    now: datetime
    locale: str = "de"
    party_slugs: tuple[str, ...] = ()
    includes_desk: bool = False
    audience: str = "readers"
    builder_choices: tuple[str, ...] = ()
    wants_offers: bool = False
    sub_queries: tuple[str, ...] = ()
    party_draw: str = ""


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """Limits of a search, set by code on the server only. Empty means no limit."""

    on: date
    includes_desk: bool = False
    party_slugs: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    collection_slugs: tuple[str, ...] = ()
    # A document of no region speaks for all of them.
    regions: tuple[str, ...] = ()
    # One of them is enough.
    aspects: tuple[str, ...] = ()
    published_from: date | None = None
    published_until: date | None = None


@dataclass(frozen=True, slots=True)
class WantedTime:
    """From which time sources are wanted: it orders them and shuts nobody out.

    ``as_of`` is the day whose state of things counts, None for today; ``wants_earlier`` asks for what stood before the
    newest. Sources published from ``published_from`` to ``published_until`` come first. ``words`` are absolute times
    that stand for a reader's "next year".
    """

    as_of: date | None = None
    wants_earlier: bool = False
    published_from: date | None = None
    published_until: date | None = None
    words: str = ""

    def is_of_period(self, published: date | None) -> bool:
        """Say whether a source that came out on a day is of the period that is asked for; True without a period."""
        first, last = self.published_from, self.published_until
        if first is None and last is None:
            return True
        return published is not None and (first is None or first <= published) and (last is None or published <= last)


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """One thing to look for. ``preferred_party_slugs`` rank higher without shutting the others out."""

    text: str
    filters: SearchFilters
    language: str = "de"
    preferred_party_slugs: tuple[str, ...] = ()
    top_k: int = 5
    wanted: WantedTime = WantedTime()


@dataclass(frozen=True, slots=True)
class PassageScores:
    """Every rank and score that made a result. Ranks count from 1; None where that search did not find it.

    ``cosine`` is -1 to 1, ``bm25`` is 0 or more, ``fused`` is ``cosine + weight * bm25`` plus bonuses, ``reranked``
    orders the final list. ``recency`` is what age gave, below zero for what is outdated.
    """

    cosine: float | None = None
    bm25: float | None = None
    cosine_rank: int | None = None
    bm25_rank: int | None = None
    fused: float = 0.0
    fused_rank: int = 0
    reranked: float = 0.0
    recency: float = 0.0
    party_bonus: float = 0.0


@dataclass(frozen=True, slots=True)
class PassageSentence:
    """One sentence of a passage: its span in the passage's text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Source:
    """The document behind a passage, as a citation shows it. ``uuid`` and ``version`` make its public address.

    ``superseded_by`` are the uuids of newer documents on the same matter, the next first: it came out on
    ``superseded_on``.
    """

    uuid: str
    version: int
    title: str
    kind: str
    language: str = "de"
    publisher: str = ""
    author: str = ""
    party_slug: str = ""
    party_name: str = ""
    published: date | None = None
    address: str = ""
    collection_slug: str = ""
    superseded_by: tuple[str, ...] = ()
    superseded_on: date | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as retrieval returns it, with its scores and the reason it is there.

    ``start`` and ``end`` are characters of the version's text, end exclusive; ``text`` is exactly that span.
    ``context`` (heading path, header rows of a table) is searched with it and never quoted. ``vectors`` has a unit row
    for each sentence, or is None where they were not computed.
    """

    chunk_id: int
    source: Source
    text: str
    start: int
    end: int
    context: str = ""
    heading_path: tuple[str, ...] = ()
    page_from: int | None = None
    page_to: int | None = None
    token_count: int = 0
    scores: PassageScores = field(default_factory=PassageScores)
    sentences: tuple[PassageSentence, ...] = ()
    reason: str = ""
    vectors: NDArray[np.float32] | None = field(default=None, compare=False, repr=False)

    def __hash__(self) -> int:
        # Equal passages are of one chunk; without this, all their sentences are read whenever one is put in a set.
        return hash(self.chunk_id)


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a sentence stands: number of the source in this turn (from 1), passage and character span.

    ``quote`` is exactly ``version.text[start:end]``. ``context`` is the header row of a quoted table row. ``page`` is
    known only where the passage stands on one page.
    """

    number: int
    chunk_id: int
    source: Source
    start: int
    end: int
    quote: str
    page: int | None = None
    heading_path: tuple[str, ...] = ()
    context: str = ""


@dataclass(frozen=True, slots=True)
class Signals:
    """What retrieval knows about itself. The names are fixed by DESIGN.md section 5."""

    confidence_score: float
    source_diversity: Mapping[str, object]
    coverage_signals: Mapping[str, object]
    retrieval_metadata: Mapping[str, object]
    recommendation: str
