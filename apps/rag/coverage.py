"""Soft coverage: how much of what a question asks about occurs in a text, rare words weighing more.

The values of a match come from a measurement on German questions (compounds, inflection, spelling); they are flat:
a tenth more or less moves nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Final

from rapidfuzz import fuzz

from apps.language.lemmas import is_known, lemma_set
from apps.language.normalising import fold
from apps.language.thesaurus import term_stem, thesaurus
from apps.rag.words import Word, all_words, content_words, stems_of

_SHORTEST_PART: Final = 4
_COGNATE: Final = 0.62
_MISSPELT: Final = 0.9
# Infinitives whose first part stands apart in a main clause.
_SEPARABLE: Final = re.compile(
    "(ab|an|auf|aus|bei|dar|ein|fest|frei|her|hin|los|mit|nach|statt|teil|vor|weg|weiter|wieder|zu|zurueck|zusammen)"
    "([a-z]{3,}e?[lr]?n)"
)
_CLAUSES: Final = re.compile(r"[.,;:!?()–—]+|\s-\s|\bund\b|\boder\b")
# Behind a subject they add nothing to it: "Steuerpläne" are about "Steuern".
_WAYS: Final = re.compile(
    r"(?:plan|plaene|politik|frage|thema|themen|konzept|reform|vorhaben|programm|position|regel|recht|gesetz|satz|hoehe"
    r"|betrag|zahl|erhoehung|senkung|debatte|streit|beginn|termin|schutz|system|wesen)\w{0,3}$"
)
# Another word for the same idea: nearly as good as the word itself.
SAME_IDEA: Final = 0.9


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
    # Two words of the dictionary that look alike are two words: "München" is no misspelt "Menschen".
    are_words = is_known(asked.text, language) and is_known(found.text, language)
    likeness = _beginning(asked.folded, found.folded) if are_words else _likeness(asked.folded, found.folded)
    return max(_part_value(asked, found), likeness)


def _foreign_value(asked: Word, found: Word, language: str) -> float:
    """Names, numbers and international words are written alike in two languages, nothing else proves anything."""
    if asked.folded == found.folded:
        return 1.0
    if asked.is_number or found.is_number:
        return 0.0
    value = _likeness(asked.folded, found.folded)
    return value if value >= _COGNATE else 0.0


def _holds(idea: int, said: tuple[str, ...], language: str) -> bool:
    if any(_is_of_idea(idea, term, language) for term in said):
        return True
    return any(said[at : at + len(row)] == row for row in thesaurus().rows(idea, language) for at in range(len(said)))


@lru_cache(maxsize=200_000)
def _is_of_idea(idea: int, term: str, language: str) -> bool:
    return thesaurus().holds(idea, term, language)


def _part_value(asked: Word, found: Word) -> float:
    """Compounds: Rente in Rentenniveau 0.8; Steuer for Steuerpläne 0.5.

    Not the same are Wasser for Wasserstoff 0.4 and Rente for Witwenrente 0.3.
    """
    is_inside = (
        found.folded.endswith(asked.folded) or found.folded.startswith(asked.stem) or found.stem.endswith(asked.stem)
    )
    if is_inside and len(asked.stem) >= _SHORTEST_PART and len(found.folded) >= len(asked.folded) + 3:
        return 0.8
    if len(found.stem) >= _SHORTEST_PART and len(asked.folded) >= len(found.folded) + 3:
        if asked.folded.endswith(found.folded) or asked.stem.endswith(found.stem):
            return 0.3
        if asked.folded.startswith(found.stem):
            return 0.5 if _WAYS.search(asked.folded, len(found.stem)) else 0.4
    if min(len(asked.folded), len(found.folded)) < 8:
        return 0.0
    return 0.4 if asked.folded[:6] == found.folded[:6] else 0.0


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
    return term_stem(word, "de") == term_stem(verb, "de") or bool(lemma_set(word, "de") & lemma_set(verb, "de"))


def _beginning(asked: str, found: str) -> float:
    """A common beginning: inflected words."""
    longer = max(len(asked), len(found))
    if asked[:5] != found[:5] or min(len(asked), len(found)) < 5:
        return 0.0
    shared = next((at for at, (one, other) in enumerate(zip(asked, found, strict=False)) if one != other), longer)
    shared = min(shared, len(asked), len(found))
    return 0.8 * shared / longer if shared >= 0.6 * longer else 0.0


def _likeness(asked: str, found: str) -> float:
    """A common beginning, or letters in another order: misspelt and inflected words."""
    longer = max(len(asked), len(found))
    beginning = _beginning(asked, found)
    if min(len(asked), len(found)) < 6 or asked[0] != found[0]:
        return beginning
    ratio = fuzz.ratio(asked, found, score_cutoff=80) / 100
    # One letter wrong, missing or doubled: misspelt.
    return max(beginning, 0.95 * ratio if ratio >= _MISSPELT and longer >= 7 else 0.7 * ratio)


def ideas_in(text: str, language: str) -> dict[str, frozenset[int]]:
    """Return the ideas of the thesaurus that a question's words stand for, by stem."""
    stems = stems_of(text, language)
    found: dict[str, frozenset[int]] = {}
    for term, ideas in zip(stems, thesaurus().ideas_of(stems, language), strict=True):
        found[term] = found.get(term, frozenset()) | ideas
    return found


