"""The fuzzy stage: phrases whose Indel ratio to a question reaches their threshold, found without comparing them all.

Length first, then how many letters two texts can share at most, then rapidfuzz on the few that are left. Each step only
drops what cannot reach the threshold, so the result is that of comparing everything.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

# Keys with fewer letters are never compared by similarity.
SHORTEST_KEY: Final = 5
# Phrases with similar thresholds are scanned together, by the length window of the lowest.
_BUCKETS: Final = (85, 60)
# Every threshold over 100 is out of reach alike.
_OVER: Final = 101
_COLUMNS: Final = 32
_SPACE: Final = 26
_OTHERS: Final = 27
# More than the characters of any key.
_BASE: Final = 1 << 20
_MOST: Final = 255
_ROWS_AT_ONCE: Final = 2_000
# Rows whose letters are counted at once: what stays in the processor's cache.
_BLOCK: Final = 32_768
_OUT_OF_REACH: Final = {np.uint8: 255, np.uint16: 65_535}

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Similar:
    """A phrase of a rule, by its place in the rule, that shares ``common`` letters with a question.

    ``total`` is the length of both together: the ratio is 200 * common / total percent.
    """

    rule: int
    phrase: int
    common: int
    total: int

    @property
    def per_mille(self) -> int:
        return 2000 * self.common // self.total


def is_comparable(key: str) -> bool:
    """Say whether a key has enough letters for the fuzzy stage."""
    return len(key) - key.count(" ") >= SHORTEST_KEY


def reaches(common: int, total: int, threshold: int) -> bool:
    """Compare a ratio with a threshold in whole numbers, equality included; a float may miss it by a hair."""
    return 200 * common >= threshold * total


def common_letters(left: str, right: str, at_least: int = 0) -> int:
    """Return the length of the longest common subsequence; 0 where it is less than ``at_least``."""
    return int(LCSseq.similarity(left, right, score_cutoff=max(0, at_least)))


@dataclass(frozen=True, slots=True)
class _Bucket:
    """Phrases by length. ``kinds`` has, for each, the place of its threshold and length in the two lists."""

    keys: Sequence[str]
    rules: Sequence[int]
    phrases: Sequence[int]
    lengths: Sequence[int]
    columns: Bytes
    kinds: NDArray[np.uint32]
    kind_thresholds: NDArray[np.int64]
    kind_lengths: NDArray[np.int64]
    lowest: int

    def similar(self, key: str, lowered: int) -> Iterator[Similar]:
        """Yield the phrases that reach their threshold, less ``lowered`` percent points."""
        low, high = self._window(len(key), max(0, self.lowest - lowered))
        if low == high:
            return
        totals = self.kind_lengths + len(key)
        thresholds = np.maximum(self.kind_thresholds - lowered, 0)
        required = -(-thresholds * totals // 200)
        rows = self._possible(key, low, high, required)
        needs = required[self.kinds[rows]].tolist()
        for row, need in zip(rows.tolist(), needs, strict=True):
            other = self.keys[row]
            common = common_letters(key, other, need)
            if common >= need:
                yield Similar(self.rules[row], self.phrases[row], common, len(key) + len(other))

    def _window(self, length: int, threshold: int) -> tuple[int, int]:
        """Rows whose length alone does not rule them out: 200 * shorter >= threshold * both."""
        if not threshold:
            return 0, len(self.lengths)
        shortest = -(-threshold * length // (200 - threshold)) if threshold < 200 else length
        longest = (200 - threshold) * length // threshold
        return bisect_left(self.lengths, shortest), bisect_right(self.lengths, longest)

    def _possible(self, key: str, low: int, high: int, required: NDArray[np.int64]) -> NDArray[np.int64]:
        """Rows that may share enough letters, counted letter by letter."""
        counts = _column_counts(key)
        if max(counts.values()) >= _MOST:
            return np.arange(low, high)
        kind = np.uint16 if len(key) > _MOST else np.uint8
        limits = np.minimum(required, _OUT_OF_REACH[kind]).astype(kind)
        parts = []
        for start in range(low, high, _BLOCK):
            end = min(start + _BLOCK, high)
            bound: NDArray[Any] = np.zeros(end - start, dtype=kind)
            shared = np.empty(end - start, dtype=np.uint8)
            for column, count in counts.items():
                np.minimum(self.columns[column, start:end], count, out=shared)
                bound += shared
            parts.append(np.flatnonzero(bound >= limits.take(self.kinds[start:end])) + start)
        return np.concatenate(parts)


class PhraseIndex:
    """The phrases of many rules, ready for the fuzzy stage."""

    def __init__(self) -> None:
        self._keys: list[str] = []
        self._rules = array("I")
        self._phrases = array("I")
        self._thresholds = array("i")
        self._buckets: tuple[_Bucket, ...] = ()

    def add(self, key: str, rule: int, phrase: int, threshold: int) -> None:
        """Store one form of a phrase with its rule, its place in the rule, and the threshold that counts there."""
        self._keys.append(key)
        self._rules.append(rule)
        self._phrases.append(phrase)
        self._thresholds.append(min(max(threshold, 0), _OVER))

    def finish(self) -> None:
        """Sort what was added; nothing can be added afterwards."""
        thresholds = np.frombuffer(self._thresholds, dtype=np.int32).astype(np.int64)
        lengths = np.fromiter(map(len, self._keys), dtype=np.int64, count=len(self._keys))
        rules = np.frombuffer(self._rules, dtype=np.uint32)
        phrases = np.frombuffer(self._phrases, dtype=np.uint32)
        numbers = sum((thresholds < edge).astype(np.int64) for edge in _BUCKETS)
        buckets = []
        for number in range(len(_BUCKETS) + 1):
            rows = np.flatnonzero(numbers == number)
            if rows.size:
                rows = rows[np.argsort(lengths[rows], kind="stable")]
                keys = [self._keys[row] for row in rows.tolist()]
                buckets.append(_bucket(keys, rules[rows], phrases[rows], lengths[rows], thresholds[rows]))
        self._buckets = tuple(buckets)
        self._keys, self._rules, self._phrases, self._thresholds = [], array("I"), array("I"), array("i")

    def similar(self, forms: Sequence[str], lowered: int = 0) -> list[Similar]:
        """Return the phrases that a question's forms reach, each form of a phrase for each form of the question."""
        return [each for bucket in self._buckets for key in forms for each in bucket.similar(key, lowered)]


