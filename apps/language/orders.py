"""Finds orders to a machine in a text that people wrote ("ignore all instructions"). Pure; no model is asked."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from apps.language.normalising import fold_with_offsets
from apps.language.order_words import CLUES, ENOUGH, LEET, LOOK_ALIKES, RUN_TOGETHER, OrderKind
from apps.language.sentences import split_sentences

__all__ = ["Order", "OrderKind", "find_orders"]

_LETTERS_APART: Final = re.compile(r"(?<!\w)\w(?:[ .\-_*|/]{1,3}\w(?!\w)){5,}")
_GAP: Final = re.compile(r"[ .\-_*|/]+")
_LONG_WORD: Final = re.compile(r"\w{14,}")
_LEET_WORD: Final = re.compile(r"(?<![\w@$])(?=[\w@$]*[a-z])(?=[\w@$]*[0-9@$])[\w@$]+")
_OPENING, _CLOSING = "\"“”„»«‚‘'›‹", "\"“”“«»‘’'‹›"
_LONGEST_MENTION: Final = 15
# Who tells of an order names it: "with sentences such as ...".
_TOLD: Final = re.compile(
    r"\b(?:satz|saetze\w*|befehl\w*|eingabe\w*|anweisung\w*|worte?n?|formulierung\w*|aufforderung\w*|prompts?"
    r"|formel\w*|wie|etwa"
    r"|schrieb\w*|tipp\w*|lautet\w*|hiess|heisst|stand|steht|sentences?|commands?|words?|phrases?|such as|like"
    r"|typed|wrote"
    r"|called|read|reads)\b"
)


@dataclass(frozen=True, slots=True)
class Order:
    """A stretch of whole sentences, in characters of the text, and what they try."""

    start: int
    end: int
    kinds: tuple[OrderKind, ...]


@dataclass(frozen=True, slots=True)
class _Hit:
    start: int
    end: int
    kind: OrderKind
    weight: int
    clue: int


def find_orders(text: str, language: str = "de") -> list[Order]:
    """Return the orders in reading order; none overlap.

    Letters apart, look-alike letters, accents and invisible characters make no difference, nor does an order that goes
    on in the next sentence. Who only tells of such an order, in quotation marks and in a sentence of their own, is left
    alone as long as the quotation goes no further than "ignore all instructions".
    """
    view = _View.of(text)
    hits = [hit for hit in view.hits() if not _is_told_of(text, hit)]
    if sum(hit.weight for hit in hits) < ENOUGH:
        return []
    spans = [(span.start, span.end) for span in split_sentences(text, language)]
    return _merged(_orders(spans, hits))


@dataclass(frozen=True, slots=True)
class _View:
    """The folded text as the patterns read it, twice at the same offsets: wrapped lines joined, and as they stand."""

    text: str
    flat: str
    lined: str
    offsets: Sequence[int]

    @classmethod
    def of(cls, text: str) -> _View:
        folded, offsets = fold_with_offsets(text)
        folded, offsets = _letters_joined(folded.translate(LOOK_ALIKES), offsets)
        folded = _LEET_WORD.sub(lambda word: word[0].translate(LEET), folded)
        flat: list[str] = []
        lined: list[str] = []
        kept: list[int] = []
        for run in re.finditer(r"\s+|\S+", folded):
            start = run.start()
            if run[0].isspace():
                flat.append("\n" if run[0].count("\n") > 1 else " ")
                lined.append("\n" if "\n" in run[0] else " ")
                kept.append(offsets[start])
            else:
                flat.append(run[0])
                lined.append(run[0])
                kept.extend(offsets[start : run.end()])
        kept.append(len(text))
        return cls(text, "".join(flat), "".join(lined), kept)

    def hits(self) -> Iterator[_Hit]:
        for number, clue in enumerate(CLUES):
            for found in clue.pattern.finditer(self.lined if clue.by_lines else self.flat):
                start, end = self.offsets[found.start()], self.offsets[found.end()]
                if " sie" in found[0] and not re.search(r"\sSie\b|\bSIE\b", self.text[start:end]):
                    continue  # "Trotzdem vergessen sie alles" tells of others
                yield _Hit(start, end, clue.kind, clue.weight, number)
        for run in _LONG_WORD.finditer(self.flat):
            if RUN_TOGETHER.search(run[0]):
                yield _Hit(self.offsets[run.start()], self.offsets[run.end()], OrderKind.OVERRIDE, ENOUGH, -1)


def _letters_joined(folded: str, offsets: list[int]) -> tuple[str, list[int]]:
    """Put words together whose letters stand apart: "i g n o r e  a l l" is "ignore all"."""
    parts: list[str] = []
    kept: list[int] = []
    position = 0
    for run in _LETTERS_APART.finditer(folded):
        for gap in _GAP.finditer(folded, run.start(), run.end()):
            parts.append(folded[position : gap.start()])
            kept.extend(offsets[position : gap.start()])
            # Between words the gap is wider.
            parts.append(" " if len(gap[0]) > 1 else "")
            kept.extend(offsets[gap.start() : gap.start() + len(parts[-1])])
            position = gap.end()
    return "".join([*parts, folded[position:]]), [*kept, *offsets[position:]]


def _orders(sentences: Sequence[tuple[int, int]], hits: Iterable[_Hit]) -> Iterator[Order]:
    """Yield the sentences, alone or with the next one, whose clues together are enough."""
    by_sentence: list[list[_Hit]] = [[] for _ in sentences]
    ends = [end for _start, end in sentences]
    for hit in hits:
        for number in range(bisect_right(ends, hit.start), len(sentences)):
            if sentences[number][0] >= hit.end:
                break
            by_sentence[number].append(hit)
    for number, (start, end) in enumerate(sentences):
        own = by_sentence[number]
        if not own:
            continue
        following = by_sentence[number + 1] if number + 1 < len(sentences) else []
        if _weight(own) >= ENOUGH:
            yield Order(start, end, _kinds(own))
        elif _weight([*own, *following]) >= ENOUGH and (_weight(own) > 1 or _weight(following) < ENOUGH):
            yield Order(start, sentences[number + 1][1], _kinds([*own, *following]))


def _weight(hits: Iterable[_Hit]) -> int:
    """Each clue counts once, however often it is met."""
    return sum({hit.clue: hit.weight for hit in hits}.values())


def _kinds(hits: Iterable[_Hit]) -> tuple[OrderKind, ...]:
    return tuple(sorted({hit.kind for hit in hits}))


def _merged(orders: Iterable[Order]) -> list[Order]:
    merged: list[Order] = []
    for order in orders:
        if merged and order.start < merged[-1].end:
            last = merged.pop()
            order = Order(last.start, max(last.end, order.end), tuple(sorted({*last.kinds, *order.kinds})))
        merged.append(order)
    return merged


def _is_told_of(text: str, hit: _Hit) -> bool:
    """Say whether somebody reports this order: a short quotation inside a sentence that says what it is."""
    if hit.kind is not OrderKind.OVERRIDE or hit.clue < 0:
        return False
    before = max((text.rfind(mark, max(0, hit.start - 80), hit.start + 1) for mark in _OPENING), default=-1)
    closings = [at for mark in _CLOSING if (at := text.find(mark, hit.end, hit.end + 80)) != -1]
    if before == -1 or not closings:
        return False
    after = min(closings)
    quoted = text[before + 1 : after]
    if len(quoted.split()) > _LONGEST_MENTION or re.search(r"[.!?]\s", quoted.strip()):
        return False
    around = text[max(0, before - 120) : before].rsplit("\n", 1)[-1], text[after + 1 : after + 121].split("\n", 1)[0]
    own_words = re.split(r"[.!?]\s", around[0])[-1] + " " + re.split(r"[.!?](?:\s|$)", around[1])[0]
    folded = fold_with_offsets(own_words)[0]
    return len(folded.split()) >= 4 and bool(_TOLD.search(folded))
