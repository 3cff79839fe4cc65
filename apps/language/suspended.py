"""Suspended hyphens: "Ein- und Ausfuhr" also means Einfuhr, "Zu- oder -abgang" also Zuabgang."""

import re
from collections.abc import Container, Iterator
from typing import Final

from apps.language.compounds import split_compound
from apps.language.normalising import fold

_JOINERS: Final = r"(?:und|oder|bzw\.?|sowie|wie|als\ auch|statt|bis|noch|,|/|&)"
_FIRST: Final = re.compile(rf"([^\W\d_]{{2,40}})-,?\s{{1,3}}{_JOINERS}\s{{0,3}}([^\W\d_]{{4,60}})")
_LAST: Final = re.compile(rf"([^\W\d_]{{4,60}})\s{{0,3}}{_JOINERS}\s{{1,3}}-([^\W\d_]{{2,40}})")
# First parts of verbs and directions: what follows them is the shared head, whatever the corpus knows.
_PREFIXES: Final = (
    "gegenueber", "entgegen", "zurueck", "vorder", "hinter", "wieder", "weiter", "innen", "aussen", "gegen",
    "unter", "ueber", "neben", "nieder", "inner", "ober", "nord", "west", "sued", "hoch", "tief", "gross",
    "klein", "mittel", "rueck", "nach", "fort", "voll", "teil", "haupt", "vor", "aus", "ein", "auf", "ost",
    "ent", "ver", "bei", "hin", "her", "mit", "zer", "um", "an", "ab", "zu", "be",
)  # fmt: skip


def completed_words(text: str, vocabulary: Container[str]) -> Iterator[str]:
    """Yield, folded, the words of `text` that a suspended hyphen leaves out."""
    for match in _FIRST.finditer(text):
        head = _head(fold(match.group(2)), fold(match.group(1)), vocabulary)
        if head:
            yield fold(match.group(1)) + head
    for match in _LAST.finditer(text):
        parts = split_compound(fold(match.group(1)), vocabulary)
        if len(parts) == 2:
            whole = fold(match.group(1))
            yield whole[: len(whole) - len(parts[1])] + fold(match.group(2))


def _head(word: str, first: str, vocabulary: Container[str]) -> str:
    """The part of `word` that `first` shares: a known word if there is one, else after a prefix or a cut."""
    for cut in range(1, len(word) - 2):
        if first + word[cut:] in vocabulary:
            return word[cut:]
    parts = split_compound(word, vocabulary)
    if len(parts) == 2:
        return parts[1]
    for prefix in _PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) >= 3:
            return word[len(prefix) :]
    return parts[0] if parts else ""
