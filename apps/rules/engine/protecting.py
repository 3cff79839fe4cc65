"""Protected terms: what must be the same, in the same order, before two similar texts may stand for each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from apps.rules.engine.number_words import number_values
from apps.rules.engine.opposites import turning
from apps.rules.engine.reading import read
from apps.rules.types import ProtectedName

_ARTICLES: Final = frozenset({"die", "der", "den", "dem", "des", "the"})
_SECTIONS: Final = frozenset({"§", "paragraph", "paragraf", "paragraphen", "paragrafen"})
_ENDINGS: Final = ("s", "n", "e", "en", "er", "em", "es")
# Shorter names are only met as whole words.
_SHORTEST_START: Final = 3
_LONGEST_ACRONYM: Final = 5
_PLAIN_VOWELS: Final = str.maketrans("äöüÄÖÜ", "aouAOU")

Words = tuple[str, ...]


class NameFinder:
    """Finds listed names among folded tokens whatever their case and ending; all aliases of a name give its key.

    It rather takes an everyday word for a name (grüne Energie) than miss one: both texts are read in the same way.
    """

    def __init__(self, names: Iterable[ProtectedName]) -> None:
        self._aliases: dict[str, dict[Words, set[str]]] = {}
        self._starts: dict[str, set[str]] = {}
        self._ends: dict[str, set[str]] = {}
        for name in names:
            for alias in name.aliases:
                self._add(name.key, alias)
        self._longest = max(map(len, self._starts), default=0)

    def at(self, tokens: Sequence[str], position: int) -> tuple[str, int]:
        """Return the name that begins at a token and how many tokens it takes, ("", 0) for none.

        An alias of several names gives all their keys. The longest alias wins, then what is nearest to the list.
        """
        best, keys = (0, 0), set[str]()
        for base in _bases(tokens[position]):
            for words, found in self._aliases.get(base, {}).items():
                taken, exact = _taken(tokens, position, words)
                if taken and (taken, exact) > best:
                    best, keys = (taken, exact), set(found)
                elif taken and (taken, exact) == best:
                    keys |= found
        if not keys:
            best, keys = (1, 0), self._within(tokens[position])
        return ("+".join(sorted(keys)), best[0]) if keys else ("", 0)

    def _add(self, key: str, alias: str) -> None:
        for text in dict.fromkeys((alias, alias.translate(_PLAIN_VOWELS))):
            words = read(text).tokens
            content = tuple(word for word in words if word not in _ARTICLES) or words
            if not content:
                continue
            whole = "".join(content)
            for spelling in {content, (whole,), ("".join(words),)}:
                for base in _bases(spelling[0]):
                    self._aliases.setdefault(base, {}).setdefault(spelling, set()).add(key)
            if len(whole) >= _SHORTEST_START and not whole.isdigit():
                self._starts.setdefault(whole, set()).add(key)
            is_acronym = len(whole) <= _LONGEST_ACRONYM and sum(letter.isupper() for letter in alias) > 1
            if len(content) == 1 and is_acronym:
                self._ends.setdefault(whole, set()).add(key)

    def _within(self, token: str) -> set[str]:
        """A name at the start of a longer word (Grünenchefin, AfDler), an acronym also at its end (NoAfD)."""
        for length in range(min(len(token), self._longest), _SHORTEST_START - 1, -1):
            if keys := self._starts.get(token[:length]):
                return keys
        for length in range(_LONGEST_ACRONYM, _SHORTEST_START - 1, -1):
            if keys := self._ends.get(token[-length:]):
                return keys
        return set()


def protected_terms(tokens: Sequence[str], names: NameFinder) -> Words:
    """Return the protected terms of folded tokens in order: names by key, numbers by value, §, negations, opposites."""
    return tuple(_terms(tokens, names))


def _terms(tokens: Sequence[str], names: NameFinder) -> Iterator[str]:
    position = 0
    while position < len(tokens):
        name, taken = names.at(tokens, position)
        if taken:
            yield name
            position += taken
            continue
        token = tokens[position]
        position += 1
        if token in _SECTIONS:
            yield "§"
            continue
        yield from number_values(token)
        if turned := turning(token):
            yield turned


def _taken(tokens: Sequence[str], position: int, words: Words) -> tuple[int, int]:
    """How many tokens an alias takes, articles between included, and how near they are to the list; 0 for none."""
    start, exact = position, 0
    for number, word in enumerate(words):
        while number and position < len(tokens) and tokens[position] in _ARTICLES and tokens[position] != word:
            position += 1
        if position == len(tokens) or not _meet(tokens[position], word):
            return 0, 0
        exact += 2 if tokens[position] == word else tokens[position].startswith(word)
        position += 1
    return position - start, exact


def _meet(token: str, word: str) -> bool:
    return token == word or not set(_bases(token)).isdisjoint(_bases(word))


def _bases(word: str) -> Words:
    """The word itself and what it may be an inflected form of; two words meet where these do."""
    stems = (word[: -len(end)] for end in _ENDINGS if len(word) - len(end) >= _SHORTEST_START and word.endswith(end))
    return tuple(dict.fromkeys((word, *stems)))
