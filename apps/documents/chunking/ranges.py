"""Decides where to cut: whole sections, overlapping windows, or where the meaning changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from apps.documents.chunking.types import ChunkSize, CountTokens, Embed, Group, Range, Unit
from apps.rag.protocols import Vectors


def find_ranges(text: str, group: Group, size: ChunkSize, cost: CountTokens, embed: Embed | None) -> list[Range]:
    """Return one range of units per chunk. ``cost`` counts tokens, which takes time: no text is counted twice."""
    units = group.units
    if embed is None:
        whole = cost(text[units[0].start : units[-1].end])
        if whole <= size.section_limit:
            return [Range(0, len(units), whole)]
    costs = [cost(text[unit.start : unit.end]) for unit in units]
    if embed is None:
        pairs = list(_windows(units, costs, 0, len(units), size.window, size.overlap))
    else:
        pairs = _by_meaning(text, units, costs, size, embed)
    return [Range(first, last, sum(costs[first:last])) for first, last in pairs]


def _windows(
    units: Sequence[Unit], costs: Sequence[int], first: int, end: int, window: int, overlap: int
) -> Iterator[tuple[int, int]]:
    while True:
        last, total, has_text = first, 0, False
        # A heading is never left without a word of what follows it.
        while last < end and (not has_text or total + costs[last] <= window):
            total += costs[last]
            has_text = has_text or not units[last].is_heading
            last += 1
        if last < end and all(unit.is_heading for unit in units[last:end]):
            last = end
        yield first, last
        if last >= end:
            return
        repeated, start = 0, last
        while start > first + 1 and repeated + costs[start - 1] <= overlap:
            start -= 1
            repeated += costs[start]
        first = start if repeated + costs[last] <= window else last


def _by_meaning(
    text: str, units: Sequence[Unit], costs: Sequence[int], size: ChunkSize, embed: Embed
) -> list[tuple[int, int]]:
    """Cut at the least similar neighbours: always above the window, below it only at a marked drop."""
    least = size.window // 5
    sums = np.cumsum([0, *costs])
    if sums[-1] < 2 * least or len(units) < 3:
        return list(_windows(units, costs, 0, len(units), size.window, 0))
    likeness = _likeness(np.asarray(embed([text[unit.start : unit.end] for unit in units]), dtype=np.float32))
    drop = float(likeness.mean() - likeness.std())
    ranges: list[tuple[int, int]] = []
    pending = [(0, len(units))]
    while pending:
        first, last = pending.pop()
        cut = _best_cut(units, likeness, sums, first, last, least)
        too_large = sums[last] - sums[first] > size.window
        if cut is None:
            ranges.extend(_windows(units, costs, first, last, size.window, 0))
        elif too_large or likeness[cut - 1] < drop:
            pending += [(cut, last), (first, cut)]
        else:
            ranges.append((first, last))
    return ranges


def _likeness(vectors: Vectors) -> Vectors:
    """Cosine between the two sentences before and the two after each gap, shape (units - 1,)."""
    before = vectors.copy()
    before[1:] += vectors[:-1]
    after = vectors.copy()
    after[:-1] += vectors[1:]
    for rows in (before, after):
        rows /= np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9
    return np.einsum("ij,ij->i", before[:-1], after[1:])


def _best_cut(
    units: Sequence[Unit], likeness: Vectors, sums: np.ndarray, first: int, last: int, least: int
) -> int | None:
    """Return the unit before which to cut so that both sides are large enough and no heading stands last."""
    allowed = [
        cut
        for cut in range(first + 1, last)
        if sums[cut] - sums[first] >= least
        and sums[last] - sums[cut] >= least
        and not units[cut - 1].is_heading
        and not all(unit.is_heading for unit in units[cut:last])
    ]
    return min(allowed, key=lambda cut: likeness[cut - 1], default=None)