class Coverage:
    """The words of one question with their weights; answers how much of them a text holds.

    ``ideas`` are what its words stand for: another word for the same idea counts nearly as much. ``light`` are the
    stems of words that say what is done with a thing.
    """

    def __init__(
        self,
        asked: Sequence[Word],
        weights: Mapping[str, float],
        language: str,
        ideas: Mapping[str, frozenset[int]] | None = None,
        light: Collection[str] = (),
    ) -> None:
        self._asked = tuple(asked)
        self._language = language
        highest = max(weights.values(), default=1.0)
        self._weights = tuple(weights.get(word.stem, highest) for word in self._asked)
        self._total = math.fsum(self._weights)
        self.light = tuple(word.stem in light for word in self._asked)
        self._ideas = tuple((ideas or {}).get(word.stem, frozenset()) for word in self._asked)

    def matches(self, text: str, language: str = "") -> tuple[float, ...]:
        """Return for each word of the question its best match in ``text``, 0 to 1.

        ``language`` is the text's, where it is not the question's.
        """
        language = language or self._language
        found = all_words(text, language)
        match = match_value if language == self._language else _foreign_value
        values = [max((match(asked, word, self._language) for word in found), default=0.0) for asked in self._asked]
        if language == self._language == "de":
            for at, asked in enumerate(self._asked):
                if values[at] < 1.0 and _comes_apart(asked, text):
                    values[at] = 1.0
        if any(value < SAME_IDEA and ideas for value, ideas in zip(values, self._ideas, strict=True)):
            said = stems_of(text, language)
            values = [
                max(value, SAME_IDEA)
                if value < SAME_IDEA and any(_holds(idea, said, language) for idea in ideas)
                else value
                for value, ideas in zip(values, self._ideas, strict=True)
            ]
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
        ideas = {word.stem: own for word, own in zip(self._asked, self._ideas, strict=True)}
        return Coverage(asked, known, self._language, ideas)

    @property
    def weights(self) -> tuple[float, ...]:
        """How much each word counts."""
        return self._weights

    @property
    def numbers(self) -> tuple[bool, ...]:
        """Which words are numbers."""
        return tuple(word.is_number for word in self._asked)

    def other_words(self, missing: Collection[str]) -> tuple[str, ...]:
        """Return what sources may call the missing words instead, in every language of the thesaurus."""
        ideas = [
            idea for word, own in zip(self._asked, self._ideas, strict=True) if word.text in missing for idea in own
        ]
        return tuple(dict.fromkeys(word for idea in ideas for word in thesaurus().words(idea)))

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
