"""Which lines are headings, and of what level: size and weight against the body, bookmarks where the file has them."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from apps.documents.parsing.pdf.furniture import BULLET
from apps.documents.parsing.pdf.geometry import Segment

_SIZE_RATIO = 1.08
_SIZE_STEP = 0.5
_WEIGHT_STEP = 50
_GAP_ABOVE = 1.12
_MAX_LETTERS = 150
_MANY_GAPS = 8
_CLOSE = 1.75
MAX_LEVEL = 6
_DOTS = re.compile(r"(?:\.\s?){4,}|…{2,}|_{4,}")
_ENDS_IN_NUMBER = re.compile(r"(?:\s|\.{2,}|…)(\d{1,4})$")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Body:
    """The document's usual text: size in points, weight, and the distance of its lines by size."""

    size: float
    weight: int
    pitches: Mapping[float, float]

    def pitch(self, size: float) -> float:
        """The usual distance between two baselines of this size."""
        return self.pitches.get(round(size * 2) / 2) or self.pitches.get(self.size, 1.2 * self.size) * size / self.size


def body_of(regions: Sequence[Sequence[Segment]]) -> Body:
    """The style most characters have, and the most frequent line distance per size."""
    sizes: Counter[float] = Counter()
    weights: dict[float, Counter[int]] = defaultdict(Counter)
    gaps: dict[float, Counter[float]] = defaultdict(Counter)
    for region in regions:
        for index, line in enumerate(region):
            size = round(line.size * 2) / 2
            sizes[size] += len(line.text)
            weights[size][line.weight] += len(line.text)
            if index and round(region[index - 1].size * 2) / 2 == size:
                gap = line.baseline - region[index - 1].baseline
                if 0.8 * size < gap < 2.5 * size:
                    gaps[size][round(gap * 4) / 4] += 1
    if not sizes:
        return Body(10.0, 400, {})
    size = sizes.most_common(1)[0][0]
    pitches = {key: pitch for key, counts in gaps.items() if (pitch := _usual_gap(counts, key))}
    return Body(size, weights[size].most_common(1)[0][0], pitches)


def _usual_gap(counts: Counter[float], size: float) -> float | None:
    """The most frequent distance, neighbours in the rounding counted with it; with few lines the middle one."""
    if sum(counts.values()) >= _MANY_GAPS:
        return max(counts, key=lambda gap: counts[gap] + counts[gap - 0.25] + counts[gap + 0.25])
    close = [gap for gap in counts.elements() if gap <= _CLOSE * size]
    return median(close) if len(close) >= 2 else None


def is_contents_page(lines: Sequence[Segment]) -> bool:
    """A table of contents: 40 % of its lines have dot leaders, or end in numbers that rise like page numbers."""
    if len(lines) < 5:
        return False
    dotted = sum(1 for line in lines if _DOTS.search(line.text))
    ends = [int(found.group(1)) for line in lines if (found := _ENDS_IN_NUMBER.search(line.text.rstrip()))]
    if dotted + len(ends) < 0.4 * len(lines):
        return False
    rising = sum(1 for first, second in itertools.pairwise(ends) if first <= second)
    return dotted >= 0.4 * len(lines) or rising >= 0.7 * (len(ends) - 1)


def stands_out(line: Segment, body: Body) -> bool:
    """Larger than the body text, or bolder."""
    return is_large(line, body) or line.weight > body.weight + _WEIGHT_STEP


def is_large(line: Segment, body: Body) -> bool:
    return line.size >= _SIZE_RATIO * body.size and line.size > body.size + _SIZE_STEP


def heading_groups(region: Sequence[Segment], body: Body, *, after_sentence: bool) -> list[tuple[int, int]]:
    """Line ranges [from, to) of one region that are headings. ``after_sentence``: the text before it had ended."""
    groups: list[tuple[int, int]] = []
    index = 0
    while index < len(region):
        end = _group_end(region, index, body)
        below_heading = bool(groups) and groups[-1][1] == index
        if end > index and _is_heading(region, index, end, body, after_sentence or below_heading, below_heading):
            groups.append((index, end))
        index = max(end, index + 1)
    return groups


def _group_end(region: Sequence[Segment], start: int, body: Body) -> int:
    """The end of the run of equally set lines from ``start`` that stand out from the body text."""
    first = region[start]
    if not stands_out(first, body):
        return start
    end = start + 1
    while end < len(region):
        line, last = region[end], region[end - 1]
        limit = 1.25 * max(body.pitch(line.size), 1.15 * line.size)
        if abs(line.size - first.size) > 0.6 or abs(line.weight - first.weight) > 100 or line.angle != first.angle:
            break
        if line.baseline - last.baseline > limit:
            break
        end += 1
    return end


def _is_heading(
    region: Sequence[Segment], start: int, end: int, body: Body, after_sentence: bool, below_heading: bool
) -> bool:
    lines = region[start:end]
    text = " ".join(line.text for line in lines).strip()
    if len(text) > _MAX_LETTERS or text.endswith((";", ",")) or not _LETTER.search(text):
        return False
    following = region[end] if end < len(region) else None
    if following is not None and following.text[:1].islower() and not is_large(lines[0], body):
        return False
    if is_large(lines[0], body):
        return True
    if BULLET.match(text):
        return False
    if start == 0 or below_heading:
        return after_sentence
    return lines[0].baseline - region[start - 1].baseline >= _GAP_ABOVE * body.pitch(body.size)


def style_key(line: Segment) -> tuple[float, int]:
    return round(line.size * 2) / 2, line.weight


def heading_levels(headings: Sequence[tuple[tuple[float, int], int | None]]) -> dict[tuple[float, int], int]:
    """Level per style from all headings given as (style, bookmark level or None).

    Where bookmarks name headings of a style, their usual level counts; the others are ranked by size and weight.
    """
    marked: dict[tuple[float, int], Counter[int]] = defaultdict(Counter)
    counts = Counter(style for style, _ in headings)
    for style, level in headings:
        if level is not None:
            marked[style][level] += 1
    levels: dict[tuple[float, int], int] = {}
    previous: tuple[float, int] | None = None
    level = 0
    for style in sorted(counts, reverse=True):
        if style in marked:
            level = marked[style].most_common(1)[0][0]
        elif previous is None or not _alike(style, previous):
            level += 1
        levels[style] = level = min(max(level, 1), MAX_LEVEL)
        # A style used once (a cover, a divider) opens no level of its own below it.
        previous = style if counts[style] > 1 or style in marked else previous
        if counts[style] == 1 and style not in marked:
            level = max(level - 1, 0)
    return levels


def _alike(one: tuple[float, int], other: tuple[float, int]) -> bool:
    return abs(one[0] - other[0]) <= 0.5 and abs(one[1] - other[1]) <= 100
