"""Reading order: gutters split a page into columns, crossing lines into bands. No line is lost or doubled."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

import numpy as np

from apps.documents.parsing.pdf.geometry import Segment
from apps.documents.parsing.pdf.lines import joined_lines

_STEP = 2.0
_MIN_LINES = 4
_MIN_LETTERS = 15
_MIN_GAP = 6.0
_DEPTH = 2


def usual_gutters(pages: Sequence[Sequence[Segment]], widths: Sequence[float]) -> list[float]:
    """Where the document's two-column pages have their gutter, most frequent first (points from the left)."""
    found: dict[int, list[float]] = {}
    for segments, width in zip(pages, widths, strict=True):
        gutter = find_gutter(segments, 0.3 * width, 0.7 * width)
        if gutter is not None:
            found.setdefault(round(gutter / 10), []).append(gutter)
    enough = max(3, 0.1 * len(pages))
    groups = sorted(found.values(), key=len, reverse=True)
    return [mean(group) for group in groups if len(group) >= enough]


def reading_order(segments: Sequence[Segment], width: float, usual: Sequence[float] = ()) -> list[list[Segment]]:
    """The page's regions in reading order, each a list of printed lines from top to bottom."""
    upright = [segment for segment in segments if not segment.angle]
    regions = _split(upright, 0.3 * width, 0.7 * width, width, usual, 0)
    for angle in sorted({segment.angle for segment in segments if segment.angle}):
        regions.append([segment for segment in segments if segment.angle == angle])
    if sum(map(len, regions)) != len(segments):
        raise AssertionError("a line was lost or doubled while columns were split")
    return [joined_lines(region) for region in regions if region]


def _split(
    segments: list[Segment], low: float, high: float, width: float, usual: Sequence[float], depth: int
) -> list[list[Segment]]:
    if depth > _DEPTH or len(segments) < 2:
        return [segments] if segments else []
    gutter = find_gutter(segments, low, high, crossing=0.5 if depth == 0 else 0.1)
    if gutter is None and depth == 0:
        gutter = next((x for x in usual if _fits(segments, x)), None)
    if gutter is None and depth == 0:
        gutter = find_gutter(segments, 0.12 * width, 0.88 * width, crossing=0.1)
    if gutter is None:
        return [segments]
    regions: list[list[Segment]] = []
    for kind, band in _bands(segments, gutter):
        if kind == "crossing":
            regions.append(band)
            continue
        for side in _sides(band, gutter):
            if side:
                left, right = min(s.x0 for s in side), max(s.x1 for s in side)
                span = right - left
                regions += _split(side, left + 0.12 * span, left + 0.88 * span, width, (), depth + 1)
    return regions


def find_gutter(segments: Sequence[Segment], low: float, high: float, *, crossing: float = 0.5) -> float | None:
    """The x between two columns inside [low, high], or None.

    Either side needs 4 lines of 15 letters on average, the sides overlap vertically, at most the share ``crossing``
    of the lines runs across, and the gap is at least 6 points wide.
    """
    lines = [segment for segment in segments if not segment.angle]
    if len(lines) < 2 * _MIN_LINES:
        return None
    best: tuple[int, float, float] | None = None
    for across, start, end in _plateaus(lines, low, high):
        if across > crossing * len(lines) or end - start < _MIN_GAP - _STEP:
            continue
        rank = (across, start - end, (start + end) / 2)
        if (best is None or rank < best) and _is_gutter(lines, rank[2]):
            best = rank
    return best[2] if best else None


def _plateaus(lines: Sequence[Segment], low: float, high: float) -> list[tuple[int, float, float]]:
    """Stretches of x that the same number of lines cross, as (crossing lines, from, to)."""
    grid = np.arange(low, high + 0.01, _STEP)
    x0 = np.array([line.x0 for line in lines])[:, None]
    x1 = np.array([line.x1 for line in lines])[:, None]
    counts = ((x0 < grid) & (grid < x1)).sum(axis=0)
    plateaus: list[tuple[int, float, float]] = []
    for x, across in zip(grid.tolist(), counts.tolist(), strict=True):
        if plateaus and plateaus[-1][0] == across:
            plateaus[-1] = (across, plateaus[-1][1], x)
        else:
            plateaus.append((across, x, x))
    return plateaus


def _is_gutter(lines: Sequence[Segment], x: float) -> bool:
    left = [line for line in lines if line.x1 <= x]
    right = [line for line in lines if line.x0 >= x]
    if len(left) < _MIN_LINES or len(right) < _MIN_LINES:
        return False
    if min(mean(len(line.text) for line in side) for side in (left, right)) < _MIN_LETTERS:
        return False
    return _overlap(left, right)


def _overlap(left: Sequence[Segment], right: Sequence[Segment]) -> bool:
    top = max(min(line.y0 for line in left), min(line.y0 for line in right))
    bottom = min(max(line.y1 for line in left), max(line.y1 for line in right))
    return bottom > top


def _fits(segments: Sequence[Segment], x: float) -> bool:
    """Whether a page with few lines uses the document's usual gutter: text on both sides at the same height."""
    left = [line for line in segments if line.x1 <= x and len(line.text) > 2]
    right = [line for line in segments if line.x0 >= x and len(line.text) > 2]
    across = len(segments) - len([s for s in segments if s.x1 <= x or s.x0 >= x])
    return bool(left and right) and across <= 0.5 * len(segments) and _overlap(left, right)


def _bands(segments: Sequence[Segment], gutter: float) -> list[tuple[str, list[Segment]]]:
    bands: list[tuple[str, list[Segment]]] = []
    for line in sorted(segments, key=lambda line: (line.baseline, line.x0)):
        kind = "crossing" if line.x0 < gutter < line.x1 else "columns"
        if bands and bands[-1][0] == kind:
            bands[-1][1].append(line)
        else:
            bands.append((kind, [line]))
    return bands


def _sides(band: Sequence[Segment], gutter: float) -> tuple[list[Segment], list[Segment]]:
    left = [line for line in band if line.x1 <= gutter]
    return left, [line for line in band if line.x1 > gutter]
