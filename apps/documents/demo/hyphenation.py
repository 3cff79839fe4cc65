"""Soft hyphens for the demo's justified PDFs: a few safe German rules, enough to make line-end hyphens. Pure."""

from __future__ import annotations

import re

_VOWELS = "aeiouäöüy"
_CONSONANTS = "bcdfghjklmnpqrstvwxzß"
_SOFT_HYPHEN = "\u00ad"
_MIN_WORD = 8
_MIN_PART = 3
# Pairs that open a syllable together, or that hide a compound boundary: never cut.
_KEPT_TOGETHER = frozenset(
    ["ch", "ck", "sch", "st", "sp", "ph", "th", "pf", "qu", "hl", "hm", "hn", "hr", "ht", "ts", "tz"]
    + [stop + liquid for stop in "bcdfgkptvw" for liquid in "lr"]
)
_SINGLES = frozenset("bgwk")


def hyphenate(text: str) -> str:
    """Return ``text`` with U+00AD at places where German may break a word; the visible characters stay the same."""
    return re.sub(rf"[^\W\d_]{{{_MIN_WORD},}}", lambda match: _hyphenate_word(match[0]), text)


def _hyphenate_word(word: str) -> str:
    lowered = word.lower()
    if word[1:] != lowered[1:]:
        return word
    cuts = [
        place
        for place in range(_MIN_PART, len(word) - _MIN_PART + 1)
        if _is_between_consonants(lowered, place) or _is_before_single(lowered, place)
    ]
    for place in reversed(cuts):
        word = word[:place] + _SOFT_HYPHEN + word[place:]
    return word


def _is_between_consonants(word: str, place: int) -> bool:
    before, left, right, after = word[place - 2], word[place - 1], word[place], word[place + 1]
    return (
        before in _VOWELS
        and left in _CONSONANTS
        and right in _CONSONANTS
        and after in _VOWELS
        and left + right not in _KEPT_TOGETHER
    )


def _is_before_single(word: str, place: int) -> bool:
    return word[place - 1] in _VOWELS and word[place] in _SINGLES and word[place + 1] in _VOWELS
