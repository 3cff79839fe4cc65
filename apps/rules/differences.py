"""What changed between two states of a rule, item by item. Pure; ``apps/rules/texts`` has the words."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Final, TypeVar

from apps.rules.types import CuratedAnswer, Example, Extra, LinkedDocument, Phrase, Role, RuleSpec, Slot, TokenList

Value = str | int | bool | datetime | date | Phrase | Slot | TokenList | LinkedDocument | Example | CuratedAnswer | None
Item = TypeVar("Item", bound=Value)

_PLAIN: Final = (
    "title",
    "parent",
    "status",
    "priority",
    "valid_from",
    "valid_until",
    "hit_policy",
    "extra",
    "threshold",
    "owner",
    "reason",
)
_WORDS: Final = ("languages", "audiences", "builder_choices", "links", "tags")
_ANSWER: Final = ("text", "is_desk_text", "owner", "checked", "expires")


class Kind(StrEnum):
    """What happened to a value or an item."""

    CREATED = "created"
    DELETED = "deleted"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    # The same items in another order.
    ORDERED = "ordered"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. ``field`` is a field of RuleSpec, empty when the rule itself came or went.

    ``part`` names what changed inside a field: "need" of a list, or a part of the curated answer. ``before`` is None
    for what was added, ``after`` for what was removed.
    """

    field: str
    kind: Kind
    before: Value = None
    after: Value = None
    part: str = ""


def rule_changes(old: RuleSpec | None, new: RuleSpec | None) -> tuple[Change, ...]:
    """Return every difference between two states of a rule, in the order of the form; None stands for no rule."""
    if old is None or new is None:
        if old is new:
            return ()
        created, gone = (new, None) if old is None else (None, old)
        kind = Kind.CREATED if created else Kind.DELETED
        return (Change("", kind, gone.title if gone else None, created.title if created else None),)
    return tuple(_changes(old, new))


def rule_contents(rule: RuleSpec) -> tuple[Change, ...]:
    """Return what a new rule says, as changes of an empty rule; its title and its place in the list aside."""
    empty = RuleSpec(rule.uid, rule.title, position=rule.position)
    return tuple(_changes(empty, rule))


def _changes(old: RuleSpec, new: RuleSpec) -> Iterator[Change]:
    yield from _items("phrases", old.phrases, new.phrases, lambda phrase: phrase.text)
    for role in Role:
        yield from _list(role.value, getattr(old, role.value), getattr(new, role.value))
    yield from _items("documents", old.documents, new.documents, lambda linked: linked.uuid)
    yield from _answer(old.answer, new.answer)
    for name in _WORDS:
        yield from _items(name, getattr(old, name), getattr(new, name), lambda word: word)
    for name in _PLAIN:
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield Change(name, Kind.CHANGED, before, after)
    if old.fill_up_to != new.fill_up_to and Extra.FILL in (old.extra, new.extra):
        yield Change("fill_up_to", Kind.CHANGED, old.fill_up_to, new.fill_up_to)
    if old.position != new.position and old.parent == new.parent:
        yield Change("position", Kind.ORDERED, old.position, new.position)
    yield from _items("examples", old.examples, new.examples, lambda example: example.question)


def _items(
    field: str, old: Sequence[Item], new: Sequence[Item], key: Callable[[Item], Hashable], part: str = ""
) -> Iterator[Change]:
    """Compare items that belong together by ``key``; of several with one key the first go with the first."""
    before, after = _numbered(old, key), _numbered(new, key)
    for name, item in before.items():
        if name not in after:
            yield Change(field, Kind.REMOVED, item, None, part)
        elif item != after[name]:
            yield Change(field, Kind.CHANGED, item, after[name], part)
    for name, item in after.items():
        if name not in before:
            yield Change(field, Kind.ADDED, None, item, part)
    if [name for name in before if name in after] != [name for name in after if name in before]:
        yield Change(field, Kind.ORDERED, part=part)


def _numbered(items: Sequence[Item], key: Callable[[Item], Hashable]) -> dict[tuple[Hashable, int], Item]:
    seen: dict[Hashable, int] = {}
    numbered = {}
    for item in items:
        name = key(item)
        seen[name] = seen.get(name, 0) + 1
        numbered[name, seen[name]] = item
    return numbered


def _list(field: str, old: TokenList | None, new: TokenList | None) -> Iterator[Change]:
    if old is None or new is None:
        if old is not new:
            yield Change(field, Kind.ADDED if old is None else Kind.REMOVED, old, new)
        return
    if (old.need, old.amount) != (new.need, new.amount):
        yield Change(field, Kind.CHANGED, old, new, "need")
    yield from _items(field, old.slots, new.slots, lambda slot: slot.text, "slots")


def _answer(old: CuratedAnswer | None, new: CuratedAnswer | None) -> Iterator[Change]:
    if old is None or new is None:
        if old is not new:
            yield Change("answer", Kind.ADDED if old is None else Kind.REMOVED, old, new)
        return
    for part in _ANSWER:
        before, after = getattr(old, part), getattr(new, part)
        if before != after:
            yield Change("answer", Kind.CHANGED, before, after, part)
