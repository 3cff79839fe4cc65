"""What holds for a rule together with those above it: when, for whom, and whether at all. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from apps.rules.types import RuleSpec, Status

_PAST: Final = datetime.min.replace(tzinfo=UTC)
_FUTURE: Final = datetime.max.replace(tzinfo=UTC)
# None sets no limit; an empty set lets nobody through.
Limit = frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A rule's own limits and those above it, intersected; ``chain`` goes from the rule up to the root.

    ``since`` is inclusive, ``until`` exclusive. ``missing`` names a parent that is not there; in a cycle the chain
    ends before it would come round.
    """

    chain: tuple[RuleSpec, ...]
    since: datetime
    until: datetime
    languages: Limit
    audiences: Limit
    choices: Limit
    missing: str | None = None
    is_cyclic: bool = False

    @property
    def depth(self) -> int:
        return len(self.chain)

    @property
    def is_active(self) -> bool:
        return self.missing is None and all(rule.status is Status.ACTIVE for rule in self.chain)

    @property
    def is_claiming(self) -> bool:
        """Whether its phrases are taken: it is, or may soon be, in use."""
        return all(rule.status in (Status.ACTIVE, Status.DRAFT) for rule in self.chain)

    @property
    def is_possible(self) -> bool:
        """Whether there is any reader and any moment that it is meant for."""
        return self.since < self.until and frozenset() not in (self.languages, self.audiences, self.choices)

    def overlaps(self, other: Standing) -> bool:
        """Say whether both can count for the same reader at the same moment."""
        return (
            max(self.since, other.since) < min(self.until, other.until)
            and _meet(self.languages, other.languages)
            and _meet(self.audiences, other.audiences)
            and _meet(self.choices, other.choices)
        )

    def covers(self, other: Standing) -> bool:
        """Say whether this one counts wherever the other does."""
        return (
            self.since <= other.since
            and other.until <= self.until
            and _includes(self.languages, other.languages)
            and _includes(self.audiences, other.audiences)
            and _includes(self.choices, other.choices)
        )


class Tree:
    """Rules by uid with their standing, each computed once."""

    def __init__(self, rules: Iterable[RuleSpec]) -> None:
        self.rules: Mapping[str, RuleSpec] = {rule.uid: rule for rule in rules}
        self._standings: dict[str, Standing] = {}
        self._children: dict[str, list[str]] = {}
        for rule in self.rules.values():
            if rule.parent is not None:
                self._children.setdefault(rule.parent, []).append(rule.uid)

    def standing(self, uid: str) -> Standing:
        """Return the standing of a rule of this tree."""
        if uid not in self._standings:
            self._standings[uid] = self._compute(uid)
        return self._standings[uid]

    def below(self, uid: str) -> tuple[str, ...]:
        """Return the rules below one, level by level, without itself; a cycle ends where it comes round."""
        seen, level = {uid}, [uid]
        found: list[str] = []
        while level:
            level = [child for each in level for child in self._children.get(each, ()) if child not in seen]
            seen.update(level)
            found.extend(level)
        return tuple(found)

    def levels_below(self, uid: str) -> int:
        """Count the levels from a rule down, its own included."""
        seen, level, count = {uid}, [uid], 0
        while level:
            count += 1
            level = [child for each in level for child in self._children.get(each, ()) if child not in seen]
            seen.update(level)
        return count

    def _compute(self, uid: str) -> Standing:
        chain: list[RuleSpec] = []
        seen: set[str] = set()
        at: str | None = uid
        while at is not None and at in self.rules and at not in seen:
            seen.add(at)
            chain.append(self.rules[at])
            at = self.rules[at].parent
        return Standing(
            chain=tuple(chain),
            since=max((rule.valid_from for rule in chain if rule.valid_from), default=_PAST),
            until=min((rule.valid_until for rule in chain if rule.valid_until), default=_FUTURE),
            languages=_intersection(rule.languages for rule in chain),
            audiences=_intersection(rule.audiences for rule in chain),
            choices=_intersection(rule.builder_choices for rule in chain),
            missing=at if at is not None and at not in self.rules else None,
            is_cyclic=at is not None and at in seen,
        )


def _intersection(limits: Iterable[tuple[str, ...]]) -> Limit:
    result: Limit = None
    for limit in limits:
        if limit:
            result = frozenset(limit) if result is None else result & frozenset(limit)
    return result


def _meet(one: Limit, other: Limit) -> bool:
    if one is None or other is None:
        return one != frozenset() and other != frozenset()
    return not one.isdisjoint(other)


def _includes(outer: Limit, inner: Limit) -> bool:
    return outer is None or (inner is not None and inner <= outer)
