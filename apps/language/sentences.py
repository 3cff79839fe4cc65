"""Where sentences begin and end; German first. Chunking, citations and the extractive answer stand on it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from apps.language.abbreviations import (
    COUNTED_AFTER,
    MAYBE_LAST,
    MONTHS,
    NEVER_LAST,
    ORDINAL_CUES,
    ORDINAL_NOUNS,
    STARTERS,
)


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of characters in the original text."""

    start: int
    end: int


_CLOSERS: Final = "\"'“”’‘»«›‹)\\]}"
_OPENERS: Final = "\"'„“‚‘»«›‹([{–—-"
_END: Final = re.compile(
    rf"(?P<mark>[.!?…]{{1,40}})(?P<closers>[{_CLOSERS}]{{0,8}})(?=\s)|(?P<wide>[。！？｡।॥؟۔]+[」』”’）]*)"
)
_BULLET: Final = re.compile(r"\s(?=[•▪◦‣●■➔➢✓]\s)")
_LIST_MARK: Final = re.compile(r"[ \t]*(?:[•▪◦‣●■➔➢✓*–—-]|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})[.)]|#{1,6})[ \t]")
# "II. Bildung", "B. Klima": the mark of a heading or of a list item.
_NUMERAL: Final = re.compile(r"[IVX]{1,5}|[A-Za-z]|\d{1,3}(?:\.\d{1,2}){0,3}")
_ROMAN: Final = re.compile(r"[IVXL]{2,6}")
_NEXT_WORD: Final = re.compile(rf"[\s{re.escape(_OPENERS)}]*(\S[^\s.,;:!?…{_CLOSERS}]*)")
_LAST_WORD: Final = re.compile(r"(?:(?<![^\W_])(?:[^\W\d_]\.\s?){1,5}[^\W\d_]+|[^\s(\[{„“‚»«/\"']+)\Z")
# A line this long was wrapped by its width; a shorter one ended on purpose.
_WRAPPED: Final = 50
_LOOK_BACK: Final = 40
# The end of an abbreviation in several parts ("z. B." at the end of a line) counts as well.
_UNFINISHED: Final = NEVER_LAST["de"] | {word.rsplit(".", 1)[-1] for word in NEVER_LAST["de"]}


def split_sentences(text: str, language: str = "de") -> list[Span]:
    """Return the sentences of `text` in order, without surrounding blanks; nothing but blanks is left out.

    Lines of tables, list items and headings are sentences of their own. Languages other than German and
    English end a sentence at each mark that a lower-case letter does not follow.
    """
    spans: list[Span] = []
    for block in _blocks(text):
        start = block.start
        for end in _ends(text, block, language):
            spans.extend(_stripped(text, start, end))
            start = end
        spans.extend(_stripped(text, start, block.end))
    return spans


def _stripped(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield Span(start, end)


def _blocks(text: str) -> Iterator[Span]:
    """Pieces that no sentence crosses: paragraphs, list items, table lines; wrapped lines stay together."""
    start = 0
    position = text.find("\n")
    while position != -1:
        if _line_ends(text, start, position):
            yield Span(start, position)
            start = position
        position = text.find("\n", position + 1)
    yield Span(start, len(text))


def _line_ends(text: str, block_start: int, newline: int) -> bool:
    line = text[max(text.rfind("\n", 0, newline) + 1, block_start) : newline].rstrip()
    following = text[newline + 1 : newline + 1 + 400].split("\n", 1)[0]
    if not line or not following.strip():
        return True
    if "|" in line or "\t" in line.strip() or "|" in following or _LIST_MARK.match(following):
        return True
    last = line.split()[-1]
    unfinished = last.endswith((",", "-", "(", "§")) or (last[-1] == "." and last[:-1].lower() in _UNFINISHED)
    return not (following.lstrip()[0].islower() or len(line) >= _WRAPPED or unfinished)


def _ends(text: str, block: Span, language: str) -> Iterator[int]:
    """Ends of sentences strictly inside a block."""
    cuts = [
        match.end() for match in _END.finditer(text, block.start, block.end) if _is_end(text, block, match, language)
    ]
    cuts.extend(match.start() for match in _BULLET.finditer(text, block.start, block.end))
    yield from sorted(cuts)


def _is_end(text: str, block: Span, match: re.Match[str], language: str) -> bool:
    if match["wide"]:
        return True
    following = _NEXT_WORD.match(text, match.end(), min(block.end, match.end() + 200))
    if not following:
        return True
    word = following[1]
    spaced_dots = match["mark"] == "." and text[match.start() - 1 : match.start()].isspace()
    if word[0].islower() or word[0] in ".,;:!?…)" or spaced_dots:
        return False
    return match["mark"] != "." or not _abbreviated(text, block, match, word, language)


def _abbreviated(text: str, block: Span, match: re.Match[str], following: str, language: str) -> bool:
    """Say whether the full stop belongs to the word before it and not to the sentence."""
    before = text[max(block.start, match.start() - _LOOK_BACK) : match.start()]
    found = _LAST_WORD.search(before)
    if not found:
        return False
    word = "".join(found[0].split())
    starts = following.lower() in STARTERS.get(language, ()) and following[0].isupper()
    lead = before[: found.start()]
    at_start = not lead.strip(_OPENERS + "#* \t\n") and match.start() - block.start <= _LOOK_BACK
    if at_start and _NUMERAL.fullmatch(word):
        return True
    if word.isdigit():
        if language == "de":
            return _is_ordinal(lead, word, following, starts)
        return False
    if len(word) == 1 and word.isalpha():
        return word.islower() or not starts
    known = word.lower().rstrip(".").rsplit("-", 1)[-1]
    if _ROMAN.fullmatch(word):
        return not starts and _previous(lead) not in COUNTED_AFTER
    if known in NEVER_LAST.get(language, ()):
        return True
    if known in MAYBE_LAST.get(language, ()) or re.fullmatch(r"(?:[^\W\d_]\.){1,5}[^\W\d_]", word):
        return not starts
    return False


def _is_ordinal(before: str, number: str, following: str, starts: bool) -> bool:
    if len(number) > 2:
        return False
    if following.lower() in MONTHS["de"] or following.lower().startswith(ORDINAL_NOUNS):
        return True
    if starts:
        return False
    previous = _previous(before)
    if previous in ORDINAL_CUES or (previous.isdigit() and following[0].isdigit()):
        return True
    return previous not in COUNTED_AFTER and not previous.isalpha() and not following[0].isdigit()


def _previous(before: str) -> str:
    words = before.split()
    return words[-1].lower().strip(_OPENERS + ".") if words else ""
