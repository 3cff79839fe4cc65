"""Read a page's words through pdfium, one character at a time. The only place that walks characters."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from apps.documents.parsing.pdf.fonts import font_weight
from apps.documents.parsing.pdf.geometry import Frame, Style, Word

_BASELINE_STEP = 0.45
_WORD_GAP = 0.3
_JUMP_BACK = 0.6
_HYPHENS = {0x02, 0xFFFE}
_SOFT_HYPHEN = 0xAD
_BLANKS = {
    0x20,
    0xA0,
    0x0D,
    0x0A,
    0x09,
    0x2002,
    0x2003,
    0x2004,
    0x2005,
    0x2007,
    0x2009,
    0x202F,
    0x3000,
    0x00,
    0x0B,
    0x0C,
}

# The object's address as a plain number: casting a pointer per character costs more than everything else.
_text_object = ctypes.CFUNCTYPE(ctypes.c_void_p, raw.FPDF_TEXTPAGE, ctypes.c_int)(
    ctypes.cast(raw.FPDFText_GetTextObject, ctypes.c_void_p).value or 0
)


def page_frame(page: pdfium.PdfPage) -> Frame:
    """The crop box cut to the media box, with the page's rotation."""
    media, crop = page.get_mediabox(), page.get_cropbox()
    left, bottom = max(media[0], crop[0]), max(media[1], crop[1])
    right, top = min(media[2], crop[2]), min(media[3], crop[3])
    if right <= left or top <= bottom:
        left, bottom, right, top = media
    return Frame(left, bottom, right, top, page.get_rotation() % 360)


@dataclass(slots=True)
class _Object:
    """What all characters of one pdfium text object share."""

    style: Style
    baseline: float


class _Reader:
    """One pass over the characters of a page."""

    def __init__(self, textpage: pdfium.PdfTextPage, frame: Frame) -> None:
        self.handle = textpage.raw
        self.frame = frame
        self.objects: dict[int, _Object] = {}
        self.words: list[Word] = []
        self.word: Word | None = None
        self.letters: list[str] = []
        self.spaced = True

    def read(self, count: int) -> list[Word]:
        handle, frame = self.handle, self.frame
        get_unicode, get_box = raw.FPDFText_GetUnicode, raw.FPDFText_GetLooseCharBox
        rectangle = raw.FS_RECTF()
        upright = frame.rotation == 0
        left, top = frame.left, frame.top
        high = 0
        for index in range(count):
            code = get_unicode(handle, index)
            if code in _BLANKS:
                self._end_word()
                self.spaced = True
                continue
            if 0xD800 <= code <= 0xDBFF:
                high = code
                continue
            if 0xDC00 <= code <= 0xDFFF:
                code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00) if high else 0xFFFD
                high = 0
            address = _text_object(handle, index) or 0
            get_box(handle, index, rectangle)
            if upright:
                box = (rectangle.left - left, top - rectangle.top, rectangle.right - left, top - rectangle.bottom)
            else:
                box = frame.box(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
            self._add(code, index, address, box)
        self._end_word()
        return self.words

    def _add(self, code: int, index: int, address: int, box: tuple[float, float, float, float]) -> None:
        found = self.objects.get(address)
        if found is None:
            found = self.objects[address] = self._object(index)
        word = self.word
        if code in _HYPHENS or code == _SOFT_HYPHEN:
            self._hyphenate(code, box)
            return
        if word is not None and self._breaks(word, found, box):
            self._end_word()
            self.spaced = self.spaced or self._apart(word, found, box)
            word = None
        if word is None:
            self.word = Word("", *box, found.baseline, found.style, self.spaced, [address])
            self.letters = [chr(code)]
            self.spaced = False
            return
        self.letters.append(chr(code))
        if box[0] < word.x1 - 0.6 * (box[2] - box[0]) and found.style.angle == 0:
            word.piled += 1
        if word.sources[-1] != address:
            word.sources.append(address)
        word.x0 = min(word.x0, box[0])
        word.y0 = min(word.y0, box[1])
        word.x1 = max(word.x1, box[2])
        word.y1 = max(word.y1, box[3])
        word.hyphen = ""

    def _hyphenate(self, code: int, box: tuple[float, float, float, float]) -> None:
        """Note a line-end hyphen. A soft hyphen that turns out to stand inside a word is dropped by the next letter."""
        word = self.word or (self.words[-1] if self.words and not self.spaced else None)
        if word is None:
            return
        word.hyphen = "\u00ad" if code == _SOFT_HYPHEN and not word.hyphen else word.hyphen or "-"
        word.x1 = max(word.x1, box[2]) if abs(box[3] - word.y1) < word.style.size else word.x1

    @staticmethod
    def _breaks(word: Word, found: _Object, box: tuple[float, float, float, float]) -> bool:
        style = found.style
        if style is not word.style and style != word.style:
            return True
        if style.angle in (90, 270):
            return abs(found.baseline - word.baseline) > _BASELINE_STEP * style.size
        gap = box[0] - word.x1 if style.angle == 0 else word.x0 - box[2]
        return (
            abs(found.baseline - word.baseline) > _BASELINE_STEP * style.size
            or gap > _WORD_GAP * style.size
            or gap < -_JUMP_BACK * style.size - (word.x1 - word.x0)
        )

    @staticmethod
    def _apart(word: Word, found: _Object, box: tuple[float, float, float, float]) -> bool:
        if abs(found.baseline - word.baseline) > _BASELINE_STEP * word.style.size:
            return True
        return box[0] - word.x1 > _WORD_GAP * found.style.size

    def _end_word(self) -> None:
        if self.word is not None:
            self.word.text = "".join(self.letters)
            self.words.append(self.word)
            self.word = None

    def _object(self, index: int) -> _Object:
        handle = self.handle
        matrix = raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(handle, index, matrix)
        x, y = ctypes.c_double(), ctypes.c_double()
        raw.FPDFText_GetCharOrigin(handle, index, x, y)
        size = raw.FPDFText_GetFontSize(handle, index)
        tall = math.hypot(matrix.c, matrix.d) or 1.0
        wide = math.hypot(matrix.a, matrix.b)
        angle = self._angle(matrix.a, matrix.b)
        mode = raw.FPDFTextObj_GetTextRenderMode(raw.FPDFText_GetTextObject(handle, index))
        name = self._font_name(index)
        weight = font_weight(name, raw.FPDFText_GetFontWeight(handle, index), mode)
        style = Style(name, round(abs(size) * tall, 2), weight, mode, angle, round(wide / tall, 3))
        display = self.frame.point(x.value, y.value)
        return _Object(style, display[0] if angle in (90, 270) else display[1])

    def _angle(self, a: float, b: float) -> int:
        """Reading direction on the displayed page in degrees clockwise, to the nearest quarter turn."""
        turned = -math.degrees(math.atan2(b, a)) + self.frame.rotation
        return round(turned / 90) % 4 * 90

    def _font_name(self, index: int) -> str:
        size = raw.FPDFText_GetFontInfo(self.handle, index, None, 0, None)
        if not size:
            return ""
        buffer = ctypes.create_string_buffer(size)
        raw.FPDFText_GetFontInfo(self.handle, index, buffer, size, None)
        return buffer.value.decode("utf-8", "replace")


def read_words(textpage: pdfium.PdfTextPage, frame: Frame) -> list[Word]:
    """All words of a page in content order, visible or not."""
    return _Reader(textpage, frame).read(textpage.count_chars())
