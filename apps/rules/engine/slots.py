"""One slot of a token list as tests on words: what must be said, in which forms, alone or in a row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from apps.language.lemmas import lemma_set
from apps.rules.engine.reading import Written, dictionary_word, read_written
from apps.rules.types import ALTERNATIVES, SHORTEST_ENDING, Need, Slot, TokenList, WordMode

# For a rule that names no language: both of the product's.
ALL_LANGUAGES: Final = ("de", "en")


@dataclass(frozen=True, slots=True)
class WordTest:
    """One word of a slot; ``forms`` are the folded words and lemmas that meet it, for mode *form*."""

    mode: WordMode
    word: str
    forms: frozenset[str] = frozenset()


Row = tuple[WordTest, ...]


@dataclass(frozen=True, slots=True)
class SlotTest:
    """A slot: any of its ``rows`` of neighbouring words meets it. ``same`` is equal for slots that count once."""

    rows: frozenset[Row]
    same: tuple[WordMode, frozenset[str]]


def slot_test(slot: Slot, languages: tuple[str, ...]) -> SlotTest | None:
    """Read a slot for the languages of its rule; None if no word is left in it."""
    readings = [read_written(text) for text in slot.text.split(ALTERNATIVES)]
    readings = [written for written in readings if written.words]
    if not readings:
        return None
    rows = {row for written in readings for row in _rows(written, slot.mode, languages)}
    same = frozenset(" ".join(written.reading.tokens) for written in readings)
    return SlotTest(frozenset(rows), (slot.mode, same))


def needed(tokens: TokenList, slots: int) -> int:
    """Return how many of a list's distinct slots must be found, from 1; more than there are if it cannot be met."""
    amount = tokens.amount if tokens.amount is not None and tokens.amount > 0 else None
    match tokens.need:
        case Need.ALL:
            return max(1, slots)
        case Need.ANY:
            return 1
        case Need.COUNT:
            return slots + 1 if amount is None else amount
        case Need.PERCENT:
            return slots + 1 if amount is None else max(1, -(-amount * slots // 100))


@lru_cache(maxsize=65_536)
def forms_of(word: str, folded: str, languages: tuple[str, ...]) -> frozenset[str]:
    """Return the folded word and its lemmas in the languages; numbers and signs stand alone."""
    if not folded.isalpha():
        return frozenset((folded,))
    written = dictionary_word(word)
    return frozenset((folded,)).union(*(lemma_set(written, language) for language in languages))


def _rows(written: Written, mode: WordMode, languages: tuple[str, ...]) -> set[Row]:
    rows = set()
    for words in written.reading.splittings():
        row = [_test(written, start, end, mode, languages) for start, end in words]
        if mode in (WordMode.STARTS, WordMode.ENDS):
            at = -1 if mode is WordMode.STARTS else 0
            if len(row[at].word) < SHORTEST_ENDING:
                continue
            others = [WordTest(WordMode.EXACTLY, test.word) for test in row]
            others[at] = row[at]
            row = others
        rows.add(tuple(row))
    return rows


def _test(written: Written, start: int, end: int, mode: WordMode, languages: tuple[str, ...]) -> WordTest:
    folded = "".join(written.reading.tokens[start:end])
    if mode is not WordMode.FORM:
        return WordTest(mode, folded)
    return WordTest(mode, folded, forms_of("".join(written.words[start:end]), folded, languages))
