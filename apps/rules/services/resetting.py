"""Makes the draft what a release was, without losing what was made since. The rollback calls it."""

from __future__ import annotations

from dataclasses import replace

from django.contrib.auth.models import User

from apps.rules.checking.duplicates import duplicate_findings
from apps.rules.checking.standing import Tree
from apps.rules.loading import rule_spec
from apps.rules.models import Rule
from apps.rules.services.storing import write_rules
from apps.rules.types import MOST_LEVELS, RuleSet, RuleSpec, Status


def drafts_reset(rules: RuleSet, *, author: User | None, comment: str) -> list[RuleSpec]:
    """Write the rules of a release into the draft tables and return them with their versions.

    The caller holds the lock, the transaction, and puts off what the database looks at.
    """
    rows = {rule.uid: rule for rule in Rule.objects.whole()}
    back = {rule.uid for rule in rules.rules}
    since = [_parked(rule_spec(row)) for uid, row in rows.items() if uid not in back]
    fitting = _made_to_fit(list(rules.rules), since)
    written = write_rules([*rules.rules, *fitting], author=author, comment=comment, existing=rows)
    # As they are stored: an owner may have gone since.
    fresh = Rule.objects.filter(uid__in=back & written.changed).whole()
    stored = {uid: rows[uid] for uid in back - written.changed} | {rule.uid: rule for rule in fresh}
    return [rule_spec(stored[rule.uid]) for rule in rules.rules]


def _parked(rule: RuleSpec) -> RuleSpec:
    return replace(rule, status=Status.DRAFT) if rule.status in (Status.ACTIVE, Status.PAUSED) else rule


def _made_to_fit(back: list[RuleSpec], since: list[RuleSpec]) -> list[RuleSpec]:
    """Move rules to the top that would stand too deep, and archive those whose phrase is another rule's again."""
    rules = {rule.uid: rule for rule in since}
    while True:
        tree = Tree([*back, *rules.values()])
        depths = {uid: tree.standing(uid).depth for uid in rules}
        deep = sorted((depth, uid) for uid, depth in depths.items() if depth > MOST_LEVELS)
        if deep:
            rules[deep[0][1]] = replace(rules[deep[0][1]], parent=None)
            continue
        clashing = {finding.uid for finding in duplicate_findings(tree, rules) if finding.blocks_save}
        if not clashing:
            return list(rules.values())
        for uid in clashing:
            rules[uid] = replace(rules[uid], status=Status.ARCHIVED)
