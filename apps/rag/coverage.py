"""Soft coverage: how much of what a question asks about occurs in a text, rare words weighing more.

The values of a match come from a measurement on German questions (compounds, inflection, spelling); they are flat:
a tenth more or less moves nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rapidfuzz import fuzz

from apps.language.lemmas import lemma_set
from apps.language.normalising import fold
from apps.language.stemming import stem
from apps.language.stopwords import stop_words
from apps.language.tokenising import Token, tokenise

_SHORTEST_PART: Final = 4
# Infinitives whose first part stands apart in a main clause.
_SEPARABLE: Final = re.compile(
    "(ab|an|auf|aus|bei|dar|ein|fest|frei|her|hin|los|mit|nach|statt|teil|vor|weg|weiter|wieder|zu|zurueck|zusammen)"
    "([a-z]{3,}e?[lr]?n)"
)
_CLAUSES: Final = re.compile(r"[.,;:!?()–—]+|\s-\s|\bund\b|\boder\b")
# How questions about politics are framed; no source that answers them repeats it.
_FRAME: Final = frozenset(
    (  # noqa: SIM905
        "position haltung meinung ansicht standpunkt partei parteien programm wahlprogramm forderung forderungen"
        " fordert fordern plant planen thema frage vorschlag vorschlaege plaene party parties manifesto stance"
        " opinion view views vergleich unterschied unterschiede vergleiche compare thinks wants proposes plan plans"
        " laut nennt nennen schlaegt willen aussage aussagen gegenueber gilt gelten applies"
    ).split()
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word ready to be compared: as written, folded, and its search stem."""

    text: str
    folded: str
    stem: str
    is_number: bool = False


def content_words(text: str, language: str) -> tuple[Word, ...]:
    """Return the distinct words of a question that name its subject: no function words, no frame."""
    left_out = stop_words(language) | _FRAME
    words = {token.folded: _word(token, language) for token in _words(text) if token.folded not in left_out}
    return tuple(words.values())


def all_words(text: str, language: str) -> tuple[Word, ...]:
    """Return the distinct words of a source's text, function words left out."""
    left_out = stop_words(language)
    words = {token.folded: _word(token, language) for token in _words(text) if token.folded not in left_out}
    return tuple(words.values())


def _words(text: str) -> Iterable[Token]:
    return (token for token in tokenise(text) if token.kind != "sign")


def _word(token: Token, language: str) -> Word:
    return Word(token.text, token.folded, search_stem(token.text, language), token.kind == "number")


@lru_cache(maxsize=100_000)
def search_stem(word: str, language: str) -> str:
    """Return the term under which the search index knows a word."""
    if language == "de":
        return stem(fold(word), language)
    return fold(stem(word.casefold(), language))


@lru_cache(maxsize=200_000)
def match_value(asked: Word, found: Word, language: str) -> float:
    """Return from 0 to 1 how well a word of the source answers to a word of the question."""
    if asked.folded == found.folded:
        return 1.0
    if asked.is_number or found.is_number:
        return 0.0
    if asked.stem == found.stem:
        return 1.0
    if asked.folded[0] == found.folded[0] and lemma_set(asked.text, language) & lemma_set(found.text, language):
        return 1.0
    return max(_part_value(asked, found), _likeness(asked.folded, found.folded))


def _part_value(asked: Word, found: Word) -> float:
    """Compounds: Rente in Rentenniveau 0.8, Niveau for Rentenniveau 0.6, a shared part 0.4."""
    is_inside = (
        found.folded.endswith(asked.folded) or found.folded.startswith(asked.stem) or found.stem.endswith(asked.stem)
    )
    if is_inside and len(asked.stem) >= _SHORTEST_PART and len(found.folded) >= len(asked.folded) + 3:
        return 0.8
    if len(found.stem) >= _SHORTEST_PART and len(asked.folded) >= len(found.folded) + 3:
        if asked.folded.endswith(found.folded) or asked.stem.endswith(found.stem):
            return 0.6
        if asked.folded.startswith(found.stem):
            return 0.5
    if min(len(asked.folded), len(found.folded)) < 8:
        return 0.0
    has_part = asked.folded[:5] == found.folded[:5] or asked.stem[-5:] == found.stem[-5:]
    return 0.4 if has_part else 0.0