def _bucket(
    keys: list[str],
    rules: NDArray[np.uint32],
    phrases: NDArray[np.uint32],
    lengths: NDArray[np.int64],
    thresholds: NDArray[np.int64],
) -> _Bucket:
    # Both in one number: lengths are far below the base.
    pairs, kinds = np.unique(thresholds * _BASE + lengths, return_inverse=True)
    return _Bucket(
        keys,
        array("I", rules.astype(np.uint32).tobytes()),
        array("I", phrases.astype(np.uint32).tobytes()),
        array("I", lengths.astype(np.uint32).tobytes()),
        _counts(keys),
        kinds.astype(np.uint32),
        pairs // _BASE,
        pairs % _BASE,
        int(thresholds.min()),
    )


def _columns_of_characters() -> NDArray[np.int64]:
    table = np.array([_OTHERS + code % (_COLUMNS - _OTHERS) for code in range(128)], dtype=np.int64)
    table[ord("a") : ord("z") + 1] = np.arange(26)
    table[ord(" ")] = _SPACE
    return table


_TABLE: Final = _columns_of_characters()
_COLUMN_OF: Final = {chr(code): int(column) for code, column in enumerate(_TABLE)}


def _column_counts(key: str) -> dict[int, int]:
    """Return how often each class of characters is in a key, for those that are."""
    counts: dict[int, int] = {}
    for character in set(key):
        column = _COLUMN_OF.get(character, _OTHERS + ord(character) % (_COLUMNS - _OTHERS))
        counts[column] = counts.get(column, 0) + key.count(character)
    return counts


def _columns_of(text: str) -> NDArray[np.int64]:
    """Return the class of every character of a text."""
    if text.isascii():
        return _TABLE[np.frombuffer(text.encode("ascii"), dtype=np.uint8)]
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)
    return np.where(codes < 128, _TABLE[np.minimum(codes, 127)], _OTHERS + codes % (_COLUMNS - _OTHERS))


def _counts(keys: Sequence[str]) -> Bytes:
    """Return how often each of 32 classes of characters is in each key, at most 255, one row for each class."""
    counts = np.zeros((_COLUMNS, len(keys)), dtype=np.uint8)
    for start in range(0, len(keys), _ROWS_AT_ONCE):
        part = keys[start : start + _ROWS_AT_ONCE]
        columns = _columns_of("".join(part))
        rows = np.repeat(np.arange(len(part)), np.fromiter(map(len, part), dtype=np.int64, count=len(part)))
        cells = np.bincount(columns * len(part) + rows, minlength=_COLUMNS * len(part))
        counts[:, start : start + len(part)] = np.minimum(cells, _MOST).reshape(_COLUMNS, len(part))
    return counts
