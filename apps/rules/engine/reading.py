"""How the engine reads a text, a question or a rule's: folded tokens, what hyphens join, forms of the whole."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from apps.language.normalising import HYPHENS, TOKEN, fold, fold_with_offsets, token_text
from apps.language.tokenising import RULE_CHARACTERS, RULE_TOKENS
from apps.rules.types import Cut

# Canonical decomposition makes at most four code points of one.
_LONGEST_DECOMPOSITION: Final = 4
_PLAIN: Final = re.compile("[a-z0-9]+")
# The fast path of nearly all questions: words can be cut out first and folded one by one, with the same result.
_ORDINARY: Final = re.compile(r'[ !"#$%&()*+,./0-9:;<=>?@A-Z\[\\\]^_a-z{|}~ÄÖÜäöüß§„“”»«–…€-]*')
_WORD: Final = re.compile("§+|[0-9A-Za-zÄÖÜäöüß]+")
_DECIMAL: Final = re.compile(r"\d\.\d")
_HYPHENS: Final = frozenset(HYPHENS)
# A text with more hyphenated words than this has only its split and its joined spelling.
_MOST_RUNS: Final = 3

Run = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reading:
    """The folded tokens of a text in order, and ``runs``: half-open ranges of tokens that hyphens join."""

    tokens: tuple[str, ...]
    runs: tuple[Run, ...] = ()

    def splittings(self) -> tuple[tuple[Run, ...], ...]:
        """Return the ranges of tokens that are words, with every hyphenated word split or joined; split comes first."""
        if not self.runs:
            return (tuple((at, at + 1) for at in range(len(self.tokens))),)
        choices = product((False, True), repeat=len(self.runs))
        if len(self.runs) > _MOST_RUNS:
            choices = iter(([False] * len(self.runs), [True] * len(self.runs)))  # type: ignore[assignment]
        return tuple(self._split(choice) for choice in choices)

    def forms(self) -> tuple[str, ...]:
        """Return the whole text as one string: hyphens split, and all joined if different."""
        split = " ".join(self.tokens)
        if not self.runs:
            return (split,)
        return (split, " ".join("".join(self.tokens[start:end]) for start, end in self._split([True] * len(self.runs))))

    def _split(self, joined: Sequence[bool]) -> tuple[Run, ...]:
        words: list[Run] = []
        done = 0
        for run, is_joined in zip(self.runs, joined, strict=True):
            if is_joined:
                words.extend((at, at + 1) for at in range(done, run[0]))
                words.append(run)
                done = run[1]
        words.extend((at, at + 1) for at in range(done, len(self.tokens)))
        return tuple(words)


@dataclass(frozen=True, slots=True)
class Written:
    """A reading that knows how its tokens were written, and what of a long text was left out."""

    reading: Reading
    words: tuple[str, ...]
    cut: Cut


def read(text: str) -> Reading:
    """Read a rule's text. As with questions only 512 characters and 64 tokens count."""
    tokens = _plain_tokens(text)
    return read_written(text).reading if tokens is None else Reading(tuple(tokens))


def forms(text: str) -> tuple[str, ...]:
    """Return `read(text).forms()`, without making a reading of it where the text is as plain as most are."""
    tokens = _plain_tokens(text)
    return read_written(text).reading.forms() if tokens is None else (" ".join(tokens),)


def _plain_tokens(text: str) -> list[str] | None:
    """Return the tokens of a text without hyphens and signs that need a second look; None for any other."""
    if len(text) > RULE_CHARACTERS or "-" in text or "." in text:
        return None
    folded = fold(text)
    return _PLAIN.findall(folded)[:RULE_TOKENS] if folded.isascii() else None


def read_written(text: str) -> Written:
    """Read a question and keep each token as it was written."""
    return _read_ordinary(text) if _is_ordinary(text) else _read_any(text)


def _is_ordinary(text: str) -> bool:
    return len(text) <= RULE_CHARACTERS and not _DECIMAL.search(text) and bool(_ORDINARY.fullmatch(text))


def _folded(word: str) -> str:
    return "§" if word[0] == "§" else fold(word)


def _read_ordinary(text: str) -> Written:
    matches = list(_WORD.finditer(text))
    kept = matches[:RULE_TOKENS]
    words = tuple(match.group() for match in kept)
    runs = _runs(text, kept) if "-" in text else ()
    folded = fold(text)
    tokens = _PLAIN.findall(folded)[:RULE_TOKENS] if folded.isascii() else map(_folded, words)
    return Written(Reading(tuple(tokens), runs), words, Cut(0, len(matches) - len(kept)))


def _read_any(text: str) -> Written:
    head = _head(text)
    folded, offsets = fold_with_offsets(head)
    matches = list(TOKEN.finditer(folded))
    kept = matches[:RULE_TOKENS]
    words = tuple(_written(head, offsets, match.start(), match.end()) for match in kept)
    cut = Cut(len(text) - len(head), len(matches) - len(kept))
    return Written(Reading(tuple(map(token_text, kept)), _runs(folded, kept)), words, cut)


def dictionary_word(word: str) -> str:
    """Return a word as written without what no dictionary has in it: hyphens, invisibles, loose accents."""
    if word.isascii() and word.isalnum():
        return word
    composed = unicodedata.normalize("NFKC", word)
    return composed if composed.isalnum() else "".join(each for each in composed if each.isalnum() and fold(each))


def _head(text: str) -> str:
    """The first 512 characters, counted alike in every Unicode form."""
    if len(text) <= RULE_CHARACTERS and text.isascii():
        return text
    head = text[: RULE_CHARACTERS * _LONGEST_DECOMPOSITION]
    if len(unicodedata.normalize("NFKC", head)) <= RULE_CHARACTERS:
        return head
    lengths = range(len(head) + 1)
    end = bisect_right(lengths, RULE_CHARACTERS, key=lambda length: len(unicodedata.normalize("NFKC", head[:length])))
    return head[: end - 1]


def _written(text: str, offsets: Sequence[int], start: int, end: int) -> str:
    first = offsets[start]
    word = text[first : max(offsets[end], first + 1)]
    # What folds to nothing ends no word: a closing quotation mark, a zero-width space.
    while len(word) > 1 and not word[-1].isalnum() and not fold(word[-1]):
        word = word[:-1]
    return word


def _runs(folded: str, matches: Sequence[re.Match[str]]) -> tuple[Run, ...]:
    runs: list[Run] = []
    start = 0
    for number in range(1, len(matches) + 1):
        if number < len(matches) and _are_joined(folded, matches[number - 1], matches[number]):
            continue
        if number - start > 1:
            runs.append((start, number))
        start = number
    return tuple(runs)


def _are_joined(folded: str, left: re.Match[str], right: re.Match[str]) -> bool:
    if right.start() - left.end() != 1 or folded[left.end()] not in _HYPHENS:
        return False
    if "§" in (folded[left.start()], folded[right.start()]):
        return False
    return not (folded[left.end() - 1].isdigit() and folded[right.start()].isdigit())
