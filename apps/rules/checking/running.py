"""Runs the checks: for one rule among others, for a whole set, and the few that refuse a save. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from apps.rules.checking.duplicates import duplicate_findings
from apps.rules.checking.standing import Tree
from apps.rules.checking.tree import tree_findings
from apps.rules.checking.triggers import trigger_findings
from apps.rules.checking.types import Facts, Finding, Level
from apps.rules.checking.values import value_findings
from apps.rules.types import RuleSet, RuleSpec

_LEVELS = tuple(Level)


def check_set(rule_set: RuleSet, facts: Facts, uids: Collection[str] | None = None) -> list[Finding]:
    """Return what is wrong with the rules of a set, or with some of them, the worst first."""
    return _check(Tree(rule_set.rules), facts, uids)


def check_rule(spec: RuleSpec, among: RuleSet, facts: Facts) -> list[Finding]:
    """Return what is wrong with one rule, saved or not, in the place of its old self among the others of a set."""
    others = [rule for rule in among.rules if rule.uid != spec.uid]
    return _check(Tree([*others, spec]), facts, {spec.uid})


def save_errors(specs: Collection[RuleSpec], among: Iterable[RuleSpec]) -> list[Finding]:
    """Return what refuses the save of these rules. ``among`` are the rules around them; other findings are left out."""
    fresh = {spec.uid for spec in specs}
    tree = Tree([*(rule for rule in among if rule.uid not in fresh), *specs])
    return [finding for finding in _static(tree, sorted(fresh)) if finding.blocks_save]


def _check(tree: Tree, facts: Facts, uids: Collection[str] | None) -> list[Finding]:
    chosen = sorted(tree.rules if uids is None else set(uids) & set(tree.rules))
    findings = list(_static(tree, chosen))
    return sorted(findings, key=lambda finding: (_LEVELS.index(finding.level), finding.uid))


def _static(tree: Tree, uids: Collection[str]) -> Iterator[Finding]:
    for uid in uids:
        rule = tree.rules[uid]
        yield from value_findings(rule)
        yield from trigger_findings(rule)
        yield from tree_findings(rule, tree)
    yield from duplicate_findings(tree, uids)
