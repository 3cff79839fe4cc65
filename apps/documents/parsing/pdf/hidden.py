"""Words nobody can see on the printed page: told apart by rendering the page with and without its text.

A word counts as seen when drawing it changes the picture. That covers white on white, covered, clipped,
transparent and switched-off text alike, and lets honest white text on dark ground pass. Size, render mode and
place are checked besides.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from numpy.typing import NDArray

from apps.documents.parsing.pdf.geometry import Frame, Word

Picture = NDArray[np.uint8]

_SCALE = 1.5
_MAX_PIXELS = 6_000_000
_MIN_CONTRAST = 25
_MIN_COLOUR_CONTRAST = 80
_TAGS = 0xE0000
_MIN_SIZE = 3.0
_INVISIBLE_MODES = (3, 7)
_MIN_WIDTH = 0.12
_PLENTY = 0.25
_MIN_ROWS = 0.5
_MIN_COLUMNS = 0.25
_MAX_COMPARED = 3000


@dataclass(frozen=True, slots=True)
class Sight:
    """The words a reader sees, and the passages left out."""

    visible: list[Word]
    hidden: list[str]


def visible_words(page: pdfium.PdfPage, words: Sequence[Word], frame: Frame) -> Sight:
    """Split a page's words into what can be seen and what cannot. Leaves the page's objects as they were."""
    shown = [not _betrays_itself(word, frame) for word in words]
    candidates = [word for word, seen in zip(words, shown, strict=True) if seen]
    if candidates:
        unseen = _Comparison(page, frame, words).unseen(candidates)
        shown = [seen and id(word) not in unseen for word, seen in zip(words, shown, strict=True)]
    visible = [word for word, seen in zip(words, shown, strict=True) if seen]
    smuggled = [text for word in visible if (text := _tag_text(word.text))]
    return Sight(visible, _passages(words, shown) + smuggled)


def _tag_text(text: str) -> str:
    """Plain text written in Unicode tag characters, which no font shows. Cleaning removes them from the block."""
    return "".join(chr(ord(char) - _TAGS) for char in text if _is_tag(char))


def _is_tag(char: str) -> bool:
    return _TAGS + 0x20 <= ord(char) < _TAGS + 0x7F


def _betrays_itself(word: Word, frame: Frame) -> bool:
    """Invisible by its own properties: render mode, size below 3 points, squeezed flat, or off the visible page."""
    style = word.style
    if style.mode in _INVISIBLE_MODES or style.size < _MIN_SIZE:
        return True
    if style.stretch < 0.15 or style.size * style.stretch < 1:
        return True
    if word.piled >= 3 and word.piled >= 0.5 * (len(word.text) - 1):
        return True
    length = (word.y1 - word.y0) if style.angle in (90, 270) else (word.x1 - word.x0)
    letters = sum(char.isalnum() for char in word.text)
    if letters >= 4 and length < _MIN_WIDTH * style.size * len(word.text):
        return True
    middle_x, middle_y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return not (-1 <= middle_x <= frame.width + 1 and -1 <= middle_y <= frame.height + 1)


class _Comparison:
    """Pictures of one page with all text, without it, and without some of it."""

    def __init__(self, page: pdfium.PdfPage, frame: Frame, words: Sequence[Word]) -> None:
        self.page = page
        self.scale = min(_SCALE, math.sqrt(_MAX_PIXELS / max(frame.width * frame.height, 1)))
        self.sources = {source for word in words for source in word.sources if source}
        self.full = self._picture()

    def unseen(self, words: Sequence[Word]) -> set[int]:
        """The ids of words that change nothing visible when they are drawn."""
        change = self._change(self.sources)
        faint = [word for word in words if not self._is_seen(word, change)]
        if faint:
            colourful = self._change(self.sources, colour=True)
            faint = [word for word in faint if not self._is_seen(word, colourful, _MIN_COLOUR_CONTRAST)]
        gone = {id(word) for word in faint}
        rest = [word for word in words if id(word) not in gone]
        for crossed in self._crossed(rest):
            alone = self._change({source for word in crossed for source in word.sources if source})
            gone |= {id(word) for word in crossed if not self._is_seen(word, alone)}
        return gone

    def _picture(self, *, colour: bool = False) -> Picture:
        bitmap = self.page.render(scale=self.scale, grayscale=not colour, may_draw_forms=False)
        try:
            return np.array(bitmap.to_numpy(), copy=True)
        finally:
            bitmap.close()

    def _change(self, sources: Iterable[int], *, colour: bool = False) -> Picture:
        """How much each pixel (0 to 255, per channel) differs when the given text objects are not drawn."""
        full = self._picture(colour=True) if colour else self.full
        chosen = [ctypes.cast(source, raw.FPDF_PAGEOBJECT) for source in sources]
        for item in chosen:
            raw.FPDFPageObj_SetIsActive(item, False)
        try:
            bare = self._picture(colour=colour)
        finally:
            for item in chosen:
                raw.FPDFPageObj_SetIsActive(item, True)
        change: Picture = np.maximum(full, bare) - np.minimum(full, bare)
        return change

    def _is_seen(self, word: Word, change: Picture, contrast: int = _MIN_CONTRAST) -> bool:
        patch = self._patch(change, *_core(word))
        if np.count_nonzero(patch >= contrast) >= _PLENTY * patch.size > 0:
            return True
        if not any(char.isalnum() for char in word.text):
            return int(self._patch(change, word.x0, word.y0, word.x1, word.y1).max(initial=0)) >= contrast
        strongest = int(patch.max(initial=0))
        if strongest < contrast:
            return False
        ink = patch >= max(8, strongest // 3)
        return float(ink.any(axis=1).mean()) >= _MIN_ROWS and float(ink.any(axis=0).mean()) >= _MIN_COLUMNS

    def _patch(self, picture: Picture, x0: float, y0: float, x1: float, y1: float) -> Picture:
        scale = self.scale
        top, left = max(int(y0 * scale), 0), max(int(x0 * scale), 0)
        bottom, right = max(math.ceil(y1 * scale), top + 1), max(math.ceil(x1 * scale), left + 1)
        patch = picture[top:bottom, left:right]
        return patch.max(axis=2) if patch.ndim == 3 else patch

    def _crossed(self, words: Sequence[Word]) -> list[list[Word]]:
        """Words on or under others: first those with a later word on them, then those on an earlier one."""
        if len(words) < 2 or len(words) > _MAX_COMPARED:
            return []
        x0, y0, x1, y1 = np.array([_core(word) for word in words], dtype=np.float32).T
        left, top, right, bottom = np.array([(w.x0, w.y0, w.x1, w.y1) for w in words], dtype=np.float32).T
        wide = np.minimum(x1[:, None], right[None]) - np.maximum(x0[:, None], left[None])
        tall = np.minimum(y1[:, None], bottom[None]) - np.maximum(y0[:, None], top[None])
        shared = np.clip(wide, 0, None) * np.clip(tall, 0, None)
        area = np.maximum((x1 - x0) * (y1 - y0), 0.01)
        crossed = shared >= 0.5 * area[:, None]
        np.fill_diagonal(crossed, False)
        later = np.triu(crossed, 1).any(axis=1)
        earlier = np.tril(crossed, -1).any(axis=1)
        groups = [[words[int(i)] for i in np.flatnonzero(mask)] for mask in (later, earlier)]
        return [group for group in groups if group]


def _core(word: Word) -> tuple[float, float, float, float]:
    """The zone from the baseline to the height of small letters, where every letter has ink."""
    size = word.style.size
    if word.style.angle == 0 and word.y0 < word.baseline - 0.5 * size < word.baseline <= word.y1:
        return word.x0, word.baseline - 0.5 * size, word.x1, word.baseline
    return word.x0, word.y0, word.x1, word.y1


def _passages(words: Sequence[Word], shown: Sequence[bool]) -> list[str]:
    """Hidden words that follow each other, as one passage each; bare numbers and specks are not told."""
    passages: list[str] = []
    text = ""
    for word, seen in zip(words, shown, strict=True):
        if seen:
            passages.append(text)
            text = ""
        else:
            plain = "".join(_tag_text(char) or char for char in word.text)
            text += (" " if word.spaced and text else "") + plain
    passages.append(text)
    return [passage for passage in passages if sum(char.isalpha() for char in passage) >= 3]
