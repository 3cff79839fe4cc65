"""Which words of the log are typos of which: so that a topic is not named "Parteeien" and counts what was meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from apps.language.tokenising import tokenise

# Shorter words have too many neighbours that are words themselves.
_SHORTEST: Final = 5
# By so much a word must be commoner than what looks like its typo, where the corpus knows neither.
_COMMONER: Final = 3


def corrections(texts: Iterable[str], known: Collection[str]) -> Mapping[str, str]:
    """Return for each typo the word that was meant, both folded: one letter more, less, other or changed places.

    A word of the corpus (``known``) is no typo. Meant is a word of the log that the corpus knows, else one that is
    three times as common as the typo; of several the commonest.
    """
    counts = Counter(token.folded for text in texts for token in tokenise(text) if token.kind == "word")
    words = set(known)
    near = _by_deletion(word for word in counts if len(word) >= _SHORTEST - 1)
    found: dict[str, str] = {}
    for word, count in counts.items():
        if len(word) < _SHORTEST or word in words:
            continue
        meant = [other for other in _neighbours(word, near) if other in words or counts[other] >= _COMMONER * count]
        if meant:
            found[word] = max(meant, key=lambda other: (other in words, counts[other], other))
    return found


def _by_deletion(words: Iterable[str]) -> dict[str, list[str]]:
    """Return the words by each form with at most one letter left out (Garbe's symmetric deletion)."""
    found: dict[str, list[str]] = {}
    for word in words:
        for form in _deletions(word):
            found.setdefault(form, []).append(word)
    return found


def _deletions(word: str) -> Iterator[str]:
    yield word
    yield from {word[:place] + word[place + 1 :] for place in range(len(word))}


def _neighbours(word: str, near: Mapping[str, list[str]]) -> set[str]:
    from rapidfuzz.distance import OSA

    met = {other for form in _deletions(word) for other in near.get(form, ()) if other != word}
    # The first letter is seldom mistyped: "Leute" is no typo of "heute".
    return {other for other in met if other[0] == word[0] and OSA.distance(word, other, score_cutoff=1) <= 1}
