"""When the words of a rule never decide: what is called shadowed must be, and what is clearly shadowed is called so."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.rules.checking import Code, Facts, check_rule, check_set
from apps.rules.index import compile_index
from apps.rules.matching import match
from apps.rules.types import (
    HitPolicy,
    MatchContext,
    Need,
    RuleSet,
    RuleSpec,
    Slot,
    Status,
    TokenList,
    WordMode,
)
from tests.rules.building import rule

NOW = datetime(2027, 3, 1, tzinfo=UTC)
FACTS = Facts(now=NOW, today=date(2027, 3, 1))
SHADOWS = {Code.SHADOWED, Code.LISTS_SHADOWED}


def words(*texts: str, need: Need = Need.ALL, amount: int | None = None, mode: WordMode = WordMode.FORM) -> TokenList:
    return TokenList(tuple(Slot(text, mode) for text in texts), need, amount)


def by_words(uid: str, core: TokenList | None = None, **fields: object) -> RuleSpec:
    return rule(uid, **{"phrases": (), "core": core, **fields})


def shadowed(*rules: RuleSpec) -> dict[str, tuple[str, ...]]:
    found = check_set(RuleSet(rules), FACTS)
    return {each.uid: each.others for each in found if each.code in SHADOWS}


A = by_words("a", words("Klima"), priority=10)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (A, by_words("b", words("Klima", "München"))),
        (A, by_words("b", words("Klima"))),
        (by_words("a", words("Klima|Wetter"), priority=10), by_words("b", words("Wetter", "Bahn"))),
        (by_words("a", words("Klima", "Bahn", need=Need.ANY), priority=10), by_words("b", words("Bahn", "München"))),
        (
            by_words("a", words("Klima", "Bahn", "Rente", need=Need.COUNT, amount=2), priority=10),
            by_words("b", words("Rente", "Klima", "Miete")),
        ),
        (A, by_words("b", words("München"), anchor=words("Klima"))),
        (
            by_words("a", words("wahl", mode=WordMode.ENDS), priority=10),
            by_words("b", words("Briefwahl", mode=WordMode.EXACTLY)),
        ),
        (by_words("a", words("Mieten"), priority=10), by_words("b", words("Miete", mode=WordMode.EXACTLY))),
        (
            replace(A, exclude=words("Berlin")),
            by_words("b", words("Klima", "Bahn"), exclude=words("Berlin", "Bonn", need=Need.ANY)),
        ),
        (A, by_words("b", words("Klima", "Bahn"), languages=("de",))),
    ],
)
def test_a_rule_whose_words_include_those_of_one_that_comes_first_is_shadowed(first, second):
    assert shadowed(first, second) == {"b": ("a",)}
    assert [each.code for each in check_rule(second, RuleSet((first,)), FACTS)] == [Code.SHADOWED]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (replace(A, priority=100), by_words("b", words("Klima", "München"))),
        (replace(A, hit_policy=HitPolicy.COLLECT), by_words("b", words("Klima", "München"))),
        (replace(A, status=Status.PAUSED), by_words("b", words("Klima", "München"))),
        (A, by_words("b", words("Klima", "München", need=Need.ANY))),
        (replace(A, languages=("de",)), by_words("b", words("Klima", "München"))),
        (replace(A, valid_until=NOW.replace(year=2028)), by_words("b", words("Klima", "München"))),
        (replace(A, exclude=words("Berlin")), by_words("b", words("Klima", "Bahn"))),
        (by_words("a", words("Klima", "Bahn"), priority=10), by_words("b", words("Klima"))),
        (by_words("a", words("Klima", mode=WordMode.EXACTLY), priority=10), by_words("b", words("Klima"))),
        (
            by_words("a", words("Klima", "Bahn", need=Need.COUNT, amount=2), priority=10),
            by_words("b", words("Bahn", "Zug")),
        ),
        (by_words("a", words("Grüne Energie"), priority=10), by_words("b", words("Energie", "Grüne"))),
    ],
)
def test_a_rule_that_can_still_win_is_not_called_shadowed(first, second):
    assert shadowed(first, second) == {}


def test_phrases_still_win_where_the_words_do_not():
    second = replace(by_words("b", words("Klima", "Bahn")), phrases=rule("b").phrases)
    (finding,) = check_set(RuleSet((A, second)), FACTS)
    assert finding.code is Code.LISTS_SHADOWED


def test_a_deeper_rule_with_the_same_words_comes_first():
    top = by_words("top", words("Klima"))
    low = by_words("low", words("Klima"), parent="top")
    assert shadowed(top, low) == {"top": ("low",)}


def test_a_rule_above_with_a_lower_number_always_comes_first():
    top = by_words("top", words("Klima"), priority=10)
    assert shadowed(top, by_words("low", words("Bahn"), parent="top")) == {"low": ("top",)}


def test_the_gates_above_the_other_rule_count():
    gate = by_words("gate", words("Berlin"), priority=500)
    behind = by_words("a", words("Klima"), priority=10, parent="gate")
    assert shadowed(gate, behind, by_words("b", words("Klima", "Bahn"))) == {}
    assert shadowed(gate, behind, by_words("b", words("Klima", "Berlin"))) == {"b": ("a",)}
    folder = replace(gate, core=None)
    assert shadowed(folder, behind, by_words("b", words("Klima", "Bahn"))) == {"b": ("a",)}


VOCABULARY = ("Klima", "Bahn", "Rente", "Miete", "Wahl")
lists = st.builds(
    lambda texts, need, amount: TokenList(
        tuple(Slot(text) for text in texts), need, min(amount, len(texts)) if need is Need.COUNT else None
    ),
    st.sets(st.sampled_from(VOCABULARY), min_size=1, max_size=3).map(sorted),
    st.sampled_from([Need.ALL, Need.ANY, Need.COUNT]),
    st.integers(1, 3),
)
rule_sets = st.lists(
    st.tuples(lists, st.one_of(st.none(), lists), st.one_of(st.none(), lists), st.sampled_from([10, 50, 100])),
    min_size=2,
    max_size=4,
).map(
    lambda rows: [
        by_words(f"r{number}", core, anchor=anchor, exclude=exclude, priority=priority)
        for number, (core, anchor, exclude, priority) in enumerate(rows)
    ]
)
QUESTIONS = [
    " ".join(word for at, word in enumerate(VOCABULARY) if number >> at & 1)
    for number in range(1, 2 ** len(VOCABULARY))
]


@settings(max_examples=60, deadline=None)
@given(rules=rule_sets)
def test_no_rule_that_is_called_shadowed_ever_wins(rules):
    rule_set = RuleSet(tuple(rules))
    called = {each.uid for each in check_set(rule_set, FACTS) if each.code is Code.SHADOWED}
    index = compile_index(rule_set)
    winners = {hit.uid for text in QUESTIONS for hit in match([text], MatchContext(NOW), index).winners}
    assert not called & winners


@settings(max_examples=60, deadline=None)
@given(rules=rule_sets)
def test_one_rule_alone_is_told_the_same_as_in_the_whole_set(rules):
    rule_set = RuleSet(tuple(rules))
    whole = {(each.code, each.uid) for each in check_set(rule_set, FACTS)}
    single = {(each.code, each.uid) for spec in rules for each in check_rule(spec, rule_set, FACTS)}
    assert single == whole
