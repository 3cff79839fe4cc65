"""When one token list is met, is another one met too? Pure. A yes is certain, a no is not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from apps.rules.engine.slots import Row, SlotTest, WordTest, needed, slot_test
from apps.rules.types import SHORTEST_ENDING, TokenList, WordMode

# What a word is found by: (how, folded text).
Name = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ListTest:
    """The distinct slots of a list and how many of them are needed; ``names`` are those each slot is filed under."""

    slots: tuple[SlotTest, ...]
    need: int
    names: tuple[frozenset[Name], ...]

    @property
    def is_possible(self) -> bool:
        return 0 < self.need <= len(self.slots)


@lru_cache(maxsize=32_768)
def list_test(tokens: TokenList, languages: tuple[str, ...]) -> ListTest:
    """Read a list for the languages of its rule."""
    tests = (slot_test(slot, languages) for slot in tokens.slots)
    distinct = {test.same: test for test in tests if test is not None and test.rows}
    slots = tuple(distinct.values())
    return ListTest(slots, needed(tokens, len(slots)), tuple(map(names_filed, slots)))


def may_be_implied(wanted: ListTest, names: frozenset[Name]) -> bool:
    """Say, much quicker than ``implies``, whether lists with these names have a chance; a no is certain."""
    return sum(not filed.isdisjoint(names) for filed in wanted.names) >= wanted.need


def implies(given: Iterable[ListTest], wanted: ListTest) -> bool:
    """Say whether every question that meets all the given lists meets the wanted one.

    The worst case is counted: of each given list just as many slots are found as it needs, and first those that say
    nothing about the wanted one.
    """
    free = list(wanted.slots)
    certain = 0
    for each in given:
        paired = 0
        for slot in each.slots:
            met = next((test for test in free if slot_implies(slot, test)), None)
            if met is not None:
                free.remove(met)
                paired += 1
        certain += max(0, each.need - (len(each.slots) - paired))
    return certain >= wanted.need


def slot_implies(given: SlotTest, wanted: SlotTest) -> bool:
    """Say whether whatever meets one slot meets the other: each of its alternatives contains one of the other's."""
    return all(any(_row_implies(row, other) for other in wanted.rows) for row in given.rows)


def _row_implies(given: Row, wanted: Row) -> bool:
    width = len(wanted)
    return any(
        all(_word_implies(one, other) for one, other in zip(given[start : start + width], wanted, strict=True))
        for start in range(len(given) - width + 1)
    )


def _word_implies(given: WordTest, wanted: WordTest) -> bool:
    match wanted.mode:
        case WordMode.FORM:
            return (given.mode is WordMode.FORM and given.forms <= wanted.forms) or (
                given.mode is WordMode.EXACTLY and given.word in wanted.forms
            )
        case WordMode.EXACTLY:
            return given.mode is WordMode.EXACTLY and given.word == wanted.word
        case WordMode.STARTS:
            return given.mode in (WordMode.EXACTLY, WordMode.STARTS) and given.word.startswith(wanted.word)
    return given.mode in (WordMode.EXACTLY, WordMode.ENDS) and given.word.endswith(wanted.word)


def names_filed(slot: SlotTest) -> frozenset[Name]:
    """Return names under which a slot is filed, for the ``names_implied`` of another one to find it."""
    return frozenset(name for row in slot.rows for name in _filed(row[0]))


def names_implied(slot: SlotTest) -> frozenset[Name]:
    """Return names of which every slot has one that this one implies."""
    return frozenset(name for row in slot.rows for word in row for name in _looked_up(word))


def _filed(word: WordTest) -> Iterable[Name]:
    if word.mode is WordMode.FORM:
        return (("word", form) for form in word.forms)
    names = {WordMode.EXACTLY: "word", WordMode.STARTS: "starts", WordMode.ENDS: "ends"}
    return ((names[word.mode], word.word),)


def _looked_up(word: WordTest) -> Iterable[Name]:
    text = word.word
    if word.mode is WordMode.FORM:
        yield from (("word", form) for form in word.forms)
    if word.mode is WordMode.EXACTLY:
        yield "word", text
    if word.mode in (WordMode.EXACTLY, WordMode.STARTS):
        yield from (("starts", text[:end]) for end in range(SHORTEST_ENDING, len(text) + 1))
    if word.mode in (WordMode.EXACTLY, WordMode.ENDS):
        yield from (("ends", text[start:]) for start in range(len(text) - SHORTEST_ENDING + 1))
