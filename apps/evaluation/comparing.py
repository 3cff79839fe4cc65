"""Two runs side by side: what changed, by how much, and how sure that is.

Only questions that both runs asked in the same words are compared, pair by pair: most of what differs between two
answers is the question, and pairs take it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Final

import numpy as np

from apps.core.intervals import mcnemar, paired_bootstrap
from apps.evaluation.metrics import EVERYTHING, MEASURES, Form, Judged, Measure, sums

# The chance up to which a change is told as one.
SURE_BELOW: Final = 0.05


class Change(StrEnum):
    """What became of one question."""

    BETTER = "better"
    WORSE = "worse"
    OTHER = "other"  # as right or wrong as before, with another outcome or decision


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure over the pairs that both runs have. ``chance`` is McNemar's, None for what is no yes or no.

    ``low`` and ``high`` bound ``after - before``.
    """

    kind: str
    name: str
    form: Form
    n: int
    before: float
    after: float
    low: float
    high: float
    chance: float | None
    more_is_better: bool | None

    @property
    def gain(self) -> float:
        return self.after - self.before

    @property
    def is_sure(self) -> bool:
        """Say whether chance alone hardly explains it: the interval leaves out zero, and McNemar's test agrees."""
        leaves_zero_out = self.low > 0 or self.high < 0
        return leaves_zero_out and (self.chance is None or self.chance < SURE_BELOW)

    @property
    def is_better(self) -> bool | None:
        """Say whether a sure change is to the good; None where it is not sure or neither is good."""
        if not self.is_sure or self.more_is_better is None:
            return None
        return (self.gain > 0) is self.more_is_better


@dataclass(frozen=True, slots=True)
class ChangedQuestion:
    """A question that fares differently, by its key."""

    key: tuple[str, str, int]
    change: Change


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two runs say of each other. ``only_before`` and ``only_after`` count questions without a partner."""

    pairs: int
    only_before: int
    only_after: int
    differences: tuple[Difference, ...]
    changed: tuple[ChangedQuestion, ...]

    def count(self, change: Change) -> int:
        return sum(each.change is change for each in self.changed)

    @property
    def overall(self) -> Difference | None:
        """The difference in right answers over everything; None where nothing was judged in both."""
        return next((each for each in self.differences if each.name == "right"), None)


def compare(before: Iterable[Judged], after: Iterable[Judged]) -> Comparison:
    """Compare two runs question by question."""
    first, second = {each.key: each for each in before}, {each.key: each for each in after}
    pairs = [(one, second[key]) for key, one in first.items() if key in second and second[key].text == one.text]
    return Comparison(
        pairs=len(pairs),
        only_before=len(first) - len(pairs),
        only_after=len(second) - len(pairs),
        differences=tuple(_differences(pairs)),
        changed=tuple(_changed(pairs)),
    )


Pairs = Sequence[tuple[Judged, Judged]]


def _differences(pairs: Pairs) -> list[Difference]:
    groups: dict[str, list[tuple[Judged, Judged]]] = {EVERYTHING: list(pairs)}
    for pair in pairs:
        groups.setdefault(pair[0].kind, []).append(pair)
    if len(groups) == 2:
        del groups[EVERYTHING]
    found = [_difference(kind, measure, members) for kind, members in groups.items() for measure in MEASURES]
    return [each for each in found if each is not None]


def _difference(kind: str, measure: Measure, pairs: Pairs) -> Difference | None:
    both = [(measure.value(before), measure.value(after)) for before, after in pairs]
    values = np.array([(x, y) for x, y in both if x is not None and y is not None], dtype=float)
    if not len(values):
        return None
    before, after = values[:, 0], values[:, 1]
    low, high = paired_bootstrap(before, after, partial(sums, measure.form))
    is_yes_or_no = measure.form in (Form.SHARE, Form.COUNT) and set(values.flat) <= {0.0, 1.0}
    return Difference(
        kind=kind,
        name=measure.name,
        form=measure.form,
        n=len(values),
        before=float(sums(measure.form, before)),
        after=float(sums(measure.form, after)),
        low=low,
        high=high,
        chance=mcnemar(int((after > before).sum()), int((after < before).sum())) if is_yes_or_no else None,
        more_is_better=measure.more_is_better,
    )


def _changed(pairs: Pairs) -> list[ChangedQuestion]:
    found = []
    for before, after in pairs:
        change = _change(before, after)
        if change is not None:
            found.append(ChangedQuestion(before.key, change))
    order: Mapping[Change, int] = {Change.WORSE: 0, Change.BETTER: 1, Change.OTHER: 2}
    return sorted(found, key=lambda each: order[each.change])


def _change(before: Judged, after: Judged) -> Change | None:
    was, is_now = before.verdict.is_right, after.verdict.is_right
    if was is not is_now and was is not None and is_now is not None:
        return Change.BETTER if is_now else Change.WORSE
    if before.outcome is not after.outcome or before.verdict.decision is not after.verdict.decision:
        return Change.OTHER
    return None
