"""Whether a hyphen at a line end belongs to the word. German rules, with the document's own words as lexicon."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*(?:-[^\W_]+(?:['’][^\W_]+)*)*")
_HEAD = re.compile(r"[^\W_]+")
_SUSPENDED = frozenset(
    [
        "und",
        "oder",
        "bzw",
        "beziehungsweise",
        "sowie",
        "bis",
        "als",
        "noch",
        "wie",
        "statt",
        "aber",
        "sondern",
        "and",
        "or",
        "to",
        "y",
        "et",
    ]
)
_LINKS = frozenset(["zu", "zum", "zur", "of", "the", "and", "in", "on", "de", "la", "à", "by", "up"])
_BRACKETS = '()[]„“”"«»/*'
_PEOPLES = re.compile(r"isch(?:e[nmrs]?)?$")
_ADJECTIVES = re.compile(r"(?:isch|lich|ig|sam|bar|haft|al|iv|är|ell)(?:e[nmrs]?)?$")


class Join(StrEnum):
    """What becomes of a line-end hyphen."""

    WORD = "join"
    KEEP = "keep"
    KEEP_BLANK = "keep_blank"


@dataclass(frozen=True, slots=True)
class Lexicon:
    """How often the document prints a word inside a line: ``words`` whole, ``hyphened`` with a hyphen inside."""

    words: Counter[str]
    hyphened: Counter[str]

    @classmethod
    def of(cls, lines: Iterable[tuple[str, bool, bool]]) -> Lexicon:
        """From (text, its first word is the rest of a hyphenated one, its last word is cut by a hyphen)."""
        words: Counter[str] = Counter()
        hyphened: Counter[str] = Counter()
        for text, cut_start, cut_end in lines:
            found = _WORD.findall(text)[1 if cut_start else 0 :]
            for word in found[:-1] if cut_end else found:
                folded = word.casefold()
                (hyphened if "-" in word else words)[folded] += 1
                if "-" in word:
                    words.update(folded.split("-"))
        return cls(words, hyphened)


def join_hyphen(left: str, right: str, lexicon: Lexicon, *, soft: bool = False) -> Join:
    """Decide for the word piece ``left`` (without its hyphen) at a line end and the text ``right`` of the next line.

    ``soft`` marks a hyphen that the file itself calls a soft one.
    """
    last = left.split()[-1] if left.split() else ""
    head = _HEAD.match(right)
    if not last or not last[-1].isalnum():
        return Join.KEEP if last and last[-1] in ')]”“"»₂₃²³' else Join.KEEP_BLANK
    if head is None:
        return Join.KEEP if right[:1] in _BRACKETS else Join.KEEP_BLANK
    following = head.group()
    if following.casefold() in _SUSPENDED and not _glued(last, following, lexicon):
        return Join.KEEP_BLANK
    if last.isupper() and following.isupper() and len(last) > 1 and len(following) > 1:
        return _capitals(last, following, lexicon)
    if following[0].isupper() or following[0].isdigit():
        return Join.KEEP
    if soft:
        return Join.WORD
    return _lower_case(last, following, lexicon)


def _glued(last: str, following: str, lexicon: Lexicon) -> bool:
    """ "bisher" cut as "bis-" is rare, "Wand-/als" rarer: a suspended hyphen unless only the joined word is known."""
    piece = _HEAD.findall(last)[-1].casefold()
    return lexicon.words[piece + following.casefold()] > 0 and not last[0].isupper()


def _capitals(last: str, following: str, lexicon: Lexicon) -> Join:
    piece = _HEAD.findall(last)[-1]
    if len(piece) <= 3 and lexicon.words[(piece + following).casefold()] == 0 and len(following) > 3:
        return Join.KEEP if piece in {"EU", "US", "USA", "UN", "KI", "IT", "CO", "NS", "AKW", "BIP"} else Join.WORD
    if lexicon.hyphened[f"{piece}-{following}".casefold()] > 0:
        return Join.KEEP
    return Join.WORD


def _lower_case(last: str, following: str, lexicon: Lexicon) -> Join:
    piece = _HEAD.findall(last)[-1]
    folded, rest = piece.casefold(), following.casefold()
    joined, hyphened = lexicon.words[folded + rest], lexicon.hyphened[f"{folded}-{rest}"]
    if hyphened > joined:
        return Join.KEEP
    if joined:
        return Join.WORD
    if (piece.isupper() and len(piece) > 1) or piece[-1].isdigit():
        return Join.KEEP
    if ("-" in last and rest in _LINKS) or (rest in _LINKS and lexicon.words[folded] and piece[0].isupper()):
        return Join.KEEP
    if folded.endswith(("deutsch", "nisch", "sisch")) and _PEOPLES.search(rest) and len(rest) > 6:
        return Join.KEEP
    if len(piece) == 1:
        return Join.KEEP if last == piece or piece.isupper() else Join.WORD
    if _ADJECTIVES.search(folded) and _ADJECTIVES.search(rest) and len(folded) > 5 and len(rest) > 5:
        return Join.KEEP if lexicon.words[rest] or folded.endswith("isch") else Join.WORD
    return Join.WORD
