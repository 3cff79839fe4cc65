"""Bytes to text for the formats that are text: byte order mark, declared charset, UTF-8, then Windows-1252."""

from __future__ import annotations

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]{2,40})""", re.IGNORECASE)
# Browsers read these labels as Windows-1252; so do we, or quotation marks and dashes turn into control characters.
_WINDOWS = {"iso-8859-1", "latin-1", "latin1", "iso8859-1", "ascii", "us-ascii", "iso-8859-15"}


def declared_charset(data: bytes, content_type: str = "") -> str:
    """Return the charset that the HTTP header, an XML declaration or a meta tag names, else an empty string."""
    for source in (content_type.encode("ascii", "ignore"), data[:4096]):
        found = _DECLARED.search(source)
        if found:
            return found.group(1).decode("ascii").lower()
    return ""


def decode(data: bytes, *, charset: str = "") -> str:
    """Return ``data`` as text. Never fails: what no charset explains is read as Windows-1252."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data.decode(name, "replace")
    for name in (charset if charset not in _WINDOWS else "", "utf-8", "cp1252"):
        if not name:
            continue
        try:
            return data.decode(name)
        except (UnicodeDecodeError, LookupError, ValueError):
            continue
    return data.decode("cp1252", "replace")
