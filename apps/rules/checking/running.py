"""Runs the checks: for one rule among others, for a whole set, and the few that refuse a save. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from apps.rules.checking.answering import Asker, broad_findings, example_findings, phrase_findings
from apps.rules.checking.contents import content_findings
from apps.rules.checking.duplicates import duplicate_findings
from apps.rules.checking.lists import ending_findings, list_findings
from apps.rules.checking.shadows import Shadows
from apps.rules.checking.standing import Tree
from apps.rules.checking.tree import time_findings, tree_findings
from apps.rules.checking.triggers import trigger_findings
from apps.rules.checking.types import Facts, Finding, Level
from apps.rules.checking.values import value_findings
from apps.rules.engine.slots import ALL_LANGUAGES
from apps.rules.index import RuleIndex, compile_index
from apps.rules.types import RuleSet, RuleSpec, Status

_LEVELS = tuple(Level)


def check_set(
    rule_set: RuleSet, facts: Facts, uids: Collection[str] | None = None, *, index: RuleIndex | None = None
) -> list[Finding]:
    """Return what is wrong with the rules of a set, or with some of them, the worst first.

    ``index`` is the compiled set where somebody has it already. What would block a release is only a warning for a
    rule that is not in use: a draft, below one that is not active, or out of its time.
    """
    tree = Tree(rule_set.rules)
    chosen = sorted(tree.rules if uids is None else set(uids) & set(tree.rules))
    asked = compile_index(rule_set) if index is None else index
    findings = [*_static(tree, chosen, facts), *_worldly(tree, chosen, rule_set, facts, asked)]
    findings += broad_findings([tree.rules[uid] for uid in chosen], facts, asked)
    return _sorted(_softened(findings, tree, facts))


def check_rule(spec: RuleSpec, among: RuleSet, facts: Facts, *, index: RuleIndex | None = None) -> list[Finding]:
    """Return what is wrong with one rule, saved or not, in the place of its old self among the others of a set.

    ``among`` holds drafts too. A draft is asked as if it were active. ``index`` is the compiled set with this rule in
    it where somebody has it already.
    """
    tried = replace(spec, status=Status.ACTIVE) if spec.status is Status.DRAFT else spec
    others = tuple(rule for rule in among.rules if rule.uid != spec.uid)
    tree = Tree((*others, spec))
    asked = compile_index(replace(among, rules=(*others, tried))) if index is None else index
    findings = [*_static(tree, {spec.uid}, facts), *_worldly(tree, {spec.uid}, among, facts, asked)]
    # Alone, whatever other rules would win: enough to see that it meets too much, and quick.
    alone = tuple(replace(rule, status=Status.ACTIVE) for rule in tree.standing(spec.uid).chain)
    findings += broad_findings([tried], facts, compile_index(replace(among, rules=alone)))
    return _sorted(_softened(findings, tree, facts))


def save_errors(specs: Collection[RuleSpec], among: Iterable[RuleSpec]) -> list[Finding]:
    """Return what refuses the save of these rules. ``among`` are the rules around them; other findings are left out."""
    fresh = {spec.uid for spec in specs}
    tree = Tree([*(rule for rule in among if rule.uid not in fresh), *specs])
    return [finding for finding in _static(tree, sorted(fresh)) if finding.blocks_save]


def _static(tree: Tree, uids: Collection[str], facts: Facts | None = None) -> Iterator[Finding]:
    for uid in uids:
        rule = tree.rules[uid]
        yield from value_findings(rule)
        yield from trigger_findings(rule)
        yield from list_findings(rule, tuple(sorted(tree.standing(uid).languages or ALL_LANGUAGES)))
        yield from tree_findings(rule, tree, facts.asleep if facts else {})
    yield from duplicate_findings(tree, uids)


def _worldly(tree: Tree, uids: Collection[str], rule_set: RuleSet, facts: Facts, index: RuleIndex) -> Iterator[Finding]:
    shadows = Shadows(tree, is_indexed=len(uids) > 1)
    asker = Asker(index, facts.now)
    for uid in uids:
        rule = tree.rules[uid]
        yield from time_findings(rule, tree, facts.now)
        yield from content_findings(rule, facts, rule_set.token_budget)
        yield from ending_findings(rule, facts)
        yield from shadows.findings(rule)
        yield from example_findings(rule, asker)
        yield from phrase_findings(rule, asker)


def _softened(findings: Iterable[Finding], tree: Tree, facts: Facts) -> Iterator[Finding]:
    for finding in findings:
        standing = tree.standing(finding.uid)
        is_idle = not standing.is_active or standing.until <= facts.now
        yield replace(finding, level=Level.WARNING) if is_idle and finding.level is Level.BLOCKER else finding


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: (_LEVELS.index(finding.level), finding.uid))
