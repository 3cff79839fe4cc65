"""Suspended hyphens: "Ein- und Ausfuhr" also means Einfuhr, "Zu- oder -abgang" also Zuabgang."""

import re
from collections.abc import Container, Iterator
from typing import Final

from apps.language.compounds import split_compound
from apps.language.normalising import HYPHENS

_JOINERS: Final = r"(?:und|oder|bzw\.?|sowie|wie|als\sauch|statt|bis|noch|,|/|&)"
_HYPHEN: Final = f"[{HYPHENS}]"
_HANGING: Final = re.compile(rf"{_HYPHEN},?\s|\s{_HYPHEN}\w")
_FIRST: Final = re.compile(rf"(?<![^\W\d_])([^\W\d_]{{2,40}}){_HYPHEN},?\s{{1,3}}{_JOINERS}\s{{0,3}}([^\W\d_]{{4,60}})")
_LAST: Final = re.compile(rf"(?<![^\W\d_])([^\W\d_]{{4,60}})\s{{0,3}}{_JOINERS}\s{{1,3}}{_HYPHEN}([^\W\d_]{{2,40}})")
# First parts of verbs and directions: what follows them is the shared head, whatever the corpus knows.
_PREFIXES: Final = (
    "gegenueber", "entgegen", "zurueck", "vorder", "hinter", "wieder", "weiter", "innen", "aussen", "gegen",
    "unter", "ueber", "neben", "nieder", "inner", "ober", "nord", "west", "sued", "hoch", "tief", "gross",
    "klein", "mittel", "rueck", "nach", "fort", "voll", "teil", "haupt", "vor", "aus", "ein", "auf", "ost",
    "ent", "ver", "bei", "hin", "her", "mit", "zer", "um", "an", "ab", "zu", "be",
)  # fmt: skip


def completed_words(folded: str, vocabulary: Container[str]) -> Iterator[str]:
    """Yield the words of a folded text that a suspended hyphen leaves out."""
    if not _HANGING.search(folded):
        return
    for match in _FIRST.finditer(folded):
        first, second = match.groups()
        head = _head(second, first, vocabulary)
        if head:
            yield first + head
    for match in _LAST.finditer(folded):
        whole, last = match.groups()
        parts = split_compound(whole, vocabulary)
        if len(parts) > 1 and whole.endswith(parts[1]):
            yield whole[: len(whole) - len(parts[1])] + last


def _head(word: str, first: str, vocabulary: Container[str]) -> str:
    """The part of `word` that `first` shares: a known word if there is one, else after a prefix or a cut."""
    for cut in range(1, len(word) - 2):
        if first + word[cut:] in vocabulary:
            return word[cut:]
    parts = split_compound(word, vocabulary)
    if len(parts) > 1 and word.endswith(parts[1]):
        return parts[1]
    for prefix in _PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) >= 3:
            return word[len(prefix) :]
    return parts[0] if parts else ""
