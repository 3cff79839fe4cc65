"""Two editors and one rule: what each of them changed, and one rule made of both. Pure but for the words."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final

from apps.rules.types import RuleSpec

_NEVER: Final = frozenset({"uid", "version"})


@dataclass(frozen=True, slots=True)
class Clash:
    """Fields that only they changed, only I changed, and both of us changed to something different."""

    theirs: frozenset[str]
    mine: frozenset[str]
    both: frozenset[str]


def changed_fields(old: RuleSpec, new: RuleSpec) -> frozenset[str]:
    """Return the names of the fields in which two states of a rule differ."""
    names = (field.name for field in fields(RuleSpec) if field.name not in _NEVER)
    return frozenset(name for name in names if getattr(old, name) != getattr(new, name))


def clash(before: RuleSpec, mine: RuleSpec, theirs: RuleSpec) -> Clash:
    """Return who changed what since ``before``."""
    by_me, by_them = changed_fields(before, mine), changed_fields(before, theirs)
    both = frozenset(name for name in by_me & by_them if getattr(mine, name) != getattr(theirs, name))
    return Clash(by_them - by_me, by_me - by_them, both)


def merged(before: RuleSpec, mine: RuleSpec, theirs: RuleSpec) -> RuleSpec:
    """Return their state with what I changed on top of it."""
    return replace(theirs, **{name: getattr(mine, name) for name in changed_fields(before, mine)})