def _comes_apart(asked: Word, text: str) -> bool:
    """Say whether a text has a separable verb of the question in two pieces: mitbringen in "Bringen Sie ... mit"."""
    prefixed = _SEPARABLE.fullmatch(asked.folded)
    if prefixed is None:
        return False
    prefix, verb = prefixed[1], prefixed[2]
    # The piece in front closes the clause; between the two there is no end of one.
    for clause in _CLAUSES.split(fold(text)):
        words = clause.split()
        if words[-1:] == [prefix] and any(_is_form(word, verb) for word in words[:-1]):
            return True
    return False


def _is_form(word: str, verb: str) -> bool:
    if word[0] != verb[0]:
        return False
    return search_stem(word, "de") == search_stem(verb, "de") or bool(lemma_set(word, "de") & lemma_set(verb, "de"))


def _likeness(asked: str, found: str) -> float:
    """A common beginning, or letters in another order: misspelt and inflected words."""
    longer = max(len(asked), len(found))
    beginning = 0.0
    if asked[:5] == found[:5] and min(len(asked), len(found)) >= 5:
        shared = next((at for at, (one, other) in enumerate(zip(asked, found, strict=False)) if one != other), longer)
        shared = min(shared, len(asked), len(found))
        beginning = 0.8 * shared / longer if shared >= 0.6 * longer else 0.0
    if min(len(asked), len(found)) < 6:
        return beginning
    return max(beginning, 0.7 * fuzz.ratio(asked, found, score_cutoff=80) / 100)


class Coverage:
    """The words of one question with their weights; answers how much of them a text holds."""

    def __init__(self, asked: Sequence[Word], weights: Mapping[str, float], language: str) -> None:
        self._asked = tuple(asked)
        self._language = language
        highest = max(weights.values(), default=1.0)
        self._weights = tuple(weights.get(word.stem, highest) for word in self._asked)
        self._total = math.fsum(self._weights)

    def matches(self, text: str) -> tuple[float, ...]:
        """Return for each word of the question its best match in ``text``, 0 to 1."""
        found = all_words(text, self._language)
        values = [
            max((match_value(asked, word, self._language) for word in found), default=0.0) for asked in self._asked
        ]
        if self._language == "de":
            for at, asked in enumerate(self._asked):
                if values[at] < 1.0 and _comes_apart(asked, text):
                    values[at] = 1.0
        return tuple(values)

    def share(self, *matches: tuple[float, ...]) -> float:
        """Return the weighted share of the question that texts with these matches hold together, 0 to 1."""
        if not self._total:
            return 0.0
        best = (max(column) for column in zip(*matches, strict=True))
        return math.fsum(w * value for w, value in zip(self._weights, best, strict=True)) / self._total

    def missing(self, *matches: tuple[float, ...]) -> tuple[str, ...]:
        """Return the words of the question that no text holds, as the reader wrote them."""
        best = [max(column) for column in zip(*matches, strict=True)] if matches else [0.0] * len(self._asked)
        return tuple(word.text for word, value in zip(self._asked, best, strict=True) if value < 0.5)

    def of(self, words: Sequence[str]) -> Coverage:
        """Return the coverage of some words of the same question; one that was not asked weighs as the rarest."""
        asked = content_words(" ".join(words), self._language)
        known = {word.stem: weight for word, weight in zip(self._asked, self._weights, strict=True)}
        return Coverage(asked, known, self._language)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the question that are looked for, as written."""
        return tuple(word.text for word in self._asked)


def idf_over(texts: Sequence[str], words: Sequence[Word], language: str) -> dict[str, float]:
    """Return the BM25 idf of each word's stem over a few texts: the fallback where no corpus statistics are given."""
    stems = [{word.stem for word in all_words(text, language)} for text in texts]
    count = len(stems)
    frequency = {word.stem: sum(word.stem in known for known in stems) for word in words}
    return {term: math.log(1 + (count - df + 0.5) / (df + 0.5)) for term, df in frequency.items()}
