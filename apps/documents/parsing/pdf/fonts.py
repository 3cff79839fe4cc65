"""Font weight from the font's name; pdfium's own figure only when the name says nothing."""

from __future__ import annotations

import re

_WEIGHTS = (
    (re.compile(r"extra-?bold|ultra-?bold|heavy"), 800),
    (re.compile(r"black"), 900),
    (re.compile(r"semi-?bold|demi"), 600),
    (re.compile(r"bold|(?<![a-z])bd(?![a-z])|fett|^(?:cm|sf|ec)s?s?bx|-medi$"), 700),
    (re.compile(r"medium"), 500),
    (re.compile(r"thin|hairline|extra-?light|ultra-?light"), 200),
    (re.compile(r"light"), 300),
    (re.compile(r"book|regular|roman|normal"), 400),
)
FILL_AND_STROKE = 2


def font_weight(name: str, reported: int, mode: int) -> int:
    """100 to 900. pdfium reports 645 for "Book" and 410 for "CorpoS,Bold", so the name decides.

    Text that is filled and stroked (``mode`` 2) is drawn bold whatever the font.
    """
    weight = _named_weight(name)
    if weight is None:
        weight = 700 if reported >= 650 else 400
    return max(weight, 700) if mode == FILL_AND_STROKE else weight


def _named_weight(name: str) -> int | None:
    lowered = name.rpartition("+")[2].casefold()
    for pattern, weight in _WEIGHTS:
        if pattern.search(lowered):
            return weight
    return None
