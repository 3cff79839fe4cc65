"""Which words stand for the same idea, in German and English: readers ask for "kiffen", the source says "Cannabis".

``thesaurus.txt`` has one idea per line. Words are compared by their stems, as search and coverage know them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from apps.language.normalising import fold
from apps.language.stemming import stem
from apps.language.tokenising import tokenise

LANGUAGES: Final = ("de", "en")
_FILE: Final = Path(__file__).with_name("thesaurus.txt")
# A shorter word is inside too many others by accident; one so short needs as much beside it ("Bürgerrente").
_SHORTEST_PART: Final = 4
_LIGHT: Final = "~"
# Endings of other words as well: "Wirtschaft" and "dauerhaft" are no prisons.
_ENDINGS: Final = frozenset({"haft"})

Phrase = tuple[str, ...]


@lru_cache(maxsize=100_000)
def term_stem(word: str, language: str) -> str:
    """Return the term under which the search index knows a word."""
    if language == "de":
        return stem(fold(word), language)
    return fold(stem(word.casefold(), language))


@dataclass(frozen=True, slots=True)
class Thesaurus:
    """Ideas by number; for each, its words per language as rows of stems.

    ``light`` are ideas of what is done with a thing, such as abolishing it: no subject of their own. ``written`` has
    the words of each idea as the file has them.
    """

    ideas: tuple[Mapping[str, frozenset[Phrase]], ...]
    by_first: Mapping[tuple[str, str], tuple[tuple[int, Phrase], ...]]
    light: frozenset[int] = frozenset()
    written: tuple[tuple[str, ...], ...] = ()

    def ideas_of(self, stems: Sequence[str], language: str) -> list[frozenset[int]]:
        """Return for each stem of a text the ideas that it, or a row of words it belongs to, stands for."""
        found: list[set[int]] = [set() for _ in stems]
        for at, first in enumerate(stems):
            for idea, phrase in self.by_first.get((language, first), ()):
                if tuple(stems[at : at + len(phrase)]) == phrase:
                    for place in range(at, at + len(phrase)):
                        found[place].add(idea)
        return [frozenset(each) for each in found]

    def holds(self, idea: int, stem: str, language: str) -> bool:
        """Say whether a stem is a word of an idea, or a compound that begins or ends with one."""
        return any(_is_part(phrase[0], stem) for phrase in self.ideas[idea].get(language, ()) if len(phrase) == 1)

    def words(self, idea: int) -> tuple[str, ...]:
        """Return the words of an idea as they are written, German before English."""
        return self.written[idea] if self.written else ()

    def rows(self, idea: int, language: str) -> Iterator[Phrase]:
        """Yield the idea's words that have several parts."""
        return (phrase for phrase in self.ideas[idea].get(language, ()) if len(phrase) > 1)


def _is_part(part: str, stem: str) -> bool:
    if part == stem:
        return True
    rest = 3 if len(part) > _SHORTEST_PART else _SHORTEST_PART
    is_long = len(part) >= _SHORTEST_PART and len(stem) >= len(part) + rest
    return is_long and (stem.startswith(part) or (stem.endswith(part) and part not in _ENDINGS))


@lru_cache(maxsize=1)
def thesaurus() -> Thesaurus:
    """Return the thesaurus of the product, read once."""
    return read_thesaurus(_FILE.read_text(encoding="utf-8"))


def read_thesaurus(text: str) -> Thesaurus:
    """Return the ideas of ``text``; raise ValueError for a line without German words."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    ideas = tuple(_idea(line.removeprefix(_LIGHT)) for line in lines)
    light = frozenset(number for number, line in enumerate(lines) if line.startswith(_LIGHT))
    written = tuple(tuple(word.strip() for word in re.split(r"[,|]", line.removeprefix(_LIGHT))) for line in lines)
    by_first: defaultdict[tuple[str, str], list[tuple[int, Phrase]]] = defaultdict(list)
    for number, idea in enumerate(ideas):
        for language, phrases in idea.items():
            for phrase in phrases:
                by_first[language, phrase[0]].append((number, phrase))
    return Thesaurus(ideas, {key: tuple(entries) for key, entries in by_first.items()}, light, written)


def _idea(line: str) -> dict[str, frozenset[Phrase]]:
    sides = line.split("|")
    idea = {
        language: frozenset(filter(None, (_phrase(word, language) for word in side.split(","))))
        for language, side in zip(LANGUAGES, sides, strict=False)
    }
    if not idea.get("de"):
        raise ValueError(f"This line of the thesaurus has no German words: {line}")
    return idea


def _phrase(words: str, language: str) -> Phrase:
    return tuple(term_stem(token.text, language) for token in tokenise(words) if token.kind != "sign")
