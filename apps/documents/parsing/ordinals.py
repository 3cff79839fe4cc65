"""Numbers as list marks: 1, a, A, i, I. Shared by the HTML and the DOCX walker."""

from __future__ import annotations

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def ordinal(number: int, style: str) -> str:
    """Return ``number`` in ``style`` ("1", "01", "a", "A", "i", "I"); numbers without such a form stay decimal."""
    if style == "01":
        return f"{number:02d}"
    if style in ("a", "A") and number > 0:
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters if style == "a" else letters.upper()
    if style in ("i", "I") and 0 < number < 4000:
        letters = _roman(number)
        return letters if style == "i" else letters.upper()
    return str(number)


def _roman(number: int) -> str:
    letters = ""
    for value, sign in _ROMAN:
        letters += sign * (number // value)
        number %= value
    return letters
