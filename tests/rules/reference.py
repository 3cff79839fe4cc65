"""A slow and simple matcher, written from the decisions alone: what the engine must agree with."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction

from apps.language.lemmas import lemma_set
from apps.language.normalising import normalise, normalised_forms
from apps.language.tokenising import tokenise
from apps.rules.engine.protecting import NameFinder, protected_terms
from apps.rules.types import (
    HitPolicy,
    MatchContext,
    Need,
    RuleSet,
    RuleSpec,
    Slot,
    Stage,
    Status,
    TokenList,
    WordMode,
)


@dataclass(frozen=True)
class Found:
    """A rule that matches by itself: stage, score and matched words."""

    stage: Stage
    score: int
    words: int


def reference_match(
    texts: Sequence[str], context: MatchContext, rule_set: RuleSet
) -> tuple[list[tuple[str, Stage, int]], list[str]]:
    """Return winners as (uid, stage, score) and the uids of the rivals at the winner's stage."""
    rules = {rule.uid: rule for rule in rule_set.rules}
    for text in texts:
        candidates = [
            (found, rule) for rule in rules.values() if (found := _candidate(rule, text, context, rules, rule_set))
        ]
        if not candidates:
            continue
        candidates.sort(key=lambda pair: _order(*pair, rules))
        winners = []
        for found, rule in candidates:
            winners.append((rule.uid, found.stage, found.score))
            if rule.hit_policy is HitPolicy.STOP:
                break
        stage = candidates[0][0].stage
        won = {uid for uid, _, _ in winners}
        return winners, [rule.uid for found, rule in candidates if found.stage is stage and rule.uid not in won]
    return [], []


def _order(found: Found, rule: RuleSpec, rules: dict[str, RuleSpec]) -> tuple[object, ...]:
    way = _way(rule, rules)
    assert way
    start = max((each.valid_from for each in way if each.valid_from), default=None)
    end = min((each.valid_until for each in way if each.valid_until), default=None)
    width = (0, end - start) if start and end else (1, timedelta(0))
    return (list(Stage).index(found.stage), rule.priority, -len(way), -found.words, -found.score, width, rule.uid)


def _way(rule: RuleSpec, rules: dict[str, RuleSpec]) -> list[RuleSpec] | None:
    """The rule, its parent and so on up to the root; None if that way is broken or too long."""
    way = [rule]
    while way[-1].parent is not None:
        if way[-1].parent not in rules or len(way) == 5:
            return None
        way.append(rules[way[-1].parent])
    return way


def _candidate(
    rule: RuleSpec, text: str, context: MatchContext, rules: dict[str, RuleSpec], rule_set: RuleSet
) -> Found | None:
    way = _way(rule, rules)
    if way is None or any(each.status is not Status.ACTIVE for each in way):
        return None
    for each in way:
        if each.valid_from and context.now < each.valid_from:
            return None
        if each.valid_until and context.now >= each.valid_until:
            return None
        if each.languages and context.language not in each.languages:
            return None
        if each.audiences and context.audience not in each.audiences:
            return None
    choices = [set(each.builder_choices) for each in way if each.builder_choices]
    if choices and not set.intersection(*choices) & context.builder_choices:
        return None
    for above in way[1:]:
        is_folder = not above.phrases and above.core is None and above.anchor is None
        if not is_folder and _own(above, text, context, rules, rule_set) is None:
            return None
    return _own(rule, text, context, rules, rule_set)


def _own(
    rule: RuleSpec, text: str, context: MatchContext, rules: dict[str, RuleSpec], rule_set: RuleSet
) -> Found | None:
    forms = [form for form in normalised_forms(text) if form]
    exact = [phrase for phrase in rule.phrases if set(normalised_forms(phrase.text)) & set(forms)]
    if exact and forms:
        return Found(Stage.EXACT, 1000, max(len(normalise(phrase.text).split()) for phrase in exact))
    way = _way(rule, rules) or [rule]
    languages = _languages(way)
    question = _spellings(text, (context.language,))
    if rule.exclude and _list(rule.exclude, question, languages)[0]:
        return None
    threshold = next((each.threshold for each in way if each.threshold is not None), rule_set.threshold)
    return _fuzzy(rule, text, forms, threshold, rule_set) or _token(rule, text, question, languages)


def _languages(way: Sequence[RuleSpec]) -> tuple[str, ...]:
    named = [set(each.languages) for each in way if each.languages]
    return tuple(set.intersection(*named)) if named and set.intersection(*named) else ("de", "en")


