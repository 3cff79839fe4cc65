"""Page furniture: running heads, feet, side slogans and page numbers are no text of the document."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from apps.documents.parsing.pdf.geometry import PageContent, Segment

_GRID = 8
_SHARE = 0.25
_MIN_PAGES = 5
_EDGE = 0.12
_BESIDE = 3.0
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"\W*(?:(?:Seite|Page|S\.)\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:von|of|/|\|)\s*\d{1,4})?\W*", re.IGNORECASE
)
_BULLETS = "•·▪■◦‣●○➢➤►▶✓✔❖–—-∙▸*"
BULLET = re.compile(rf"^\s*(?:[{re.escape(_BULLETS)}\uf000-\uf0ff]|[oO](?=\s{{2}}))(?=\s|$)")


def remove_furniture(pages: Sequence[PageContent]) -> None:
    """Drop segments that recur at one place on many pages, and bare page numbers at the top or bottom edge."""
    where: dict[tuple[str, int, int], set[int]] = defaultdict(set)
    for page in pages:
        for segment in page.segments:
            for key in _keys(segment):
                where[key].add(page.number)
    enough = max(_MIN_PAGES, _SHARE * len(pages))
    frequent = {key for key, numbers in where.items() if len(numbers) >= enough}
    heads = _running_heads(pages)
    for page in pages:
        kept = [
            segment
            for segment in page.segments
            if segment.table
            or not (
                (not _is_bullet(segment) and any(key in frequent for key in _keys(segment)))
                or (_at_edge(segment, page.height, 0.1) and (_text(segment), round(segment.y0 / 4)) in heads)
            )
        ]
        page.segments = [
            segment
            for segment in kept
            if segment.table or not is_page_number(segment, page.height) or _stands_in_a_line(segment, kept)
        ]


def _running_heads(pages: Sequence[PageContent]) -> set[tuple[str, int]]:
    """Lines in the outer tenth that repeat at one height on three pages, where half of all pages have such a line."""
    seen: dict[tuple[str, int], set[int]] = defaultdict(set)
    for page in pages:
        for segment in page.segments:
            if _at_edge(segment, page.height, 0.1) and not _is_bullet(segment):
                seen[_text(segment), round(segment.y0 / 4)].add(page.number)
    repeated = {key: numbers for key, numbers in seen.items() if len(numbers) >= 3}
    rows: dict[int, set[int]] = defaultdict(set)
    for (_, row), numbers in repeated.items():
        rows[row] |= numbers
    return {key for key in repeated if len(rows[key[1]]) >= 0.4 * len(pages)}


def is_page_number(segment: Segment, height: float) -> bool:
    """A bare number in the top or bottom 12 % of the page."""
    return _at_edge(segment, height, _EDGE) and _PAGE_NUMBER.fullmatch(segment.text.strip()) is not None


def _stands_in_a_line(number: Segment, others: Sequence[Segment]) -> bool:
    """Words close by on the same line make a number part of a sentence: justified lines fall apart at wide blanks."""
    reach = _BESIDE * number.size
    return any(
        other is not number
        and other.angle == number.angle
        and abs(other.baseline - number.baseline) <= 1
        and -1 <= max(other.x0 - number.x1, number.x0 - other.x1) <= reach
        for other in others
    )


def _at_edge(segment: Segment, height: float, share: float) -> bool:
    _, y0, _, y1 = segment.printed_box
    return y1 < share * height or y0 > (1 - share) * height


def _text(segment: Segment) -> str:
    return _DIGITS.sub("#", segment.text.strip())


def _keys(segment: Segment) -> list[tuple[str, int, int]]:
    """The place on two grids half a cell apart, so that a hair's breadth does not part two equal places."""
    text = _text(segment)
    x, y, _, _ = segment.printed_box
    return [(text, int(x // _GRID), int(y // _GRID)), (text, int((x + 4) // _GRID) + 10_000, int((y + 4) // _GRID))]


def _is_bullet(segment: Segment) -> bool:
    text = segment.text.strip()
    return len(text) <= 2 and not any(char.isalnum() for char in text)
