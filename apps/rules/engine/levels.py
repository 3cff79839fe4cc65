"""What became of one rule, level by level from the root, with everything an editor may ask about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from apps.rules.engine.asking import Asked
from apps.rules.engine.fuzzy import Similar
from apps.rules.engine.ordering import Own
from apps.rules.engine.tokens import ANCHOR, CORE, EXCLUDE
from apps.rules.engine.tree import NO_LIMITS
from apps.rules.reports import LevelReport, ListReport, SlotReport
from apps.rules.types import Outside, Role, Slot, Stage, Status, TokenList

_ROLES = ((Role.CORE, CORE), (Role.ANCHOR, ANCHOR), (Role.EXCLUDE, EXCLUDE))


def levels_of(asked: Asked, number: int) -> tuple[LevelReport, ...]:
    """Return a report for each rule from the root to this one."""
    return tuple(_level(asked, each) for each in asked.index.tree.way(number))


def most_similar(asked: Asked, number: int) -> Similar | None:
    """Return the most similar phrase of a rule that may be compared."""
    return max(asked.similar(number), key=lambda each: Fraction(each.common, each.total), default=None)


def _level(asked: Asked, number: int) -> LevelReport:
    rule, place = asked.index.tree.rules[number], asked.index.tree.places[number]
    own = asked.own(number)
    at, score = _best_phrase(asked, number, own)
    return LevelReport(
        rule.uid,
        rule.title,
        asked.index.tree.is_folder(number),
        own.stage if own else None,
        rule.phrases[at].text if at >= 0 else "",
        score,
        place.threshold,
        _difference(asked.index.protected(number, at), asked.protected) if at >= 0 and score < 1000 else ((), ()),
        _lists(asked, number),
        _vetoed_by(asked, number),
        _outside(asked, number),
    )


def _best_phrase(asked: Asked, number: int, own: Own | None) -> tuple[int, int]:
    if own and own.stage is not Stage.TOKEN:
        return own.phrase, own.score
    best = most_similar(asked, number)
    return (best.phrase, best.per_mille) if best else (-1, 0)


def _difference(phrase: Sequence[str], question: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What only one side has; both sides whole where only the order differs."""
    if tuple(phrase) == tuple(question):
        return (), ()
    left, right = Counter(phrase), Counter(question)
    if left == right:
        return tuple(phrase), tuple(question)
    return tuple((left - right).elements()), tuple((right - left).elements())


def _lists(asked: Asked, number: int) -> tuple[ListReport, ...]:
    rule = asked.index.tree.rules[number]
    lists = zip(_ROLES, (rule.core, rule.anchor, rule.exclude), strict=True)
    return tuple(_list(asked, number, *roles, tokens) for roles, tokens in lists if tokens is not None)


def _list(asked: Asked, number: int, role: Role, role_number: int, tokens: TokenList) -> ListReport:
    shelf = asked.index.shelf(number)
    found = asked.found(shelf)
    slots: dict[object, Slot] = {}
    for slot in tokens.slots:
        at = shelf.lists.slots.number(slot, asked.index.languages(number))
        if at is not None:
            slots.setdefault(shelf.lists.slots.tests[at].same, slot)
    numbers = shelf.lists.slots_of(number, role_number)
    reports = (
        SlotReport(slot, asked.words_of(found.get(at, 0))) for slot, at in zip(slots.values(), numbers, strict=True)
    )
    return ListReport(role, shelf.lists.need(number, role_number), tuple(reports))


def _vetoed_by(asked: Asked, number: int) -> tuple[str, ...]:
    if not asked.is_vetoed(number):
        return ()
    shelf = asked.index.shelf(number)
    mask = 0
    for slot in shelf.lists.slots_of(number, EXCLUDE):
        mask |= asked.found(shelf).get(slot, 0)
    return asked.words_of(mask)


def _outside(asked: Asked, number: int) -> Outside | None:
    """The limit that this level adds to those above it and that is not met."""
    tree = asked.index.tree
    rule, place = tree.rules[number], tree.places[number]
    if rule.status is not Status.ACTIVE:
        return Outside.STATUS
    own = NO_LIMITS.narrowed(rule).outside(asked.context)
    if own is not None or not place.depth:
        return own
    above = tree.places[place.parent].limits if place.depth > 1 else NO_LIMITS
    return None if above.outside(asked.context) else place.limits.outside(asked.context)
