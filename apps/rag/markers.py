"""Cuts what a model writes into sentences and the markers they carry, however its pieces are cut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from apps.language.sentences import split_sentences

# The full form and nothing else: "[2024]" and "[sic]" are text.
_MARKER: Final = re.compile(r"\[doc:(\d{1,3})#chunk:(\d{1,3})\]")
_MARKS: Final = ".!?…"
_CLOSERS: Final = "\"'“”’‘»«›‹)"
# What looks like a marker and is none: shown to nobody.
_BROKEN: Final = re.compile(
    r"[\[【(]\s*doc\s*[:：]?\s*\d|#\s*chunk|\bchunk\s*[:：]\s*\d|\[(?:d|do|doc|doc:)?$", re.IGNORECASE
)
_BULLET: Final = re.compile(r"(?:[-*•–]|\d{1,2}[.)])\s+")
_LONGEST_MARKER: Final = len("[doc:999#chunk:999]")


@dataclass(frozen=True, slots=True)
class Marker:
    """A citation as a model writes it: numbers local to the turn, from 1."""

    document: int
    chunk: int


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """One sentence as a model wrote it, without its markers. ``is_broken`` when pieces of a marker are left in it."""

    text: str
    markers: tuple[Marker, ...] = ()
    is_broken: bool = False


class SentenceCutter:
    """Takes pieces of any length and gives whole sentences; what it gives depends on the text alone.

    A group of sentences ends at a marker beside a full stop, at the end of a line or of the text. Inside it the
    splitter of the house finds the sentences, so one marker never passes for a whole paragraph.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self._rest = ""

    def feed(self, piece: str) -> list[WrittenSentence]:
        """Return the sentences that are surely complete now."""
        self._rest += piece
        found: list[WrittenSentence] = []
        while end := _group_end(self._rest):
            group, self._rest = self._rest[:end], self._rest[end:]
            found.extend(_sentences(group, self._language))
        return found

    def close(self) -> list[WrittenSentence]:
        """Return what is left when the model has ended as it should."""
        group, self._rest = self._rest, ""
        return list(_sentences(group, self._language))


def _group_end(text: str) -> int:
    """Where the first group ends, 0 while that is not certain."""
    line = _line_end(text)
    if line is None:
        return 0
    for match in _MARKER.finditer(text):
        if 0 <= line <= match.start():
            break
        if not _ends_sentence(text, match.start()):
            end = _past_mark(text, match.end())
            if end is None:
                return 0
            if end == match.end():
                continue
        else:
            end = match.end()
        return _past_markers(text, end)
    return max(line, 0)


def _line_end(text: str) -> int | None:
    """Where the first line ends and something else follows than its marker; -1 where none does, None if unsure."""
    for match in re.finditer(r"\s*\n\s*", text):
        following = text[match.end() :]
        if not following or (not _MARKER.match(following) and _may_become_marker(following[:_LONGEST_MARKER])):
            return None
        if not _MARKER.match(following):
            return match.end()
    return -1


def _ends_sentence(text: str, marker: int) -> bool:
    """Say whether a full stop stands before the marker, quotation marks and other markers aside."""
    before = text[:marker]
    while True:
        before = before.rstrip().rstrip(_CLOSERS)
        if not before.endswith("]"):
            return before.endswith(tuple(_MARKS))
        match = _MARKER.fullmatch(before[before.rfind("[") :])
        if not match:
            return False
        before = before[: before.rfind("[")]


def _past_mark(text: str, position: int) -> int | None:
    """The end of a full stop after a marker; the position itself where there is none, None where more must come."""
    end = position
    while end < len(text) and text[end] in " \t" + _CLOSERS:
        end += 1
    if end == len(text):
        return None
    if text[end] not in _MARKS:
        return position
    while end < len(text) and text[end] in _MARKS + _CLOSERS:
        end += 1
    return None if end == len(text) else end


def _past_markers(text: str, position: int) -> int:
    """The end of further markers and closing marks; 0 where one may be on its way."""
    while True:
        end = position
        while end < len(text) and text[end] in " \t" + _CLOSERS + _MARKS:
            end += 1
        if end == len(text):
            return 0
        if text[end] != "[":
            return position
        match = _MARKER.match(text, end)
        if match:
            position = match.end()
        elif len(text) - end < _LONGEST_MARKER and _may_become_marker(text[end:]):
            return 0
        else:
            return position


def _may_become_marker(text: str) -> bool:
    return bool(
        re.fullmatch(r"\[(?:d(?:o(?:c(?::(?:\d{1,3}(?:#(?:c(?:h(?:u(?:n(?:k(?::\d{0,3})?)?)?)?)?)?)?)?)?)?)?)?", text)
    )


def _sentences(group: str, language: str) -> Iterator[WrittenSentence]:
    """Take the markers out and give each to the sentence that it stands in or behind."""
    plain, markers = _without_markers(group)
    spans = [span for span in split_sentences(plain, language) if _says_something(plain[span.start : span.end])]
    owned: list[list[Marker]] = [[] for _ in spans]
    for position, marker in markers:
        owners = [place for place, span in enumerate(spans) if span.start < position]
        if owners:
            owned[owners[-1]].append(marker)
    for span, own in zip(spans, owned, strict=True):
        text = _shown(plain[span.start : span.end])
        yield WrittenSentence(text, tuple(dict.fromkeys(own)), is_broken=bool(_BROKEN.search(text)))
    if not spans and markers:
        yield WrittenSentence("", is_broken=True)


def _without_markers(group: str) -> tuple[str, list[tuple[int, Marker]]]:
    plain, markers, last = "", [], 0
    for match in _MARKER.finditer(group):
        plain += group[last : match.start()]
        last = match.end()
        following = group[last:].lstrip()
        # "15 Euro [doc:1#chunk:1]." leaves no blank before its full stop.
        if not following or following[0] in _MARKS + ",;:" or following.startswith("[doc:"):
            plain = plain.rstrip()
        markers.append((len(plain), Marker(int(match[1]), int(match[2]))))
    return plain + group[last:], markers


def _shown(text: str) -> str:
    """One line, without the bullet of a list item."""
    text = " ".join(text.split())
    bullet = _BULLET.match(text)
    return text[bullet.end() :] if bullet else text


def _says_something(text: str) -> bool:
    return any(character.isalnum() for character in text)
