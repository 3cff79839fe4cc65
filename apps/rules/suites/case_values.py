"""Short ways to write rules and what questions do to them; the tables of ``rules:cases`` are made of these."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from apps.rules.types import (
    Match,
    MatchContext,
    Need,
    Phrase,
    ProtectedName,
    RuleSet,
    RuleSpec,
    Slot,
    TokenList,
    WordMode,
)

NOW: Final = datetime(2026, 5, 1, 12, tzinfo=UTC)
DAY: Final = timedelta(days=1)
# Listed names of the tables; the parties are invented.
NAMES: Final = (
    ProtectedName("auenpartei", ("Auenpartei", "die Auen", "AUP")),
    ProtectedName("brueckenbund", ("Brückenbund", "BrB", "die Brückenbauer")),
    ProtectedName("fachwerk", ("Fachwerk", "Freies Fachwerk 90", "Bunte")),
    ProtectedName("kompass", ("Kompass", "KOM", "Bunte")),
    ProtectedName("hagen", ("Berta Hagen", "Hagen")),
    ProtectedName("hager", ("Cem Hager", "Hager")),
)


@dataclass(frozen=True, slots=True)
class Table:
    """Rules and rows of (question, expected); ``expected`` lists winners as "uid stage", "" for no match.

    Of a single rule only the stage is written. ``names`` adds listed names.
    """

    title: str
    rules: RuleSpec | tuple[RuleSpec, ...]
    rows: tuple[tuple[str, str], ...]
    context: MatchContext = field(default_factory=lambda: MatchContext(NOW))
    threshold: int = 90

    def rule_set(self) -> RuleSet:
        """Return the rules as a release has them, with the listed names."""
        rules = self.rules if isinstance(self.rules, tuple) else (self.rules,)
        return RuleSet(rules, NAMES, self.threshold)

    def told(self, found: Match) -> str:
        """Write what was found as ``expected`` is written."""
        if isinstance(self.rules, tuple):
            return ", ".join(f"{hit.uid} {hit.stage}" for hit in found.winners)
        return ", ".join(hit.stage for hit in found.winners)


def phrase(*texts: str, uid: str = "rule", **fields: Any) -> RuleSpec:
    """Return a rule with phrases that may be met by similarity."""
    return RuleSpec(uid, phrases=tuple(map(Phrase, texts)), **fields)


def exactly(*texts: str, uid: str = "rule", **fields: Any) -> RuleSpec:
    """Return a rule with phrases that are only met exactly."""
    return RuleSpec(uid, phrases=tuple(Phrase(text, is_fuzzy=False) for text in texts), **fields)


def words(core: TokenList | None, anchor: TokenList | None = None, uid: str = "rule", **fields: Any) -> RuleSpec:
    """Return a rule with token lists."""
    return RuleSpec(uid, core=core, anchor=anchor, **fields)


def every(*texts: str, mode: WordMode = WordMode.FORM) -> TokenList:
    return TokenList(_slots(texts, mode))


def some(*texts: str, mode: WordMode = WordMode.FORM) -> TokenList:
    return TokenList(_slots(texts, mode), Need.ANY)


def at_least(count: int, *texts: str) -> TokenList:
    return TokenList(_slots(texts, WordMode.FORM), Need.COUNT, count)


def percent(share: int, *texts: str) -> TokenList:
    return TokenList(_slots(texts, WordMode.FORM), Need.PERCENT, share)


def slots(*each: tuple[str, WordMode], need: Need = Need.ALL) -> TokenList:
    return TokenList(tuple(Slot(text, mode) for text, mode in each), need)


def asked(**fields: Any) -> MatchContext:
    """Return the reader's context, now and in German if nothing else is said."""
    return replace(MatchContext(NOW), **fields)


def _slots(texts: tuple[str, ...], mode: WordMode) -> tuple[Slot, ...]:
    return tuple(Slot(text, mode) for text in texts)
