"""All slots of a set of rules by number, and which of them the words of a question meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from apps.rules.engine.slots import ALL_LANGUAGES, SlotTest, WordTest, slot_test
from apps.rules.engine.words import Place
from apps.rules.types import Slot, WordMode

_UNREAD: Final = -1


class SlotIndex:
    """All distinct slots of a set of rules by number, found from the words of a question."""

    def __init__(self) -> None:
        self.tests: list[SlotTest] = []
        self._numbers: dict[frozenset[tuple[WordTest, ...]], int] = {}
        self._read: dict[tuple[str, WordMode, tuple[str, ...]], int | None] = {}
        self._words: dict[WordTest, int] = {}
        # Equal for slots that count once in a list.
        self._sames: list[int] = []
        self._same_numbers: dict[object, int] = {}
        # What a word of the question is looked up by -> tests on one word; test -> slots; test -> rows it opens.
        self._by_form: dict[str, list[int]] = {}
        self._exactly: dict[str, int] = {}
        self._starts: dict[str, int] = {}
        self._ends: dict[str, int] = {}
        self._start_sizes: set[int] = set()
        self._end_sizes: set[int] = set()
        self._single: list[list[int]] = []
        self._rows: dict[int, list[tuple[int, tuple[int, ...]]]] = {}

    def number(self, slot: Slot, languages: tuple[str, ...]) -> int | None:
        """Return the number of a slot, read for a rule's languages; None if there is no word in it."""
        key = (slot.text, slot.mode, languages)
        number = self._read.get(key, _UNREAD)
        if number == _UNREAD:
            test = slot_test(slot, languages or ALL_LANGUAGES)
            number = self._read[key] = None if test is None else self._add(test)
        return number

    def distinct(self, slots: Iterable[Slot], languages: tuple[str, ...]) -> tuple[int, ...]:
        """Return the numbers of a list's slots, equal ones once: of two spellings the one that is met more ways."""
        numbers = [number for slot in slots if (number := self.number(slot, languages)) is not None]
        if len({self._sames[number] for number in numbers}) == len(numbers):
            return tuple(numbers)
        chosen: dict[int, int] = {}
        for number in numbers:
            same = self._sames[number]
            held = chosen.setdefault(same, number)
            if len(self.tests[number].rows) > len(self.tests[held].rows):
                chosen[same] = number
        return tuple(chosen.values())

    def found(self, asked: Sequence[Place]) -> dict[int, int]:
        """Return every slot that a question meets, with the tokens that meet it as bits."""
        met: dict[int, list[Place]] = {}
        for place in asked:
            for test in self._tests_of(place):
                met.setdefault(test, []).append(place)
        found: dict[int, int] = {}
        for test, where in met.items():
            mask = 0
            for place in where:
                mask |= place.mask
            for slot in self._single[test]:
                found[slot] = found.get(slot, 0) | mask
            for slot, rest in self._rows.get(test, ()):
                mask = _followed(where, rest, met)
                if mask:
                    found[slot] = found.get(slot, 0) | mask
        return found

    def _add(self, test: SlotTest) -> int:
        number = self._numbers.get(test.rows)
        if number is not None and self.tests[number].same == test.same:
            return number
        number = len(self.tests)
        self.tests.append(test)
        self._sames.append(self._same_numbers.setdefault(test.same, number))
        self._numbers[test.rows] = number
        for row in test.rows:
            words = tuple(self._word(word) for word in row)
            if len(words) == 1:
                self._single[words[0]].append(number)
            else:
                self._rows.setdefault(words[0], []).append((number, words[1:]))
        return number

    def _word(self, test: WordTest) -> int:
        number = self._words.get(test)
        if number is not None:
            return number
        number = self._words[test] = len(self._single)
        self._single.append([])
        match test.mode:
            case WordMode.FORM:
                for form in test.forms:
                    self._by_form.setdefault(form, []).append(number)
            case WordMode.EXACTLY:
                self._exactly[test.word] = number
            case WordMode.STARTS:
                self._starts[test.word] = number
                self._start_sizes.add(len(test.word))
            case WordMode.ENDS:
                self._ends[test.word] = number
                self._end_sizes.add(len(test.word))
        return number

    def _tests_of(self, place: Place) -> set[int]:
        tests = {test for form in place.forms for test in self._by_form.get(form, ())}
        word = place.folded
        if self._exactly and word in self._exactly:
            tests.add(self._exactly[word])
        for size in self._start_sizes:
            if size <= len(word) and (test := self._starts.get(word[:size])) is not None:
                tests.add(test)
        for size in self._end_sizes:
            if size <= len(word) and (test := self._ends.get(word[-size:])) is not None:
                tests.add(test)
        return tests


def _followed(first: Iterable[Place], rest: Sequence[int], met: Mapping[int, Sequence[Place]]) -> int:
    """The tokens of every run of neighbours that begins with one of ``first`` and goes on with ``rest``."""
    whole = 0
    for place in first:
        if not rest:
            whole |= place.mask
            continue
        following = [each for each in met.get(rest[0], ()) if each.start == place.end]
        mask = _followed(following, rest[1:], met) if following else 0
        if mask:
            whole |= place.mask | mask
    return whole
