"""The values of the rule engine: a rule as a release holds it. Pure; matching, checks, import and diff share them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Final

DEFAULT_THRESHOLD: Final = 90
DEFAULT_PRIORITY: Final = 100
DEFAULT_FILL: Final = 5
MOST_LEVELS: Final = 5
# Between the alternatives of one slot: "München | Münchner".
ALTERNATIVES: Final = "|"
SHORTEST_ENDING: Final = 4


class Stage(StrEnum):
    """How a rule matched, in the order in which the stages are tried."""

    EXACT = "exact"
    FUZZY = "fuzzy"
    TOKEN = "token"

    @property
    def rank(self) -> int:
        """Return 0 for the stage that wins over the others."""
        return _STAGES.index(self)


_STAGES: Final = (Stage.EXACT, Stage.FUZZY, Stage.TOKEN)


class Status(StrEnum):
    """Where a rule stands. Only active ones, with active ancestors, are ever matched."""

    DRAFT = "draft"
    ACTIVE = "active"
    PAUSED = "paused"
    ARCHIVED = "archived"


class Role(StrEnum):
    """What a token list is for. Core and anchor are both needed; exclude vetoes fuzzy and token."""

    CORE = "core"
    ANCHOR = "anchor"
    EXCLUDE = "exclude"


class Need(StrEnum):
    """How many slots of a list must be found."""

    ALL = "all"
    ANY = "any"
    COUNT = "count"
    PERCENT = "percent"


class WordMode(StrEnum):
    """How a slot meets a word of the question."""

    FORM = "form"
    EXACTLY = "exactly"
    STARTS = "starts"
    ENDS = "ends"


class HitPolicy(StrEnum):
    """Whether further rules add their documents."""

    STOP = "stop"
    COLLECT = "collect"


class Extra(StrEnum):
    """Whether ordinary search adds passages: never, always, or until there are ``fill_up_to``."""

    OFF = "off"
    ON = "on"
    FILL = "fill"


class ScopeKind(StrEnum):
    """How much of a linked document a rule hands over."""

    FULL = "full"
    FIRST = "first"
    RANGE = "range"
    SECTION = "section"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A trigger phrase as written. ``is_fuzzy`` lets it match similar questions too."""

    text: str
    is_fuzzy: bool = True


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing that must be said: a word or several in a row; alternatives stand between ``|``."""

    text: str
    mode: WordMode = WordMode.FORM


@dataclass(frozen=True, slots=True)
class TokenList:
    """Slots and how many of them are needed. ``amount`` is a count from 1 or a percentage from 1 to 100."""

    slots: tuple[Slot, ...]
    need: Need = Need.ALL
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """How much of a document: all, chunks ``first`` to ``last`` (from 1, inclusive), or the sections under a path."""

    kind: ScopeKind = ScopeKind.FULL
    first: int | None = None
    last: int | None = None
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkedDocument:
    """A document that a rule hands over. ``title`` is what it was called when it was linked."""

    uuid: str
    title: str = ""
    scope: Scope = field(default_factory=Scope)
    most_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class CuratedAnswer:
    """The desk's answer. As its own text it is shown under ``owner`` and date; else it must pass the citation gate."""

    text: str
    is_desk_text: bool = False
    owner: str = ""
    checked: date | None = None
    expires: date | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A question that the rule must win, or must not; ``stage`` when the editor asks for one."""

    question: str
    must_match: bool = True
    stage: Stage | None = None


@dataclass(frozen=True, slots=True)
class RuleSpec:
    """One rule with all its rows. ``valid_from`` is inclusive, ``valid_until`` exclusive, both aware of their zone.

    Empty ``languages``, ``audiences`` or ``builder_choices`` set no limit. ``threshold`` None is the parent's, else the
    release's. ``links`` are addresses of curated links. ``version`` is 0 for what was never saved.
    """

    uid: str
    title: str = ""
    parent: str | None = None
    position: int = 0
    status: Status = Status.ACTIVE
    priority: int = DEFAULT_PRIORITY
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    languages: tuple[str, ...] = ()
    audiences: tuple[str, ...] = ()
    builder_choices: tuple[str, ...] = ()
    hit_policy: HitPolicy = HitPolicy.STOP
    extra: Extra = Extra.FILL
    fill_up_to: int = DEFAULT_FILL
    threshold: int | None = None
    phrases: tuple[Phrase, ...] = ()
    core: TokenList | None = None
    anchor: TokenList | None = None
    exclude: TokenList | None = None
    documents: tuple[LinkedDocument, ...] = ()
    links: tuple[str, ...] = ()
    answer: CuratedAnswer | None = None
    examples: tuple[Example, ...] = ()
    tags: tuple[str, ...] = ()
    owner: str = ""
    reason: str = ""
    version: int = 0


@dataclass(frozen=True, slots=True)
class ProtectedName:
    """A name that never matches another by similarity. ``key`` is the same for all its aliases."""

    key: str
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleSet:
    """What a release freezes: rules, protected names, threshold and the tokens that linked documents may use.

    ``release`` is the release's number, 0 for a draft.
    """

    rules: tuple[RuleSpec, ...]
    names: tuple[ProtectedName, ...] = ()
    threshold: int = DEFAULT_THRESHOLD
    token_budget: int = 6_000
    release: int = 0


@dataclass(frozen=True, slots=True)
class MatchContext:
    """What the server knows: ``now`` is aware of its zone; ``builder_choices`` are what the reader clicked."""

    now: datetime
    language: str = "de"
    audience: str = "readers"
    builder_choices: frozenset[str] = frozenset()


class LostBy(StrEnum):
    """The first point at which a rival was worse than the winner: the parts of the total order."""

    STAGE = "stage"
    PRIORITY = "priority"
    DEPTH = "depth"
    WORDS = "words"
    SCORE = "score"
    VALIDITY = "validity"
    UID = "uid"


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule that matched. ``score`` is 0 to 1000 (per mille, rounded down); ``words`` are the question's, as written.

    ``text_number`` says which of the texts matched, from 0; ``depth`` counts from 1 at the root. ``lost_by`` is None
    for the winner and what it collected.
    """

    uid: str
    version: int
    stage: Stage
    score: int
    words: tuple[str, ...]
    text_number: int
    depth: int
    phrase: str = ""
    lost_by: LostBy | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """What of a question was not matched: characters after the 512th and tokens after the 64th."""

    characters: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    """The answer of ``match()``. ``winners`` is empty without a hit; the first is the winner, then what was collected.

    ``rivals`` also matched at the winner's stage and lost.
    """

    winners: tuple[Hit, ...] = ()
    rivals: tuple[Hit, ...] = ()
    cut: Cut = field(default_factory=Cut)
    release: int = 0


class Outside(StrEnum):
    """Why a rule does not count for this reader now."""

    TIME = "time"
    LANGUAGE = "language"
    AUDIENCE = "audience"
    BUILDER = "builder"
    STATUS = "status"
