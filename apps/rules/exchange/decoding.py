"""Bytes to text, UTF-8 only: other encodings are refused by name, since a guess would store broken letters. Pure."""

from __future__ import annotations

import codecs
import csv
import io
import re
from typing import Final

from apps.rules.serialising import RuleFormatError, gettext_noop

_WIDE: Final = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_BINARY: Final = (
    (b"PK\x03\x04", "ZIP/XLSX"),
    (b"PK\x05\x06", "ZIP/XLSX"),
    (b"\xd0\xcf\x11\xe0", "XLS"),
    (b"%PDF-", "PDF"),
    (b"\x1f\x8b", "GZIP"),
    (b"7z\xbc\xaf", "7-Zip"),
    (b"Rar!", "RAR"),
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
)
_LETTERS: Final = {
    name: [letter.encode(codec) for letter in "äöüÄÖÜß"]
    for name, codec in (("Windows-1252", "cp1252"), ("Mac Roman", "mac-roman"))
}
# What UTF-8 looks like when a program has taken it for Windows-1252 and saved it again: Ã¤, â€ž.
_BROKEN: Final = re.compile("[ÃÂ][\u0080-\u00bf\u2018-\u2022\u20ac\u0152-\u0178]|â€[\u0080-\u2122]")


def decode(data: bytes) -> str:
    """Return UTF-8 text, with or without byte order mark.

    Raises RuleFormatError that names what the file is instead, or the encoding and the first row that is not UTF-8.
    """
    for mark, name in _BINARY:
        if data.startswith(mark):
            sentence = gettext_noop(
                "The file is no text but %(encoding)s, whatever its name ends with. Open it in its own program and "
                "save the table as CSV in UTF-8 (in Excel: “CSV UTF-8”)."
            )
            raise RuleFormatError(sentence, encoding=name, row=1)
    for mark, name in _WIDE:
        if data.startswith(mark):
            sentence = gettext_noop("The file is %(encoding)s. Save it as UTF-8 (in Excel: “CSV UTF-8”).")
            raise RuleFormatError(sentence, encoding=name, row=1)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        sentence = gettext_noop(
            "The file is not UTF-8 but probably %(encoding)s: row %(row)s, “%(text)s”. "
            "Save it as UTF-8 (in Excel: “CSV UTF-8”)."
        )
        raise RuleFormatError(
            sentence, encoding=_probable(data), row=_row(data[: error.start]), text=_word(data, error.start)
        ) from error


def broken_letters(text: str) -> str | None:
    """Return letters that only a wrong encoding makes (``Ã¤``), with what they stood for; None where there are none."""
    found = _BROKEN.search(text)
    return found[0] if found else None


def _probable(data: bytes) -> str:
    """Return the encoding in which more of the bytes are German letters."""
    return max(("Windows-1252", "Mac Roman"), key=lambda name: sum(map(data.count, _LETTERS[name])))


def _row(before: bytes) -> int:
    """Return the row that the first wrong byte stands in; a cell may span several lines."""
    text = before.decode("utf-8-sig", "replace")
    try:
        rows = sum(1 for _ in csv.reader(io.StringIO(f"{text}x", newline="")))
    except csv.Error:
        rows = text.count("\n") + 1
    return rows


def _word(data: bytes, place: int) -> str:
    """Return the word around a wrong byte, each byte that is not UTF-8 as a question mark."""
    start = max(data.rfind(sign, 0, place) for sign in (b" ", b"\n", b"\r", b";", b",", b'"', b"\t")) + 1
    return re.split(r'[\s;,"]', data[start : place + 30].decode("utf-8", "replace").replace("\ufffd", "?"))[0][:40]
