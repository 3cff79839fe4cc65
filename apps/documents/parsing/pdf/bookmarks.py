"""The outline of a PDF: it may name and rank headings that are printed, never add text."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pypdfium2 as pdfium

_MAX = 5000
_NOISE = re.compile(r"[\W_]+")


def bookmark_levels(document: pdfium.PdfDocument) -> dict[tuple[int, str], int]:
    """Level (1 = top) by page number and simplified title. Broken outlines give nothing."""
    levels: dict[tuple[int, str], int] = {}
    try:
        for count, item in enumerate(document.get_toc(max_depth=8)):
            if count >= _MAX:
                break
            target = item.get_dest()
            index = target.get_index() if target is not None else None
            if index is not None:
                levels.setdefault((index + 1, simplified(item.get_title())), item.level + 1)
    except (pdfium.PdfiumError, UnicodeDecodeError, ValueError):
        return levels
    return levels


def simplified(title: str) -> str:
    return _NOISE.sub("", title.casefold())


def level_of(levels: Mapping[tuple[int, str], int], page: int, title: str) -> int | None:
    """The bookmark's level for a line printed on this page (or one beside it)."""
    key = simplified(title)
    if not key:
        return None
    return next((levels[near, key] for near in (page, page - 1, page + 1) if (near, key) in levels), None)
