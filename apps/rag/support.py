"""How far a text is borne out by passages: words, pairs of words, figures, names and closeness of meaning.

The recipe has no trained weights. Measured on human ratings of faithfulness: suite ``support:mtrag``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np

from apps.language.numbers import values
from apps.language.stemming import stem
from apps.language.stopwords import stop_words
from apps.language.tokenising import Token, tokenise
from apps.rag.protocols import Vectors

# Passages that are kept as read: a model's sentences cite the same ones again and again.
_TEXTS_KEPT: Final = 2_000


@dataclass(frozen=True, slots=True)
class SupportParts:
    """Shares from 0 to 1 of a text that its passages hold; ``cosine`` is -1 to 1, None where nothing was embedded.

    ``words`` counts content words alike and is the plain measure to compare with; ``rare_words`` weighs them by idf.
    """

    words: float
    rare_words: float
    bigrams: float
    figures: float
    names: float
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Scale:
    """Mean and spread of one part over the answers of ``support:mtrag``; they make the parts comparable."""

    mean: float
    spread: float

    def of(self, value: float) -> float:
        """Return the value in spreads from the mean."""
        return (value - self.mean) / self.spread


RARE_WORDS: Final = Scale(0.713, 0.220)
# The built-in embedder's.
COSINE: Final = Scale(0.914, 0.041)
BIGRAMS: Final = Scale(0.457, 0.263)
FIGURES: Final = Scale(0.845, 0.309)
NAMES: Final = Scale(0.909, 0.203)


def support(parts: SupportParts, closeness: Scale | None = COSINE) -> float:
    """Return the sum of the parts, each in spreads from its mean; about -9 to 3, more is better.

    ``closeness`` is the scale of the embedder's cosines. Where nobody has measured it, or nothing was embedded, that
    share goes to the words, so that the sum stays comparable.
    """
    words = RARE_WORDS.of(parts.rare_words)
    meaning = words if parts.cosine is None or closeness is None else closeness.of(parts.cosine)
    return (
        words
        + 0.5 * meaning
        + 0.5 * BIGRAMS.of(parts.bigrams)
        + 0.3 * FIGURES.of(parts.figures)
        + 0.3 * NAMES.of(parts.names)
    )


def support_parts(
    text: str,
    language: str,
    passages: Sequence[str],
    idf: Mapping[str, float],
    *,
    passage_language: str = "",
    cosine: float | None = None,
) -> SupportParts:
    """Measure a text against the passages it cites. ``idf`` is by stem; a word that it lacks is as rare as any."""
    told = _content(text, language)
    stems = [stem(token.folded, language) for token in told]
    held = [_held(passage, passage_language or language, language) for passage in passages]
    known = {each for passage in held for each in passage.stems}
    rarest = max(idf.values(), default=1.0)
    pairs = set(pairwise(stems))
    known_pairs = {pair for passage in held for pair in pairwise(passage.stems)}
    stated = frozenset[object]().union(*(passage.values for passage in held))
    names = {token.folded for token in _capitalised(text, told)}
    written = {each for passage in held for each in passage.words}
    return SupportParts(
        words=_share(set(stems), known),
        rare_words=_weighed(set(stems), known, idf, rarest),
        bigrams=_share(pairs, known_pairs),
        figures=_share(values(text, language), stated),
        names=_share(names, written),
        cosine=cosine,
    )


def nearest(sentences: Vectors, others: Vectors) -> float | None:
    """Return the mean over ``sentences`` of the cosine with the nearest of ``others``; rows are unit vectors."""
    if not len(sentences) or not len(others):
        return None
    return float(np.mean(np.max(sentences @ others.T, axis=1)))


def idf_of(texts: Iterable[str], language: str) -> dict[str, float]:
    """Return the BM25 idf of every content stem of ``texts``."""
    counts: dict[str, int] = {}
    total = 0
    for text in texts:
        total += 1
        for word in set(_held(text, language, language).stems):
            counts[word] = counts.get(word, 0) + 1
    return {word: math.log(1 + (total - count + 0.5) / (count + 0.5)) for word, count in counts.items()}


@dataclass(frozen=True, slots=True)
class _Held:
    """What a passage has to bear a sentence out: its content words, their stems in order, its figures."""

    words: frozenset[str]
    stems: tuple[str, ...]
    values: frozenset[object]


@lru_cache(maxsize=_TEXTS_KEPT)
def _held(text: str, language: str, stemmed_as: str) -> _Held:
    words = [token.folded for token in _content(text, language)]
    stems = tuple(_kept_stem(word, stemmed_as) for word in words)
    return _Held(frozenset(words), stems, frozenset(values(text, language)))


@lru_cache(maxsize=50_000)
def _kept_stem(word: str, language: str) -> str:
    """One string for each stem, however many passages have it."""
    return stem(word, language)


def _content(text: str, language: str) -> list[Token]:
    left_out = stop_words(language)
    return [token for token in tokenise(text) if token.kind != "sign" and token.folded not in left_out]


def _capitalised(text: str, tokens: Iterable[Token]) -> Iterable[Token]:
    """Words with a capital that do not open a sentence."""
    for token in tokens:
        before = text[: token.start].rstrip(" \"'„“»«(")
        if token.text[0].isupper() and before and before[-1] not in ".!?:\n":
            yield token


def _share(told: Iterable[object], held: Iterable[object]) -> float:
    told, held = set(told), set(held)
    return len(told & held) / len(told) if told else 1.0


def _weighed(told: Iterable[str], held: Iterable[str], idf: Mapping[str, float], rarest: float) -> float:
    told, held = set(told), set(held)
    # Exact sums: those of floats depend on the order of a set, which differs between processes.
    whole = math.fsum(idf.get(word, rarest) for word in told)
    return math.fsum(idf.get(word, rarest) for word in told & held) / whole if whole else 1.0
