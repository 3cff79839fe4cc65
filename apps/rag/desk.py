"""What the editors have decided about a question, as the pipeline sees it: rules, their documents, answers and links.

Plain values: how a rule matches, and where its documents lie, is not known here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from apps.rag.types import Passage


class RuleStage(StrEnum):
    """How a rule matched."""

    EXACT = "exact"
    FUZZY = "fuzzy"
    TOKEN = "token"


class ExtraSearch(StrEnum):
    """Whether ordinary search adds passages to a rule's: never, always, or until there are so many."""

    OFF = "off"
    ON = "on"
    FILL = "fill"


class TextKind(StrEnum):
    """Which wording of the question a rule has matched."""

    QUESTION = "question"
    QUERY = "query"
    SUB_QUESTION = "sub_question"


@dataclass(frozen=True, slots=True)
class DeskDocument:
    """A document that a rule links. ``scope`` is full, first, range or section; chunks are counted from 1."""

    uuid: str
    title: str = ""
    scope: str = "full"
    first: int | None = None
    last: int | None = None
    path: tuple[str, ...] = ()
    most_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class DeskAnswer:
    """A curated answer. The desk's own text is shown under ``owner`` and date; else each sentence is in a source.

    ``expires`` is the last day on which it is shown.
    """

    text: str
    is_desk_text: bool = False
    owner: str = ""
    checked: date | None = None
    expires: date | None = None

    def is_shown(self, on: date) -> bool:
        """Say whether readers get it on a day."""
        return self.expires is None or on <= self.expires


@dataclass(frozen=True, slots=True)
class RuleHit:
    """A rule that holds for a question. ``score`` is per mille; ``words`` are the question's, as written.

    ``phrase`` is the trigger phrase that was met, empty at the token stage.
    """

    uid: str
    version: int
    title: str
    stage: RuleStage
    score: int = 1000
    words: tuple[str, ...] = ()
    phrase: str = ""
    documents: tuple[DeskDocument, ...] = ()
    # Addresses; what is shown is looked up.
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleRival:
    """A rule that matched too and lost. ``lost_by`` is the first point of the order at which it was worse."""

    uid: str
    version: int
    title: str
    stage: RuleStage
    score: int
    lost_by: str


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """What the rules of one release say. Without a hit only ``release`` is set (0: none is live).

    ``hits`` has the winner, then what was collected, in order. ``answer``, ``extra`` and ``fill_up_to`` are the
    winner's, and so are ``follow_ups``, questions to go on with. ``text`` is the wording that matched.
    ``cut_characters`` and ``cut_tokens`` of it were too much to match. ``token_budget`` is what all documents together
    may use.
    """

    release: int = 0
    hits: tuple[RuleHit, ...] = ()
    rivals: tuple[RuleRival, ...] = ()
    text: str = ""
    text_kind: TextKind = TextKind.QUESTION
    answer: DeskAnswer | None = None
    extra: ExtraSearch = ExtraSearch.FILL
    fill_up_to: int = 5
    token_budget: int = 0
    cut_characters: int = 0
    cut_tokens: int = 0
    follow_ups: tuple[str, ...] = ()

    @property
    def winner(self) -> RuleHit | None:
        return self.hits[0] if self.hits else None

    @property
    def names_the_question(self) -> bool:
        """Say whether an editor has named this very question: words alone do not turn "danke" into a search."""
        return self.winner is not None and self.winner.stage is not RuleStage.TOKEN

    @property
    def links(self) -> tuple[str, ...]:
        """The addresses of all hits, each once, in order."""
        return tuple(dict.fromkeys(address for hit in self.hits for address in hit.links))


@dataclass(frozen=True, slots=True)
class DocumentCut:
    """What of a linked document did not reach the answer. ``cut_by`` says why: see rules/passages.py for the codes."""

    uuid: str
    title: str
    rule_uid: str
    kept: int
    left_out: int
    tokens_left_out: int
    cut_by: str


@dataclass(frozen=True, slots=True)
class Handover:
    """The passages of a rule's documents in the editors' order, and what was cut of them."""

    passages: tuple[Passage, ...] = ()
    cuts: tuple[DocumentCut, ...] = ()


@dataclass(frozen=True, slots=True)
class DeskLink:
    """An article that the desk recommends. ``picture`` is an address of ours, or empty."""

    address: str
    title: str
    teaser: str = ""
    picture: str = ""


@dataclass(frozen=True, slots=True)
class AskedLinks:
    """Which links to look up: ``addresses`` in order, then those of ``party_slugs``; valid on a day.

    Of each party there are at most ``per_party``, and of several parties as many of the one as of the other.
    """

    on: date
    addresses: tuple[str, ...] = ()
    party_slugs: tuple[str, ...] = ()
    per_party: int = 2


class AnswerUse(StrEnum):
    """What became of a rule's curated answer."""

    NONE = "none"
    DESK_TEXT = "desk_text"
    CITED = "cited"
    EXPIRED = "expired"
    # A sentence was in none of the passages: dropped.
    NOT_IN_SOURCES = "not_in_sources"


@dataclass(frozen=True, slots=True)
class RuleUse:
    """What became of a rule in a turn: what was cut, the curated answer, and how many passages search has added.

    ``failed_sentence`` counts from 1 and is the first sentence of the curated answer that no passage holds, else 0.
    ``stands_in`` says that search answers against the rule's wish: none of its documents can be read. ``search_broke``
    says that it was wanted beside the rule and did not answer.
    """

    cuts: tuple[DocumentCut, ...] = ()
    answer: AnswerUse = AnswerUse.NONE
    failed_sentence: int = 0
    searched: bool = True
    added: int = 0
    stands_in: bool = False
    search_broke: bool = False


def rule_reason(uid: str) -> str:
    """Return why a passage is there that a rule has brought."""
    return f"rule:{uid}"
