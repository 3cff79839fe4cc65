"""Rules whose words never decide, because another one always comes first. Pure, near-linear in the number of rules.

A rule can only be implied by another whose words contain one of its n-k+1 rarest: the others are never compared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from apps.rules.checking.implying import ListTest, Name, implies, list_test, may_be_implied, names_implied
from apps.rules.checking.standing import Tree
from apps.rules.checking.types import Code, Finding, Level
from apps.rules.engine.slots import ALL_LANGUAGES
from apps.rules.types import HitPolicy, Role, RuleSpec

_POSITIVE = (Role.CORE, Role.ANCHOR)


class Shadows:
    """The token lists of a tree, each read once. ``is_indexed`` pays off where more than a few rules are looked at."""

    def __init__(self, tree: Tree, *, is_indexed: bool = True) -> None:
        self._tree = tree
        self._tests: dict[tuple[str, Role], ListTest | None] = {}
        self._filed: dict[Name, list[str]] = defaultdict(list)
        self._is_indexed = is_indexed
        first = [uid for uid in tree.rules if self._could_come_first(uid)] if is_indexed else []
        counts = Counter(
            name for uid in first for test in self._positive(uid) for names in test.names for name in names
        )
        for uid in first:
            self._file(uid, counts)

    def findings(self, rule: RuleSpec) -> Iterator[Finding]:
        """Yield what makes the words of a rule idle."""
        lists = self._positive(rule.uid)
        if not lists or not all(test.is_possible for test in lists):
            return
        shadow = self._shadow_of(rule, lists)
        if shadow is not None:
            code = Code.LISTS_SHADOWED if rule.phrases else Code.SHADOWED
            params = {"rule": shadow.title or shadow.uid}
            yield Finding(code, Level.WARNING, rule.uid, "priority", params, (shadow.uid,))

    def _could_come_first(self, uid: str) -> bool:
        rule = self._tree.rules[uid]
        lists = self._positive(uid)
        return (
            rule.hit_policy is HitPolicy.STOP
            and bool(lists)
            and all(test.is_possible for test in lists)
            and self._tree.standing(uid).is_active
        )

    def _file(self, uid: str, counts: Counter[Name]) -> None:
        """File a rule under the rarest slots of the list that needs the fewest names."""
        choices = []
        for test in self._positive(uid):
            rarest = sorted(test.names, key=lambda names: sum(counts[name] for name in names))
            chosen = rarest[: len(test.slots) - test.need + 1]
            choices.append((sum(counts[name] for names in chosen for name in names), chosen))
        _, best = min(choices, key=lambda choice: choice[0])
        for name in frozenset().union(*best):
            self._filed[name].append(uid)

    def _shadow_of(self, rule: RuleSpec, lists: list[ListTest]) -> RuleSpec | None:
        standing = self._tree.standing(rule.uid)
        if not standing.is_active or not standing.is_possible:
            return None
        for above in standing.chain[1:]:
            # It matches too, or it would let nothing through, and at the token stage or before.
            if above.hit_policy is HitPolicy.STOP and not _is_folder(above) and self._comes_first(above, rule):
                return above
        # Those above hold too, if their lists are the only way through them.
        gates = [above for above in standing.chain[1:] if not above.phrases]
        given = lists + [test for above in gates for test in self._positive(above.uid)]
        names = frozenset(name for test in given for slot in test.slots for name in names_implied(slot))
        for uid in sorted(self._candidates(names) - {rule.uid}):
            other = self._tree.rules[uid]
            if self._comes_first(other, rule) and self._always_matches(other, rule, given, names):
                return other
        return None

    def _candidates(self, names: frozenset[Name]) -> set[str]:
        if not self._is_indexed:
            return set(self._tree.rules)
        return {uid for name in names for uid in self._filed.get(name, ())}

    def _comes_first(self, other: RuleSpec, rule: RuleSpec) -> bool:
        """Whether it wins at the same stage however many words each of them finds."""
        if other.priority != rule.priority:
            return other.priority < rule.priority
        return self._tree.standing(other.uid).depth > self._tree.standing(rule.uid).depth

    def _always_matches(self, other: RuleSpec, rule: RuleSpec, given: list[ListTest], names: frozenset[Name]) -> bool:
        """Whether it matches wherever the rule does: its limits, its lists, and those of the rules above it."""
        if not all(may_be_implied(test, names) for test in self._positive(other.uid)):
            return False
        theirs, mine = self._tree.standing(other.uid), self._tree.standing(rule.uid)
        if not theirs.covers(mine) or not (self._is_indexed or self._could_come_first(other.uid)):
            return False
        known = {each.uid for each in mine.chain}
        for each in theirs.chain:
            if each.uid in known:
                # The rule itself, or one above both: it matches, or the rule would not.
                continue
            needs = self._positive(each.uid)
            if not _is_folder(each) and not (needs and all(implies(given, test) for test in needs)):
                return False
            if each.exclude is not None and not self._vetoes_both(each, rule):
                return False
        return True

    def _vetoes_both(self, other: RuleSpec, rule: RuleSpec) -> bool:
        mine, theirs = self._test(rule.uid, Role.EXCLUDE), self._test(other.uid, Role.EXCLUDE)
        return mine is not None and theirs is not None and implies([theirs], mine)

    def _positive(self, uid: str) -> list[ListTest]:
        return [test for role in _POSITIVE if (test := self._test(uid, role)) is not None]

    def _test(self, uid: str, role: Role) -> ListTest | None:
        key = (uid, role)
        if key not in self._tests:
            tokens = getattr(self._tree.rules[uid], role.value)
            languages = tuple(sorted(self._tree.standing(uid).languages or ALL_LANGUAGES))
            self._tests[key] = list_test(tokens, languages) if tokens is not None else None
        return self._tests[key]


def _is_folder(rule: RuleSpec) -> bool:
    return not (rule.phrases or rule.core or rule.anchor)
