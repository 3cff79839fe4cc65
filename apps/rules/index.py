"""A release compiled for matching: one index in memory, never changed after it is made, safe in every thread."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Final

from apps.rules.engine.fuzzy import PhraseIndex, is_comparable
from apps.rules.engine.protecting import NameFinder, protected_terms
from apps.rules.engine.reading import Reading, forms, read
from apps.rules.engine.slot_index import SlotIndex
from apps.rules.engine.tokens import TokenLists
from apps.rules.engine.tree import Limits, Place, Tree
from apps.rules.types import MatchContext, Outside, RuleSet, RuleSpec

# So many rules make objects enough that looking through them all holds up every reader of the process: half a second
# at 5,000 rules with their texts.
_LARGE: Final = 1_000


class Shelf:
    """The indexes over some of a set's rules: exact keys, phrases, token lists."""

    def __init__(self, tree: Tree, numbers: tuple[int, ...]) -> None:
        self.numbers = numbers
        self.keys: dict[str, int | tuple[int, ...]] = {}
        self.phrases = PhraseIndex()
        self.lists = TokenLists(SlotIndex(), len(tree.rules))
        with_lists = []
        for number in numbers:
            rule, place = tree.rules[number], tree.places[number]
            for at, phrase in enumerate(rule.phrases):
                for form in forms(phrase.text):
                    if form:
                        self._add_key(form, number)
                        if phrase.is_fuzzy and is_comparable(form):
                            self.phrases.add(form, number, at, place.threshold)
            if rule.core is not None or rule.anchor is not None or rule.exclude is not None:
                self.lists.add(number, rule, place.languages)
                with_lists.append(number)
        self.phrases.finish()
        self.lists.finish(with_lists)

    def equal(self, form: str) -> tuple[int, ...]:
        """Return the rules that have a phrase of this form."""
        found = self.keys.get(form, ())
        return (found,) if isinstance(found, int) else found

    def _add_key(self, form: str, number: int) -> None:
        held = self.keys.setdefault(form, number)
        if held != number:
            numbers = (held,) if isinstance(held, int) else held
            self.keys[form] = numbers if number in numbers else (*numbers, number)


class RuleIndex:
    """All rules of a set by uid and by number, and the indexes over those that are live.

    What is filled in later (protected terms of phrases, the index over sleeping rules) is always the same, whoever
    asks first.
    """

    def __init__(self, rule_set: RuleSet) -> None:
        self.rule_set = rule_set
        self.tree = Tree(rule_set)
        self.names = NameFinder(rule_set.names)
        places = self.tree.places
        self.live = Shelf(self.tree, tuple(at for at, place in enumerate(places) if place.is_live and place.depth))
        self._readings: dict[tuple[int, int], Reading] = {}
        self._protected: dict[tuple[int, int], tuple[str, ...]] = {}

    @cached_property
    def sleeping(self) -> Shelf:
        """The same for the rules that are not active or below one that is not: only explanations ask for it."""
        places = self.tree.places
        return Shelf(self.tree, tuple(at for at, place in enumerate(places) if not (place.is_live and place.depth)))

    def __len__(self) -> int:
        return len(self.tree.rules)

    def __contains__(self, uid: str) -> bool:
        return uid in self.tree.numbers

    def rule(self, uid: str) -> RuleSpec:
        """Return a rule, active or not; raises KeyError for a uid that the set does not have."""
        return self.tree.rules[self.tree.numbers[uid]]

    def limits(self, uid: str) -> Limits:
        """Return validity and context of a rule with its ancestors' limits; raises KeyError."""
        return self.place(uid).limits

    def threshold(self, uid: str) -> int:
        """Return the threshold that counts for a rule in percent: its own, an ancestor's or the release's."""
        return self.place(uid).threshold

    def depth(self, uid: str) -> int:
        """Return the depth of a rule, 1 at a root; 0 where the way to the root is cut."""
        return self.place(uid).depth

    def is_live(self, uid: str) -> bool:
        """Say whether a rule and all its ancestors are active and the way to the root is whole."""
        return self.place(uid).is_live

    def outside(self, uid: str, context: MatchContext) -> Outside | None:
        """Return why a rule does not count in a context, its ancestors' limits included; None if it does."""
        return Outside.STATUS if not self.is_live(uid) else self.limits(uid).outside(context)

    def place(self, uid: str) -> Place:
        """Return where a rule stands and what it inherits; raises KeyError."""
        return self.tree.places[self.tree.numbers[uid]]

    def languages(self, number: int) -> tuple[str, ...]:
        """Return the languages in which the words of a rule are read, empty for all."""
        return self.tree.places[number].languages

    def shelf(self, number: int) -> Shelf:
        """Return the indexes that a rule is in."""
        return self.live if self.tree.places[number].is_live else self.sleeping

    def phrase(self, number: int, at: int) -> Reading:
        """Return how a phrase of a rule is read."""
        key = (number, at)
        if key not in self._readings:
            self._readings[key] = read(self.tree.rules[number].phrases[at].text)
        return self._readings[key]

    def protected(self, number: int, at: int) -> tuple[str, ...]:
        """Return the protected terms of a phrase."""
        key = (number, at)
        if key not in self._protected:
            self._protected[key] = protected_terms(self.phrase(number, at).tokens, self.names)
        return self._protected[key]


def compile_index(rule_set: RuleSet) -> RuleIndex:
    """Compile a set of rules. Rules that cannot work (a circle, a missing parent, k > n) are kept and never match."""
    with _no_collector():
        index = RuleIndex(rule_set)
    if len(index) >= _LARGE:
        _leave_alone()
    return index


@contextmanager
def _no_collector() -> Iterator[None]:
    """Without the garbage collector: it would look at every object made so far again and again, and find nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _leave_alone() -> None:
    """Take what is in memory now, the index above all, out of the collector's rounds.

    An index goes when its last user does, by counting; it has no circles that a collector would have to find.
    """
    gc.collect(1)
    gc.freeze()
