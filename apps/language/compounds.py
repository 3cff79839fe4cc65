"""Compounds cut where the corpus itself knows the parts; used for search only.

Measured with BM25 alone on XQuAD-de (1,190 questions) and Wahl-O-Mat (342 theses and topics, filtered by party),
hit@1 without any parts / known parts as they stand / with endings, dropped e and lone modifiers as here:
.890 .903 .910 on XQuAD, .576 .649 .693 on theses, .561 .620 .643 on topics. Three-letter parts lose what this wins.
"""

from collections.abc import Container
from typing import Final

from apps.language.stopwords import stop_words

_SHORTEST_COMPOUND: Final = 8
_LONGEST_COMPOUND: Final = 64
_SHORTEST_PART: Final = 4
# A modifier whose head is unknown says less; short ones are mostly chance ("beste|tigt").
_SHORTEST_LONE_MODIFIER: Final = 5
_LINKS: Final = ("", "s", "es", "n", "en", "er", "e")
_ENDINGS: Final = (*_LINKS, "em")
# Endings of words that some corpus has as words too; a cut before them finds no compound.
_SUFFIXES: Final = (
    "chen ende enden ender endes tisch tische tischen tischer lich liche lichen licher liches heit heiten keit keiten"
    " schaft schaften ling linge lings isch ische ischen ischer hung ungen haft hafte haften tion tionen ation ationen"
    " ismus ierung ierungen ieren ierte ierten iert igkeit igkeiten losen loser lose bare baren barer sche schen scher"
    " isten istin innen rinnen erinnen erin eten ette essen alte alten rene aber"
)
_NO_PART: Final = frozenset(_SUFFIXES.split()) | stop_words("de")
_DEPTH: Final = 2


def split_compound(word: str, vocabulary: Container[str]) -> tuple[str, ...]:
    """Return the known parts of a folded word, those of its parts included; empty where none is known.

    A word of at least 8 letters is cut where both halves (at least 4 letters) are in `vocabulary`, a linking
    s, es, n, en, er or e and the ending of the head left out; the cut with the longest shorter half wins. Where
    only one half is known it stands alone, the head before the modifier.
    """
    parts: list[str] = []
    _collect(word, vocabulary, parts, _DEPTH)
    return tuple(dict.fromkeys(parts))


def _collect(word: str, vocabulary: Container[str], parts: list[str], depth: int) -> None:
    modifier, head, rest = _cut(word, vocabulary)
    if depth < _DEPTH and not (modifier and head):
        return
    for part in filter(None, (modifier, head)):
        parts.append(part)
        if depth:
            _collect(part, vocabulary, parts, depth - 1)
    if depth and rest:
        _collect(rest, vocabulary, parts, depth - 1)


def _cut(word: str, vocabulary: Container[str]) -> tuple[str, str, str]:
    """The best known modifier and head, "" for an unknown one, and what stands before a head that is alone."""
    if not _SHORTEST_COMPOUND <= len(word) <= _LONGEST_COMPOUND or not word.isalpha():
        return "", "", ""
    best: tuple[str, str] | None = None
    lone_head = lone_modifier = rest = ""
    for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        modifier = _known_modifier(word[:cut], vocabulary)
        lone_modifier = modifier or lone_modifier
        head = _known_head(word[cut:], vocabulary)
        if not head:
            continue
        if not lone_head:
            lone_head, rest = head, word[:cut]
        if modifier and (best is None or min(len(modifier), len(head)) > min(map(len, best))):
            best = (modifier, head)
    if best:
        return *best, ""
    if lone_head:
        return "", lone_head, rest
    return (lone_modifier if len(lone_modifier) >= _SHORTEST_LONE_MODIFIER else ""), "", ""


def _known_head(end: str, vocabulary: Container[str]) -> str:
    return "" if end in _NO_PART else _known(end, _ENDINGS, vocabulary)


def _known_modifier(start: str, vocabulary: Container[str]) -> str:
    """The modifier without its link, or with the e that composition drops (Schul|politik, Schule)."""
    known = _known(start, _LINKS, vocabulary)
    return known or _known(start + "e", ("",), vocabulary)


def _known(piece: str, endings: tuple[str, ...], vocabulary: Container[str]) -> str:
    for ending in endings:
        if piece.endswith(ending):
            bare = piece[: len(piece) - len(ending)]
            if len(bare) >= _SHORTEST_PART and bare in vocabulary and bare not in _NO_PART:
                return bare
    return ""
