"""The rule tree as the engine sees it: who gates whom, and what a rule inherits. Broken branches never match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from apps.rules.types import MOST_LEVELS, MatchContext, Outside, RuleSet, RuleSpec, Status

ROOT: Final = -1
# Depth of a rule whose way to the root is cut: a missing parent, a circle, more levels than allowed.
BROKEN: Final = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """When and for whom a rule counts, with its ancestors' limits. None sets no limit, the empty set lets nobody in."""

    valid_from: datetime | None = None
    valid_until: datetime | None = None
    languages: frozenset[str] | None = None
    audiences: frozenset[str] | None = None
    builder_choices: frozenset[str] | None = None

    def outside(self, context: MatchContext) -> Outside | None:
        """Return the first limit that the context does not meet."""
        now = aware(context.now)
        if (self.valid_from and now < self.valid_from) or (self.valid_until and now >= self.valid_until):
            return Outside.TIME
        if self.languages is not None and context.language not in self.languages:
            return Outside.LANGUAGE
        if self.audiences is not None and context.audience not in self.audiences:
            return Outside.AUDIENCE
        if self.builder_choices is not None and not self.builder_choices & context.builder_choices:
            return Outside.BUILDER
        return None

    @property
    def width(self) -> tuple[bool, timedelta]:
        """Return a value that is smaller for a narrower validity; open on a side is infinitely wide."""
        if self.valid_from is None or self.valid_until is None:
            return (True, timedelta())
        return (False, self.valid_until - self.valid_from)

    def narrowed(self, rule: RuleSpec) -> Limits:
        """Return these limits with a child's own."""
        return Limits(
            _later(self.valid_from, rule.valid_from and aware(rule.valid_from)),
            _earlier(self.valid_until, rule.valid_until and aware(rule.valid_until)),
            _common(self.languages, rule.languages),
            _common(self.audiences, rule.audiences),
            _common(self.builder_choices, rule.builder_choices),
        )


NO_LIMITS: Final = Limits()


def aware(moment: datetime) -> datetime:
    """Read a moment without a zone as UTC: comparing it with one that has a zone would raise."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a rule stands in the tree and what it has from there. ``depth`` is 1 at a root, 0 on a broken branch."""

    parent: int
    depth: int
    is_live: bool
    threshold: int
    limits: Limits

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the languages of a rule and its ancestors, empty for all."""
        return tuple(sorted(self.limits.languages or ()))


class Tree:
    """All rules of a set by number, with their places; of several rules with one uid the first counts."""

    def __init__(self, rule_set: RuleSet) -> None:
        self.numbers: dict[str, int] = {}
        rules: list[RuleSpec] = []
        for rule in rule_set.rules:
            if rule.uid not in self.numbers:
                self.numbers[rule.uid] = len(rules)
                rules.append(rule)
        self.rules = tuple(rules)
        self._threshold = rule_set.threshold
        self._known: dict[Place, Place] = {}
        self._plain: dict[tuple[int, bool, int | None], Place] = {}
        self._lost = Place(ROOT, BROKEN, False, rule_set.threshold, NO_LIMITS)
        self._ground = Place(ROOT, 0, True, rule_set.threshold, NO_LIMITS)
        places: list[Place | None] = [None] * len(rules)
        for number, rule in enumerate(rules):
            # A root, or below one that is placed: nearly all rules, as sets are stored from the root down.
            parent = None if rule.parent is None else self.numbers.get(rule.parent, ROOT)
            above = self._ground if parent is None else None if parent == ROOT else places[parent]
            if above is None:
                self._place(number, places)
            elif places[number] is None:
                places[number] = self._below(above, rule)
        self.places = tuple(place for place in places if place is not None)

    def way(self, number: int) -> tuple[int, ...]:
        """Return the numbers from the root to a rule, or as much of the way as there is and a tree may have."""
        way = [number]
        while len(way) <= MOST_LEVELS and (name := self.rules[way[-1]].parent) is not None:
            parent = self.numbers.get(name)
            if parent is None or parent in way:
                break
            way.append(parent)
        return tuple(reversed(way))

    def ancestors(self, number: int) -> Iterator[int]:
        """Yield the parent of a rule on a whole branch, then its parent, up to the root."""
        while (number := self.places[number].parent) != ROOT:
            yield number

    def is_folder(self, number: int) -> bool:
        """Say whether a rule has neither phrases nor core and anchor lists: it lets every question through."""
        rule = self.rules[number]
        return not rule.phrases and rule.core is None and rule.anchor is None

    def _place(self, number: int, places: list[Place | None]) -> None:
        """Place a rule and, before it, its ancestors."""
        pending: dict[int, None] = {}
        above: Place | None = None
        while above is None:
            if number in pending:
                above = self._lost
            elif places[number] is not None:
                above = places[number]
            else:
                pending[number] = None
                parent = self.rules[number].parent
                if parent is None:
                    above = self._ground
                elif parent not in self.numbers:
                    above = self._lost
                else:
                    number = self.numbers[parent]
        while pending:
            number, _ = pending.popitem()
            above = places[number] = self._below(above, self.rules[number])

    def _below(self, above: Place, rule: RuleSpec) -> Place:
        if above.depth == MOST_LEVELS or (above.depth == BROKEN and above is not self._ground):
            return self._lost
        parent = ROOT if rule.parent is None else self.numbers[rule.parent]
        key = (parent, rule.status is Status.ACTIVE, rule.threshold)
        is_limited = _is_limited(rule)
        # Brothers without limits of their own stand in one place: most rules of a large set are such.
        if not is_limited and key in self._plain:
            return self._plain[key]
        place = Place(
            parent,
            above.depth + 1,
            above.is_live and rule.status is Status.ACTIVE,
            above.threshold if rule.threshold is None else rule.threshold,
            above.limits.narrowed(rule) if is_limited else above.limits,
        )
        place = self._known.setdefault(place, place)
        if not is_limited:
            self._plain[key] = place
        return place


def _is_limited(rule: RuleSpec) -> bool:
    return bool(rule.valid_from or rule.valid_until or rule.languages or rule.audiences or rule.builder_choices)


def _common(above: frozenset[str] | None, own: tuple[str, ...]) -> frozenset[str] | None:
    if not own:
        return above
    return frozenset(own) if above is None else above & frozenset(own)


def _later(above: datetime | None, own: datetime | None) -> datetime | None:
    return own if above is None else above if own is None else max(above, own)


def _earlier(above: datetime | None, own: datetime | None) -> datetime | None:
    return own if above is None else above if own is None else min(above, own)
