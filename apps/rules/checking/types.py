"""What the checks find, and what they must be told about the world. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as _field
from datetime import date, datetime
from enum import StrEnum

from apps.rules.types import Status, WordMode


class Level(StrEnum):
    """How bad it is. An error can never be right and is not saved; a blocker is saved, but not released."""

    ERROR = "error"
    BLOCKER = "blocker"
    WARNING = "warning"
    NOTE = "note"


class Code(StrEnum):
    """What was found. ``apps/rules/texts.py`` has the sentences."""

    UID_BAD = "uid_bad"
    TITLE_MISSING = "title_missing"
    TEXT_TOO_LONG = "text_too_long"
    NUMBER_OUT_OF_RANGE = "number_out_of_range"
    LANGUAGE_BAD = "language_bad"
    AUDIENCE_UNKNOWN = "audience_unknown"
    CHOICE_BAD = "choice_bad"
    CHOICE_UNKNOWN = "choice_unknown"
    OWNER_UNKNOWN = "owner_unknown"
    VALIDITY_REVERSED = "validity_reversed"
    EXPIRED = "expired"
    FUTURE = "future"
    THRESHOLD_LOW = "threshold_low"

    PHRASE_EMPTY = "phrase_empty"
    PHRASE_TOO_LONG = "phrase_too_long"
    PHRASE_TWICE = "phrase_twice"
    PHRASE_STOP_WORDS = "phrase_stop_words"
    PHRASE_IN_OTHER_RULE = "phrase_in_other_rule"
    PHRASE_ELSEWHERE = "phrase_elsewhere"
    PHRASE_GATED = "phrase_gated"

    LIST_EMPTY = "list_empty"
    SLOT_EMPTY = "slot_empty"
    SLOT_TOO_LONG = "slot_too_long"
    SLOT_TWICE = "slot_twice"
    SLOTS_ALIKE = "slots_alike"
    AMOUNT_BAD = "amount_bad"
    NEED_TOO_HIGH = "need_too_high"
    ENDING_TOO_SHORT = "ending_too_short"
    ENDING_MEETS = "ending_meets"
    STOP_WORDS_SUFFICE = "stop_words_suffice"
    EXCLUDE_ONLY = "exclude_only"
    EXCLUDES_ITSELF = "excludes_itself"
    NEVER_WINS = "never_wins"
    TOO_BROAD = "too_broad"
    SHADOWED = "shadowed"
    LISTS_SHADOWED = "lists_shadowed"

    PARENT_MISSING = "parent_missing"
    PARENT_CYCLE = "parent_cycle"
    TOO_DEEP = "too_deep"
    OUTSIDE_PARENT = "outside_parent"
    NOT_ACTIVE = "not_active"
    PARENT_NOT_ACTIVE = "parent_not_active"
    PARENT_NOT_PUBLISHED = "parent_not_published"
    LEAVES_WITH_PARENT = "leaves_with_parent"
    HAS_CHILDREN = "has_children"

    DOCUMENT_BAD = "document_bad"
    DOCUMENT_TWICE = "document_twice"
    DOCUMENT_MISSING = "document_missing"
    DOCUMENT_REJECTED = "document_rejected"
    DOCUMENT_BEING_READ = "document_being_read"
    DOCUMENT_NOT_READY = "document_not_ready"
    DOCUMENT_DESK_ONLY = "document_desk_only"
    DOCUMENT_EXPIRED = "document_expired"
    DOCUMENT_FUTURE = "document_future"
    DOCUMENT_NEWER = "document_newer"
    SCOPE_BAD = "scope_bad"
    SCOPE_EMPTY = "scope_empty"
    SCOPE_SHORT = "scope_short"
    OVER_BUDGET = "over_budget"
    HANDS_OVER_NOTHING = "hands_over_nothing"

    LINK_BAD = "link_bad"
    LINK_TWICE = "link_twice"
    LINK_UNKNOWN = "link_unknown"
    LINK_UNTITLED = "link_untitled"
    LINK_DEAD = "link_dead"
    LINK_EXPIRED = "link_expired"
    ANSWER_EMPTY = "answer_empty"
    ANSWER_UNSIGNED = "answer_unsigned"
    ANSWER_EXPIRED = "answer_expired"

    EXAMPLE_EMPTY = "example_empty"
    EXAMPLE_LOST = "example_lost"
    EXAMPLE_UNMATCHED = "example_unmatched"
    EXAMPLE_MATCHES = "example_matches"
    EXAMPLE_STAGE = "example_stage"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know about a rule. ``field`` is the name of a field of RuleSpec, or empty for the whole rule.

    ``params`` fill the sentence; ``others`` are uids of rules that it names.
    """

    code: Code
    level: Level
    uid: str
    field: str = ""
    params: Mapping[str, str | int] = _field(default_factory=dict)
    others: tuple[str, ...] = ()

    @property
    def blocks_save(self) -> bool:
        return self.level is Level.ERROR

    @property
    def blocks_release(self) -> bool:
        return self.level in (Level.ERROR, Level.BLOCKER)


class DocumentState(StrEnum):
    """What can be done with a linked document today."""

    READY = "ready"
    BEING_READ = "being_read"
    NOT_READY = "not_ready"
    REJECTED = "rejected"
    DESK_ONLY = "desk_only"
    EXPIRED = "expired"
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class DocumentFact:
    """A document as it stands today. ``version`` is the number of the version that readers get."""

    title: str
    state: DocumentState = DocumentState.READY
    version: int = 1


@dataclass(frozen=True, slots=True)
class Handover:
    """What one link of a rule hands over today, in the order of the links.

    ``passages`` and ``tokens`` are those of its scope; ``left_out`` passages do not fit into the budget. ``of`` counts
    the passages of the whole document.
    """

    passages: int
    tokens: int
    left_out: int = 0
    of: int = 0


@dataclass(frozen=True, slots=True)
class LinkFact:
    """A curated link as it stands today. ``valid_until`` is its last day."""

    title: str
    is_dead: bool = False
    valid_until: date | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the recent past, masked."""

    text: str
    language: str = "de"
    builder_choices: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Facts:
    """What the checks know of the world. ``now`` is aware of its zone, ``today`` is the newsroom's day.

    ``handovers`` are by rule, one for each of its links to documents. ``seen`` is the document's version that an
    editor had before them, by (rule, document). ``asleep`` has title and status of rules above that are not in the set.
    ``owners`` and ``builder_choices`` are None where nobody knows.
    ``endings`` are words of the collection and of questions that a "starts with" or "ends with" meets, by (mode,
    folded text). ``broad_share`` is in percent.
    """

    now: datetime
    today: date
    documents: Mapping[str, DocumentFact] = _field(default_factory=dict)
    handovers: Mapping[str, tuple[Handover, ...]] = _field(default_factory=dict)
    links: Mapping[str, LinkFact] = _field(default_factory=dict)
    asleep: Mapping[str, tuple[str, Status]] = _field(default_factory=dict)
    seen: Mapping[tuple[str, str], int] = _field(default_factory=dict)
    owners: frozenset[str] | None = None
    builder_choices: frozenset[str] | None = None
    questions: tuple[Question, ...] = ()
    endings: Mapping[tuple[WordMode, str], tuple[str, ...]] = _field(default_factory=dict)
    broad_share: int = 10
