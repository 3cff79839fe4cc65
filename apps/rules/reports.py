"""What an explanation of a question consists of: rule by rule, level by level, list by list. Pure values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from apps.rules.types import DEFAULT_THRESHOLD, LostBy, Match, Outside, Role, Slot, Stage


@dataclass(frozen=True, slots=True)
class SlotReport:
    """One slot of a list as a question met it: the question's words, empty when it is missing."""

    slot: Slot
    found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListReport:
    """One token list as a question met it. ``needed`` is how many slots must be found."""

    role: Role
    needed: int
    slots: tuple[SlotReport, ...]

    @property
    def is_met(self) -> bool:
        return sum(bool(each.found) for each in self.slots) >= self.needed


@dataclass(frozen=True, slots=True)
class LevelReport:
    """One rule on the way from the root to the rule in question.

    ``best_phrase`` is the most similar phrase with its ``score`` (per mille) against ``threshold`` (percent);
    ``protected`` are the protected terms that differ, the phrase's and the question's.
    """

    uid: str
    title: str
    is_folder: bool
    stage: Stage | None
    best_phrase: str = ""
    score: int = 0
    threshold: int = DEFAULT_THRESHOLD
    protected: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    lists: tuple[ListReport, ...] = ()
    vetoed_by: tuple[str, ...] = ()
    outside: Outside | None = None

    @property
    def passes(self) -> bool:
        return self.outside is None and (self.is_folder or self.stage is not None)


class Verdict(StrEnum):
    """What became of a rule."""

    WON = "won"
    COLLECTED = "collected"
    LOST = "lost"
    GATED = "gated"
    VETOED = "vetoed"
    OUTSIDE = "outside"
    NEAR = "near"
    NO_MATCH = "no match"


@dataclass(frozen=True, slots=True)
class RuleReport:
    """What became of one rule, level by level from the root. ``text_number`` is the text that came nearest."""

    uid: str
    title: str
    verdict: Verdict
    levels: tuple[LevelReport, ...]
    lost_by: LostBy | None = None
    text_number: int = 0


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything about one question: the match, how the engine reads each text, and the rules worth a look.

    ``reports`` has the winners, the rivals of all stages, then the nearest misses, best first; and those asked for.
    """

    match: Match
    tokens: tuple[tuple[str, ...], ...]
    reports: tuple[RuleReport, ...]
    titles: Mapping[str, str] = field(default_factory=dict)
