"""The one cleaning function for text from outside. Every door uses it: forms, queries, imports, commands."""

from __future__ import annotations

import re
import unicodedata

# Controls that carry no text. Tab and line feed stay, a carriage return becomes a line feed.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# Marks that turn the reading direction or hide text: they can make a sentence read as another.
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")
_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_MANY_MARKS = re.compile(f"({_MARK}{{4}}){_MARK}+")


def clean_text(text: str, *, limit: int | None = None) -> str:
    """Return text that PostgreSQL, the embedder and a page can take, at most ``limit`` characters long.

    NUL, other controls, lone surrogates and direction marks are dropped, piles of combining marks are cut to four,
    and the rest is NFC.
    """
    # Normalising is linear but not free: a megabyte is cut first, with room for what cleaning removes.
    if limit is not None:
        text = text[: limit * 8]
    text = text.encode("utf-8", "ignore").decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    text = _BIDI.sub("", _CONTROLS.sub("", text))
    text = _MANY_MARKS.sub(r"\1", unicodedata.normalize("NFC", text))
    return text if limit is None else text[:limit]


def clean_line(text: str, *, limit: int) -> str:
    """Like ``clean_text``, on one line: every run of white space becomes one space, and the ends are bare."""
    return " ".join(clean_text(text, limit=limit * 2).split())[:limit]
