"""Compounds cut where the corpus itself knows the parts; used for search only."""

from collections.abc import Container
from typing import Final

_SHORTEST_COMPOUND: Final = 8
_SHORTEST_PART: Final = 4
_LONGEST_COMPOUND: Final = 64
_LINKS: Final = ("", "s", "es", "n", "en", "er", "e")


def split_compound(word: str, vocabulary: Container[str]) -> tuple[str, ...]:
    """Return the known parts of a folded word: modifier and head, the head alone, or nothing.

    A word of at least 8 letters is cut where both halves (at least 4 letters) are in `vocabulary`, a linking
    s, es, n, en, er or e left out; the cut with the longest shorter half wins.
    """
    if not _SHORTEST_COMPOUND <= len(word) <= _LONGEST_COMPOUND or not word.isalpha():
        return ()
    best: tuple[str, ...] = ()
    best_half = 0
    longest_head = ""
    for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        head = word[cut:]
        if head not in vocabulary:
            continue
        longest_head = longest_head or head
        modifier = _known_modifier(word[:cut], vocabulary)
        if modifier and min(len(modifier), len(head)) > best_half:
            best, best_half = (modifier, head), min(len(modifier), len(head))
    if best:
        return best
    return (longest_head,) if longest_head else ()


def _known_modifier(start: str, vocabulary: Container[str]) -> str:
    for link in _LINKS:
        if start.endswith(link):
            bare = start[: len(start) - len(link)]
            if len(bare) >= _SHORTEST_PART and bare in vocabulary:
                return bare
    return ""
