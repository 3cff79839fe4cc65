"""The same question in two rules. Pure, one pass over all spellings."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from apps.rules.checking.standing import Tree
from apps.rules.checking.types import Code, Finding, Level
from apps.rules.keys import phrase_keys
from apps.rules.types import RuleSpec


def duplicate_findings(tree: Tree, uids: Collection[str]) -> Iterator[Finding]:
    """Yield, for each of these rules, the phrases that another rule has too.

    An error where both claim them for the same reader at the same moment, else a warning.
    """
    owners: dict[str, list[str]] = {}
    for rule in tree.rules.values():
        for phrase in rule.phrases:
            for key in phrase_keys(phrase.text):
                holders = owners.setdefault(key, [])
                if rule.uid not in holders:
                    holders.append(rule.uid)
    shared = {key: holders for key, holders in owners.items() if len(holders) > 1}
    if shared:
        for uid in uids:
            yield from _of_rule(tree.rules[uid], tree, shared)


def _of_rule(rule: RuleSpec, tree: Tree, shared: dict[str, list[str]]) -> Iterator[Finding]:
    mine = tree.standing(rule.uid)
    for phrase in rule.phrases:
        holders = {uid for key in phrase_keys(phrase.text) for uid in shared.get(key, ()) if uid != rule.uid}
        for uid in sorted(holders):
            theirs = tree.standing(uid)
            is_refused = mine.is_claiming and theirs.is_claiming and mine.overlaps(theirs)
            code, level = (
                (Code.PHRASE_IN_OTHER_RULE, Level.ERROR) if is_refused else (Code.PHRASE_ELSEWHERE, Level.WARNING)
            )
            params = {"phrase": phrase.text, "rule": tree.rules[uid].title or uid}
            yield Finding(code, level, rule.uid, "phrases", params, (uid,))