def _fuzzy(rule: RuleSpec, text: str, forms: Sequence[str], threshold: int, rule_set: RuleSet) -> Found | None:
    names = NameFinder(rule_set.names)
    asked = protected_terms(normalise(text).split(), names)
    best: tuple[Fraction, int, int] | None = None
    for at, phrase in enumerate(rule.phrases):
        for key in normalised_forms(phrase.text) if phrase.is_fuzzy else ():
            if len(key.replace(" ", "")) < 5:
                continue
            for form in forms:
                share = Fraction(2 * _common(key, form), len(key) + len(form))
                if 100 * share < threshold:
                    continue
                if protected_terms(normalise(phrase.text).split(), names) != asked:
                    continue
                key_of = (share, len(normalise(phrase.text).split()), -at)
                best = max(best, key_of) if best else key_of
    return Found(Stage.FUZZY, int(best[0] * 1000), best[1]) if best else None


def _common(left: str, right: str) -> int:
    row = [0] * (len(right) + 1)
    for letter in left:
        above = row
        row = [0]
        for at, other in enumerate(right):
            row.append(above[at] + 1 if letter == other else max(row[at], above[at + 1]))
    return row[-1]


# One word of a spelling: folded, its forms, and the split tokens it is made of.
_Word = tuple[str, frozenset[str], frozenset[int]]


def _spellings(text: str, languages: Sequence[str]) -> list[list[_Word]]:
    """The text with every hyphenated word split or joined."""
    tokens = tokenise(text)
    joints = [
        at
        for at in range(1, len(tokens))
        if re.fullmatch("[-\u2011]", text[tokens[at - 1].end : tokens[at].start])
        and not (tokens[at - 1].kind == "number" and tokens[at].kind == "number")
        and "sign" not in (tokens[at - 1].kind, tokens[at].kind)
    ]
    runs: list[list[int]] = []
    for at in joints:
        if runs and runs[-1][-1] == at - 1:
            runs[-1].append(at)
        else:
            runs.append([at - 1, at])
    spellings = []
    for choice in itertools.product((False, True), repeat=len(runs)):
        words: list[_Word] = []
        at = 0
        while at < len(tokens):
            run = next((run for run, is_joined in zip(runs, choice, strict=True) if is_joined and run[0] == at), [at])
            written = "".join(tokens[each].text for each in run)
            folded = "".join(tokens[each].folded for each in run)
            lemmas = [lemma_set(written, language) for language in languages] if folded.isalpha() else []
            words.append((folded, frozenset({folded}).union(*lemmas), frozenset(run)))
            at = run[-1] + 1
        spellings.append(words)
    return spellings


def _list(tokens: TokenList, question: list[list[_Word]], languages: Sequence[str]) -> tuple[bool, int, int, set[int]]:
    """Whether a list is met, slots found, slots in all, and the tokens that met them."""
    slots: dict[object, Slot] = {}
    for slot in tokens.slots:
        alternatives = frozenset(normalise(part) for part in slot.text.split("|")) - {""}
        if alternatives:
            slots.setdefault((slot.mode, alternatives), slot)
    met = [_slot(slot, question, languages) for slot in slots.values()]
    found = sum(bool(each) for each in met)
    total = len(slots)
    need = {
        Need.ALL: total,
        Need.ANY: 1,
        Need.COUNT: tokens.amount or 0,
        Need.PERCENT: -(-(tokens.amount or 0) * total // 100),
    }[tokens.need]
    return 1 <= need <= total and found >= need, found, total, set().union(*met)


def _slot(slot: Slot, question: list[list[_Word]], languages: Sequence[str]) -> set[int]:
    """The tokens of the question that meet a slot, all ways to do so together."""
    met: set[int] = set()
    for part in slot.text.split("|"):
        for wanted in _spellings(part, languages):
            for asked in question:
                for start in range(len(asked) - len(wanted) + 1) if wanted else ():
                    window = asked[start : start + len(wanted)]
                    if all(_word(slot.mode, wanted, at, window[at]) for at in range(len(wanted))):
                        met |= set().union(*(tokens for _, _, tokens in window))
    return met


def _word(mode: WordMode, wanted: list[_Word], at: int, asked: _Word) -> bool:
    folded, forms, _ = wanted[at]
    if mode is WordMode.FORM:
        return bool(forms & asked[1])
    if mode is WordMode.STARTS and at == len(wanted) - 1:
        return len(folded) >= 4 and asked[0].startswith(folded)
    if mode is WordMode.ENDS and at == 0:
        return len(folded) >= 4 and asked[0].endswith(folded)
    return folded == asked[0]


def _token(rule: RuleSpec, text: str, question: list[list[_Word]], languages: Sequence[str]) -> Found | None:
    lists = [_list(each, question, languages) for each in (rule.core, rule.anchor) if each is not None]
    if not lists or not all(is_met for is_met, _, _, _ in lists):
        return None
    found, total = sum(each[1] for each in lists), sum(each[2] for each in lists)
    tokens = normalise(text).split()
    words = {tokens[at] for each in lists for at in each[3]}
    return Found(Stage.TOKEN, 1000 * found // total, len(words))


def without(rule_set: RuleSet, uid: str) -> RuleSet:
    """Return the set without one rule."""
    return replace(rule_set, rules=tuple(rule for rule in rule_set.rules if rule.uid != uid))
