"""The words of a question as slots meet them: where each test is met, neighbours followed through joined spellings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from apps.rules.engine.reading import Written
from apps.rules.engine.slots import SlotTest, WordTest, forms_of
from apps.rules.types import WordMode


@dataclass(frozen=True, slots=True)
class Place:
    """A word of the question, or several that a hyphen joins: tokens ``start`` to ``end``, folded, with its lemmas."""

    start: int
    end: int
    folded: str
    forms: frozenset[str]

    @property
    def mask(self) -> int:
        """Return the tokens as bits, the first token lowest."""
        return (1 << self.end) - (1 << self.start)

    def meets(self, test: WordTest) -> bool:
        match test.mode:
            case WordMode.FORM:
                return not self.forms.isdisjoint(test.forms)
            case WordMode.EXACTLY:
                return self.folded == test.word
            case WordMode.STARTS:
                return self.folded.startswith(test.word)
            case WordMode.ENDS:
                return self.folded.endswith(test.word)


def places(written: Written, language: str) -> tuple[Place, ...]:
    """Return the tokens of a question in order, then what hyphens join."""
    tokens, words = written.reading.tokens, written.words
    spans = [(at, at + 1) for at in range(len(tokens))] + list(written.reading.runs)
    found = []
    for start, end in spans:
        folded = "".join(tokens[start:end])
        found.append(Place(start, end, folded, forms_of("".join(words[start:end]), folded, (language,))))
    return tuple(found)


def met_tokens(test: SlotTest, asked: Iterable[Place]) -> int:
    """Return the tokens that meet a slot as bits, 0 if it is missing. Slow and simple: the index does without."""
    asked = tuple(asked)
    return _union(_row_mask(row, asked, None) for row in test.rows)


def _row_mask(row: tuple[WordTest, ...], asked: tuple[Place, ...], start: int | None) -> int:
    """The tokens of every way to say a row of words, from a token on or anywhere."""
    if not row:
        return 0
    mask = 0
    for place in asked:
        if start is not None and place.start != start:
            continue
        if not place.meets(row[0]):
            continue
        rest = _row_mask(row[1:], asked, place.end)
        if rest or len(row) == 1:
            mask |= place.mask | rest
    return mask


def _union(masks: Iterable[int]) -> int:
    whole = 0
    for mask in masks:
        whole |= mask
    return whole
