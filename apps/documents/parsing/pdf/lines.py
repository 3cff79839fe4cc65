"""Words to printed lines: line numbers split off, runs of one baseline, side text turned upright."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from apps.documents.parsing.pdf.geometry import Segment, Word, turned

_BASELINE_STEP = 0.45
_RUN_GAP = 0.95
_MERGE_GAP = 0.6
_JUMP_BACK = 2.5
_BLANK = 0.2
_HYPHENS = "-\u2010\u2011"
_MIN_NUMBERS = 8
_RISING = 0.7


def segments_of(words: Sequence[Word], page: int, width: float, height: float) -> list[Segment]:
    """Printed line pieces in reading frame, upright text first, text in other directions behind it."""
    by_angle: dict[int, list[Word]] = {}
    for word in words:
        by_angle.setdefault(word.style.angle, []).append(word)
    order = sorted(by_angle, key=lambda angle: -sum(len(word.text) for word in by_angle[angle]))
    found: list[Segment] = []
    for rank, angle in enumerate(order):
        group = by_angle[angle]
        if angle:
            group = [_upright(word, angle, width, height) for word in group]
        if rank == 0:
            group = without_line_numbers(group)
        segments = _merged(_runs(group, page))
        if angle:
            _place(segments, angle, width, height)
        for segment in segments:
            segment.angle = (angle - order[0]) % 360
        found.extend(segments)
    return found


def _upright(word: Word, angle: int, width: float, height: float) -> Word:
    x0, y0, x1, y1 = turned((word.x0, word.y0, word.x1, word.y1), angle, width, height)
    baseline = {90: width - word.baseline, 180: height - word.baseline, 270: word.baseline}[angle]
    return replace(word, x0=x0, y0=y0, x1=x1, y1=y1, baseline=baseline)


def _place(segments: list[Segment], angle: int, width: float, height: float) -> None:
    """Give turned segments the box they have on the displayed page."""
    wide, tall = (height, width) if angle in (90, 270) else (width, height)
    for segment in segments:
        box = turned((segment.x0, segment.y0, segment.x1, segment.y1), -angle % 360, wide, tall)
        segment.box = (box[0], box[1], box[2], box[3])


def without_line_numbers(words: list[Word]) -> list[Word]:
    """Drop the numbers in the margin that count the lines: at least 8, and 70 % rise by one or two (or by fives)."""
    for side in ("left", "right"):
        numbers = _margin_numbers(words, side)
        if len(numbers) < _MIN_NUMBERS:
            continue
        values = [int(word.text) for word in numbers]
        steps = Counter(second - first for first, second in itertools.pairwise(values))
        rising = max(steps[1] + steps[2], steps[5], steps[10])
        if rising >= _RISING * (len(values) - 1):
            gone = {id(word) for word in numbers}
            return [word for word in words if id(word) not in gone]
    return words


def _margin_numbers(words: list[Word], side: str) -> list[Word]:
    """The outermost words of each row that are bare numbers and stand in one narrow column, from top to bottom."""
    rows: dict[int, Word] = {}
    for word in words:
        key = round(word.baseline / 4)
        known = rows.get(key) or rows.get(key - 1) or rows.get(key + 1)
        if known is None:
            rows[key] = word
        elif (word.x0 < known.x0) if side == "left" else (word.x1 > known.x1):
            rows[next(k for k in (key, key - 1, key + 1) if k in rows)] = word
    numbers = [word for word in rows.values() if word.text.isdecimal() and len(word.text) <= 4]
    if len(numbers) < _MIN_NUMBERS:
        return []
    edge = Counter(round(word.x1 / 3) for word in numbers)
    other = Counter(round(word.x0 / 3) for word in numbers)
    by_end = edge.most_common(1)[0][1] >= other.most_common(1)[0][1]
    middle = (edge if by_end else other).most_common(1)[0][0] * 3
    kept = [word for word in numbers if abs((word.x1 if by_end else word.x0) - middle) <= 5]
    return sorted(kept, key=lambda word: word.baseline)


class _Run:
    """Words that belong to one line piece."""

    def __init__(self, word: Word) -> None:
        self.words = [word]
        self.size = word.style.size
        self.baseline = word.baseline

    def accepts(self, word: Word) -> bool:
        last, size = self.words[-1], max(self.size, word.style.size)
        gap = word.x0 - last.x1
        return (
            abs(word.baseline - self.baseline) <= _BASELINE_STEP * size
            and gap <= _RUN_GAP * size
            and gap >= -_JUMP_BACK * size
            and word.x0 >= last.x0 - 0.5
        )

    def add(self, word: Word) -> None:
        self.words.append(word)
        if word.style.size > self.size:
            self.size, self.baseline = word.style.size, word.baseline

    def segment(self, page: int) -> Segment:
        words = self.words
        text = "".join((" " if word.spaced and index else "") + word.text for index, word in enumerate(words))
        weights: Counter[int] = Counter()
        sizes: Counter[float] = Counter()
        for word in words:
            weights[word.style.weight] += len(word.text)
            sizes[word.style.size] += len(word.text)
        size = sizes.most_common(1)[0][0]
        hyphen = words[-1].hyphen
        if len(text) > 1 and text[-1] in _HYPHENS and not text[-2].isspace() and text[-2] not in _HYPHENS:
            text, hyphen = text[:-1], "-"
        return Segment(
            text,
            min(word.x0 for word in words),
            min(word.y0 for word in words),
            max(word.x1 for word in words),
            max(word.y1 for word in words),
            self.baseline,
            size,
            dominant_weight(weights),
            page,
            hyphen,
            starts_bold=words[0].style.weight >= 600,
        )


def dominant_weight(weights: Counter[int]) -> int:
    """The weight that at least 85 % of the characters have or exceed: a line with a few light words is not bold."""
    total, seen = sum(weights.values()), 0
    for weight in sorted(weights, reverse=True):
        seen += weights[weight]
        if seen >= 0.85 * total:
            return weight
    return 400


def _runs(words: Sequence[Word], page: int) -> list[Segment]:
    runs: list[_Run] = []
    for word in words:
        if runs and runs[-1].accepts(word):
            runs[-1].add(word)
        else:
            runs.append(_Run(word))
    return [run.segment(page) for run in runs]


def _merged(segments: list[Segment]) -> list[Segment]:
    """Join pieces of one baseline whose gap is below 0.6 of the size."""
    ordered = sorted(segments, key=lambda piece: (piece.baseline, piece.x0))
    rows: list[list[Segment]] = []
    for piece in ordered:
        for row in reversed(rows[-4:]):
            if any(_same_row(other, piece) for other in row[-3:]):
                row.append(piece)
                break
        else:
            rows.append([piece])
    return [joined for row in rows for joined in _joined_row(row, _MERGE_GAP)]


def _same_row(one: Segment, other: Segment) -> bool:
    """Same baseline, or a raised or lowered small piece inside the height of the other."""
    if one.table or other.table:
        return False
    size = max(one.size, other.size)
    step = 0.25 if abs(one.size - other.size) < 0.15 * size else _BASELINE_STEP
    return abs(one.baseline - other.baseline) <= step * size


def _joined_row(row: list[Segment], limit: float) -> list[Segment]:
    row = sorted(row, key=lambda piece: piece.x0)
    joined = [row[0]]
    for piece in row[1:]:
        gap = piece.x0 - joined[-1].x1
        if gap <= limit * max(piece.size, joined[-1].size) and gap > -0.5 * piece.size:
            joined[-1] = joined_pair(joined[-1], piece)
        else:
            joined.append(piece)
    return joined


def joined_pair(left: Segment, right: Segment) -> Segment:
    """Two pieces of one printed line as one, with a blank where the gap shows one."""
    blank = " " if right.x0 - left.x1 > _BLANK * min(left.size, right.size) else ""
    main = left if len(left.text) >= len(right.text) else right
    hyphen = left.hyphen and not blank and "-"
    return Segment(
        left.text + (hyphen or "") + blank + right.text,
        min(left.x0, right.x0),
        min(left.y0, right.y0),
        max(left.x1, right.x1),
        max(left.y1, right.y1),
        main.baseline,
        main.size,
        main.weight if len(main.text) > 0.85 * len(left.text + right.text) else min(left.weight, right.weight),
        left.page,
        right.hyphen,
        left.angle,
        left.starts_bold,
    )


def joined_lines(segments: Sequence[Segment]) -> list[Segment]:
    """The printed lines of one column, from top to bottom: all pieces of one baseline joined whatever the gap."""
    rows: list[list[Segment]] = []
    for piece in sorted(segments, key=lambda piece: (piece.baseline, piece.x0)):
        if rows and any(_same_row(other, piece) for other in rows[-1][-3:]):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    lines = []
    for row in rows:
        pieces = sorted(row, key=lambda piece: piece.x0)
        line = pieces[0]
        for piece in pieces[1:]:
            line = joined_pair(line, piece)
        lines.append(line)
    return lines
