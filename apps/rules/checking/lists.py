"""Token lists against themselves: words that count twice, needed and excluded at once, endings that meet much. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from apps.rules.checking.implying import implies, list_test, slot_implies
from apps.rules.checking.types import Code, Facts, Finding, Level
from apps.rules.keys import slot_alternatives
from apps.rules.types import Need, Role, RuleSpec, TokenList, WordMode


def list_findings(rule: RuleSpec, languages: tuple[str, ...]) -> Iterator[Finding]:
    """Yield what is wrong between the slots of a rule, read in these languages."""
    for role in Role:
        tokens = getattr(rule, role.value)
        if tokens is not None and tokens.need is not Need.ANY:
            yield from _alike(rule, role, tokens, languages)
    positive = [list_test(tokens, languages) for tokens in (rule.core, rule.anchor) if tokens is not None]
    if rule.exclude is None or not positive or not all(test.is_possible for test in positive):
        return
    exclude = list_test(rule.exclude, languages)
    if exclude.is_possible and implies(positive, exclude):
        words = ", ".join(slot.text for slot in rule.exclude.slots)
        yield Finding(Code.EXCLUDES_ITSELF, Level.ERROR, rule.uid, "exclude", {"words": words})


def ending_findings(rule: RuleSpec, facts: Facts) -> Iterator[Finding]:
    """Yield which real words the beginnings and endings of a rule meet."""
    for role in Role:
        tokens = getattr(rule, role.value)
        for slot in tokens.slots if tokens is not None else ():
            for alternative in slot_alternatives(slot.text):
                part = alternative.split()[-1 if slot.mode is WordMode.STARTS else 0]
                words = facts.endings.get((slot.mode, part), ())
                if words:
                    params = {"list": role.value, "word": slot.text, "words": ", ".join(words)}
                    yield Finding(Code.ENDING_MEETS, Level.NOTE, rule.uid, role.value, params)


def _alike(rule: RuleSpec, role: Role, tokens: TokenList, languages: tuple[str, ...]) -> Iterator[Finding]:
    """Slots of which one word meets two: the count of words found is not what the editor thinks."""
    tests = list_test(tokens, languages).slots
    if len(tests) != len(tokens.slots):
        return
    for number, one in enumerate(tests):
        for later, other in enumerate(tests[number + 1 :], number + 1):
            if slot_implies(one, other) or slot_implies(other, one):
                words = {"word": tokens.slots[number].text, "other": tokens.slots[later].text}
                yield Finding(Code.SLOTS_ALIKE, Level.WARNING, rule.uid, role.value, {"list": role.value, **words})
