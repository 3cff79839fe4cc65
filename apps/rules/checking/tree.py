"""Where a rule stands: cycles, depth, and what the rules above let through. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from apps.rules.checking.standing import Standing, Tree
from apps.rules.checking.types import Code, Finding, Level
from apps.rules.types import MOST_LEVELS, RuleSpec, Status


def tree_findings(rule: RuleSpec, tree: Tree, asleep: Mapping[str, tuple[str, Status]]) -> Iterator[Finding]:
    """Yield what is wrong with a rule's place. ``tree`` holds the rule itself and all it stands among.

    ``asleep`` are rules that are there, but not in the tree, with title and status.
    """
    standing = tree.standing(rule.uid)
    if standing.missing is not None and standing.missing in asleep:
        if rule.status is Status.ACTIVE:
            title, status = asleep[standing.missing]
            params = {"parent": title or standing.missing, "status": status.value}
            yield Finding(Code.PARENT_NOT_ACTIVE, Level.WARNING, rule.uid, "status", params, (standing.missing,))
        return
    if standing.missing is not None:
        uid = standing.chain[-1].uid
        if uid == rule.uid:
            yield Finding(Code.PARENT_MISSING, Level.ERROR, rule.uid, "parent", {"parent": standing.missing})
        return
    if standing.is_cyclic:
        titles = [each.title or each.uid for each in (*standing.chain, rule)]
        others = tuple(each.uid for each in standing.chain[1:])
        yield Finding(Code.PARENT_CYCLE, Level.ERROR, rule.uid, "parent", {"path": " → ".join(titles)}, others)
        return
    levels = standing.depth - 1 + tree.levels_below(rule.uid)
    if levels > MOST_LEVELS:
        yield Finding(Code.TOO_DEEP, Level.ERROR, rule.uid, "parent", {"levels": levels, "most": MOST_LEVELS})
    yield from _outside(rule, standing, tree)
    yield from _inactive(rule, standing)


def time_findings(rule: RuleSpec, tree: Tree, now: datetime) -> Iterator[Finding]:
    """Yield that a rule is over, or has not begun, the limits of those above it included."""
    standing = tree.standing(rule.uid)
    if standing.is_possible and standing.until <= now:
        yield Finding(Code.EXPIRED, Level.WARNING, rule.uid, "valid_until", {"until": standing.until.isoformat()})
    elif standing.is_possible and standing.since > now:
        yield Finding(Code.FUTURE, Level.NOTE, rule.uid, "valid_from", {"since": standing.since.isoformat()})


def _outside(rule: RuleSpec, standing: Standing, tree: Tree) -> Iterator[Finding]:
    """A child that no reader and no moment is left for."""
    if rule.parent is None or standing.is_possible:
        return
    above = tree.standing(rule.parent)
    if not above.is_possible:
        # Said of the rule above.
        return
    params = {"parent": tree.rules[rule.parent].title or rule.parent}
    limits = (
        ("valid_until", standing.since >= standing.until),
        ("languages", standing.languages == frozenset()),
        ("audiences", standing.audiences == frozenset()),
        ("builder_choices", standing.choices == frozenset()),
    )
    for field, is_empty in limits:
        if is_empty:
            yield Finding(Code.OUTSIDE_PARENT, Level.BLOCKER, rule.uid, field, params, (rule.parent,))


def _inactive(rule: RuleSpec, standing: Standing) -> Iterator[Finding]:
    if rule.status is not Status.ACTIVE:
        return
    for above in standing.chain[1:]:
        if above.status is not Status.ACTIVE:
            params = {"parent": above.title or above.uid, "status": above.status.value}
            yield Finding(Code.PARENT_NOT_ACTIVE, Level.WARNING, rule.uid, "status", params, (above.uid,))
            return
