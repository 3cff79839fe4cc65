"""Keeps spreadsheet programs from running what a cell says. Pure, and undone on import."""

from __future__ import annotations

import re

# What spreadsheet programs take for the beginning of a formula, in the wide forms of East Asian keyboards too.
_STARTS = r"[=+\-@\t\r\n＝＋－＠]"
_DANGEROUS = re.compile(f"'*{_STARTS}")
_GUARDED = re.compile(f"'+{_STARTS}")


def guard(cell: str) -> str:
    """Return the cell with an apostrophe before anything that a program would run. ``unguard`` is its inverse."""
    return f"'{cell}" if _DANGEROUS.match(cell) else cell


def unguard(cell: str) -> str:
    """Return the cell as it was before ``guard``."""
    return cell[1:] if _GUARDED.match(cell) else cell
