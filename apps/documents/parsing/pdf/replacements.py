"""Replacement texts (ActualText): what a file says its letters mean. Only short ones are believed."""

from __future__ import annotations

import ctypes

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from apps.documents.parsing.pdf.characters import read_words
from apps.documents.parsing.pdf.geometry import Frame, Word

_TRUSTED_LENGTH = 3
_UNREADABLE_SHARE = 0.3
_NAME = b"ActualText\x00"


def read_honest_words(page: pdfium.PdfPage, frame: Frame) -> tuple[list[Word], list[str]]:
    """The page's words, and replacement texts that were not believed because the printed letters say otherwise."""
    words = _read(page, frame)
    claims = _claims(word_sources(words))
    if not claims:
        return words, []
    for item in page.get_objects(filter=(raw.FPDF_PAGEOBJ_TEXT,), max_depth=8):
        _remove(item.raw)
    printed = _read(page, frame)
    if _unreadable(printed):
        return words, []
    shown = _letters("".join(word.text for word in printed))
    return printed, [claim for claim in claims if _letters(claim) not in shown]


def word_sources(words: list[Word]) -> set[int]:
    return {source for word in words for source in word.sources if source}


def _read(page: pdfium.PdfPage, frame: Frame) -> list[Word]:
    textpage = page.get_textpage()
    try:
        return read_words(textpage, frame)
    finally:
        textpage.close()


def _claims(sources: set[int]) -> list[str]:
    found: dict[str, None] = {}
    for source in sources:
        item = ctypes.cast(source, raw.FPDF_PAGEOBJECT)
        for index in range(raw.FPDFPageObj_CountMarks(item)):
            text = _replacement(raw.FPDFPageObj_GetMark(item, index))
            if len(text) > _TRUSTED_LENGTH:
                found[text] = None
    return list(found)


def _replacement(mark: object) -> str:
    length = ctypes.c_ulong()
    if not raw.FPDFPageObjMark_GetParamStringValue(mark, _NAME, None, 0, length) or length.value <= 2:
        return ""
    buffer = (ctypes.c_ushort * (length.value // 2 + 1))()
    raw.FPDFPageObjMark_GetParamStringValue(mark, _NAME, buffer, length.value, length)
    return bytes(buffer)[: length.value].decode("utf-16-le", "replace").rstrip("\x00")


def _remove(item: object) -> None:
    for index in reversed(range(raw.FPDFPageObj_CountMarks(item))):
        mark = raw.FPDFPageObj_GetMark(item, index)
        if len(_replacement(mark)) > _TRUSTED_LENGTH:
            raw.FPDFPageObj_RemoveMark(item, mark)


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _unreadable(words: list[Word]) -> bool:
    """Whether the letters have no meaning without the replacement: many without a Unicode value."""
    text = "".join(word.text for word in words)
    strange = sum(1 for char in text if char == "\ufffd" or "\ue000" <= char <= "\uf8ff" or char < " ")
    return strange > _UNREADABLE_SHARE * max(len(text), 1)
