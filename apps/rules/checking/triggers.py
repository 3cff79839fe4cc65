"""Phrases and token lists that can never be right, or say too little. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from apps.language.stopwords import stop_words
from apps.rules.checking.types import Code, Finding, Level
from apps.rules.checking.values import error, warning
from apps.rules.engine.slots import ALL_LANGUAGES, needed
from apps.rules.keys import MOST_SLOT_KEY, is_askable, phrase_keys, slot_alternatives, slot_key
from apps.rules.types import SHORTEST_ENDING, Need, Role, RuleSpec, Slot, TokenList, WordMode

_LONGEST_SLOT: Final = 200
_LOW_THRESHOLD: Final = 75
_ENDINGS: Final = (WordMode.STARTS, WordMode.ENDS)


def trigger_findings(rule: RuleSpec) -> Iterator[Finding]:
    """Yield what is wrong with what makes the rule match."""
    yield from _phrases(rule)
    for role in Role:
        tokens = getattr(rule, role.value)
        if tokens is not None:
            yield from _list(rule, role, tokens)
    has_trigger = bool(rule.phrases or rule.core or rule.anchor)
    if rule.exclude is not None and not has_trigger:
        yield error(rule, Code.EXCLUDE_ONLY, "exclude")
    elif not has_trigger and (rule.documents or rule.answer or rule.links):
        yield warning(rule, Code.NEVER_WINS, "phrases")
    if rule.threshold is not None and rule.threshold < _LOW_THRESHOLD:
        yield warning(rule, Code.THRESHOLD_LOW, "threshold", threshold=rule.threshold, usual=_LOW_THRESHOLD)


def slots_needed(tokens: TokenList) -> int:
    """Return how many distinct slots of a list must be found: shares are rounded up, one at least."""
    return needed(tokens, len({slot_key(slot) for slot in tokens.slots}))


def _phrases(rule: RuleSpec) -> Iterator[Finding]:
    seen: set[frozenset[str]] = set()
    for phrase in rule.phrases:
        keys = phrase_keys(phrase.text)
        short = phrase.text[:60]
        if not keys:
            yield error(rule, Code.PHRASE_EMPTY, "phrases", phrase=short)
        elif not is_askable(phrase.text):
            yield error(rule, Code.PHRASE_TOO_LONG, "phrases", phrase=short)
        elif frozenset(keys) in seen:
            yield error(rule, Code.PHRASE_TWICE, "phrases", phrase=short)
        elif _is_stop_words(rule, keys[0]):
            yield warning(rule, Code.PHRASE_STOP_WORDS, "phrases", phrase=short)
        seen.add(frozenset(keys))


def _list(rule: RuleSpec, role: Role, tokens: TokenList) -> Iterator[Finding]:
    field = role.value
    if not tokens.slots:
        yield error(rule, Code.LIST_EMPTY, field, list=field)
        return
    bad = list(_slots(rule, field, tokens.slots))
    yield from bad
    if any(finding.blocks_save for finding in bad):
        return
    yield from _amount(rule, field, tokens)
    if role is not Role.EXCLUDE:
        weak = [slot.text for slot in tokens.slots if _is_weak(rule, slot)]
        if len(weak) >= slots_needed(tokens):
            yield Finding(
                Code.STOP_WORDS_SUFFICE, Level.BLOCKER, rule.uid, field, {"list": field, "words": ", ".join(weak)}
            )


def _amount(rule: RuleSpec, field: str, tokens: TokenList) -> Iterator[Finding]:
    count = len(tokens.slots)
    most = {Need.COUNT: 32_767, Need.PERCENT: 100}.get(tokens.need)
    if most is None:
        if tokens.amount is not None:
            yield error(rule, Code.AMOUNT_BAD, field, list=field, least=1, most=count)
    elif tokens.amount is None or not 1 <= tokens.amount <= most:
        yield error(rule, Code.AMOUNT_BAD, field, list=field, least=1, most=100 if most == 100 else count)
    elif tokens.need is Need.COUNT and tokens.amount > count:
        yield error(rule, Code.NEED_TOO_HIGH, field, list=field, needed=tokens.amount, count=count)


def _slots(rule: RuleSpec, field: str, slots: tuple[Slot, ...]) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for slot in slots:
        key = slot_key(slot)
        if not key:
            yield error(rule, Code.SLOT_EMPTY, field, list=field, word=slot.text[:40])
        elif len(slot.text) > _LONGEST_SLOT or len(key) > MOST_SLOT_KEY:
            yield error(rule, Code.SLOT_TOO_LONG, field, list=field, word=f"{slot.text[:40]}…", most=_LONGEST_SLOT)
        elif key in seen:
            yield error(rule, Code.SLOT_TWICE, field, list=field, word=slot.text, other=seen[key])
        elif slot.mode in _ENDINGS:
            yield from _short_endings(rule, field, slot)
        seen.setdefault(key, slot.text)


def _short_endings(rule: RuleSpec, field: str, slot: Slot) -> Iterator[Finding]:
    for alternative in slot_alternatives(slot.text):
        words = alternative.split()
        part = words[-1] if slot.mode is WordMode.STARTS else words[0]
        if len(part) < SHORTEST_ENDING:
            yield error(rule, Code.ENDING_TOO_SHORT, field, list=field, word=part, least=SHORTEST_ENDING)


def _is_weak(rule: RuleSpec, slot: Slot) -> bool:
    """Whether almost every question has it: one of its alternatives is made of stop words."""
    return slot.mode not in _ENDINGS and any(_is_stop_words(rule, form) for form in slot_alternatives(slot.text))


def _is_stop_words(rule: RuleSpec, key: str) -> bool:
    words = key.split()
    return any(all(word in stop_words(language) for word in words) for language in rule.languages or ALL_LANGUAGES)
