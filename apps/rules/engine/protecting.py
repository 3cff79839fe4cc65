"""Protected terms: what must be the same, in the same order, before two similar texts may stand for each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from apps.language.number_words import number_values
from apps.language.opposites import turning
from apps.rules.engine.reading import read
from apps.rules.types import ProtectedName

_ARTICLES: Final = frozenset({"die", "der", "den", "dem", "des", "the"})
_SECTIONS: Final = frozenset({"§", "paragraph", "paragraf", "paragraphen", "paragrafen"})
# Shorter names are only met as whole words; a shorter rest makes another name of it: Lang, Lange, Langer.
_SHORTEST_START: Final = 3
_SHORTEST_REST: Final = 4
_LONGEST_ACRONYM: Final = 5
# After an acronym of up to four letters only these make one word with it: AfDler, SPDFraktion, but not KOMpost.
_SHORT: Final = 4
_HEADS: Final = (
    "ler", "chef", "politik", "fraktion", "partei", "abgeordnet", "vorsitz", "waehl", "wahl", "spitze", "mitglied",
    "minister", "kandidat", "programm", "land", "bundes", "verband", "verbot", "regier", "anhaeng", "antrag", "plan",
)  # fmt: skip
# Before an acronym at the end of a word: NoAfD.
_BEFORE: Final = frozenset(("no", "nie", "anti", "fck", "ex", "stop", "bundes", "landes", "team", "die"))
_PLAIN_VOWELS: Final = str.maketrans("äöüÄÖÜ", "aouAOU")

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Alias:
    key: str
    words: Words
    forms: tuple[frozenset[str], ...]


class NameFinder:
    """Finds listed names among folded tokens whatever their case and ending; all aliases of a name give its key.

    It rather takes an everyday word for a name (grüne Energie) than miss one: both texts are read in the same way.
    """

    def __init__(self, names: Iterable[ProtectedName]) -> None:
        self._aliases: dict[str, list[_Alias]] = {}
        # Every word of an alias -> the names it belongs to: no ending makes another name of it.
        self._listed: dict[str, set[str]] = {}
        self._starts: dict[str, set[str]] = {}
        self._ends: dict[str, set[str]] = {}
        for name in names:
            for alias in name.aliases:
                self._add(name.key, alias)
        self._longest = max(map(len, self._starts), default=0)

    def at(self, tokens: Sequence[str], position: int) -> tuple[str, int]:
        """Return the name that begins at a token and how many tokens it takes, ("", 0) for none.

        An alias of several names gives all their keys. The longest alias wins, then the one with most words as listed.
        """
        best, keys = (0, 0), set[str]()
        for alias in self._aliases.get(tokens[position], ()):
            taken = self._taken(tokens, position, alias)
            if taken > best:
                best, keys = taken, {alias.key}
            elif keys and taken == best:
                keys.add(alias.key)
        if not keys:
            best, keys = (1, 0), self._within(tokens[position])
        return ("+".join(sorted(keys)), best[0]) if keys else ("", 0)

    def _add(self, key: str, text: str) -> None:
        for spelled in dict.fromkeys((text, text.translate(_PLAIN_VOWELS))):
            words = read(spelled).tokens
            content = tuple(word for word in words if word not in _ARTICLES) or words
            if not content:
                continue
            whole = "".join(content)
            for spelling in {content, (whole,), ("".join(words),)}:
                alias = _Alias(key, spelling, tuple(_forms(word, len(content) < len(words)) for word in spelling))
                for form in alias.forms[0]:
                    self._aliases.setdefault(form, []).append(alias)
            for word in content:
                self._listed.setdefault(word, set()).add(key)
            if len(whole) >= _SHORTEST_START and not whole.isdigit():
                self._starts.setdefault(whole, set()).add(key)
            is_acronym = len(whole) <= _LONGEST_ACRONYM and sum(letter.isupper() for letter in text) > 1
            if len(content) == 1 and is_acronym:
                self._ends.setdefault(whole, set()).add(key)

    def _taken(self, tokens: Sequence[str], start: int, alias: _Alias) -> tuple[int, int]:
        """How many tokens an alias takes, articles between included, and how many of its words are as listed."""
        position, exact = start, 0
        for word, forms in zip(alias.words, alias.forms, strict=True):
            while start < position < len(tokens) and tokens[position] in _ARTICLES and tokens[position] not in forms:
                position += 1
            if position == len(tokens) or tokens[position] not in forms:
                return 0, 0
            if tokens[position] == word:
                exact += 1
            elif alias.key not in self._listed.get(tokens[position], {alias.key}):
                return 0, 0
            position += 1
        return position - start, exact

    def _within(self, token: str) -> set[str]:
        """A name at the start of a longer word (Grünenchefin, AfDler), an acronym also at its end (NoAfD)."""
        for length in range(min(len(token), self._longest), _SHORTEST_START - 1, -1):
            keys = self._starts.get(token[:length])
            if keys and _is_rest(token[length:], length):
                return keys
        for length in range(_LONGEST_ACRONYM, _SHORTEST_START - 1, -1):
            keys = self._ends.get(token[-length:])
            if keys and token[:-length] in _BEFORE:
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


def _is_rest(rest: str, length: int) -> bool:
    """Say whether the rest of a word after a name of some length leaves it the same name."""
    return rest.startswith(_HEADS) if length <= _SHORT else len(rest) >= _SHORTEST_REST


def _forms(word: str, is_adjective: bool) -> frozenset[str]:
    """The word with the endings that it may have; with an article before it, those of an adjective: die Grünen."""
    forms = {word}
    if word.isalpha():
        forms |= {word + "s", word + "n"}
    if is_adjective and word.endswith(("e", "en")):
        stem = word.removesuffix("n")
        forms |= {stem, *(stem + ending for ending in "nrms")}
    return frozenset(forms)
