"""From the verdicts on single answers to figures with intervals: one place for the admin's runs and the suites.

A measure gives each answer a value, or None where it does not apply. A share is the mean of values of 0 and 1; counts
and times are what they say. Figure names are those of DESIGN.md section 8.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Final, TypedDict

import numpy as np

from apps.core.intervals import bootstrap, mean, quantile, wilson
from apps.evaluation.judging import Verdict
from apps.evaluation.question_files import Expected
from apps.rag.types import Outcome

EVERYTHING: Final = "all"


@dataclass(frozen=True, slots=True)
class Judged:
    """One result as the figures need it. ``key`` names set, question and turn: the same in every run.

    ``text`` is the question as it was asked: somebody may have written it anew since.
    """

    key: tuple[str, str, int]
    kind: str
    subkind: str
    expected: Expected | None
    outcome: Outcome
    verdict: Verdict
    first_ms: float | None
    whole_ms: float
    text: str = ""


class Form(StrEnum):
    """How values become one figure."""

    SHARE = "share"
    MEAN = "mean"
    COUNT = "count"
    MEDIAN = "median"
    PERCENTILE = "percentile"  # the 95th


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing that is measured of every answer that it concerns; ``more_is_better`` None where neither is."""

    name: str
    form: Form
    value: Callable[[Judged], float | None]
    more_is_better: bool | None = True


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured figure over ``n`` answers of one kind (or all), with its 95 % interval; a count has none."""

    kind: str
    name: str
    form: Form
    value: float
    n: int
    low: float | None = None
    high: float | None = None


class FigureRecord(TypedDict):
    """A figure as it is stored with a run."""

    kind: str
    name: str
    form: str
    value: float
    n: int
    low: float | None
    high: float | None


def _told(name: str, judged: Judged) -> float | None:
    told = getattr(judged.verdict, name)
    return None if told is None else float(told)


def _answers(judged: Judged) -> bool:
    return judged.expected in (Expected.ANSWER, Expected.QUOTE)


def _is_answered(judged: Judged) -> float | None:
    return float(judged.outcome is Outcome.ANSWERED) if _answers(judged) else None


def _is_refused_wrongly(judged: Judged) -> float | None:
    return float(judged.outcome is Outcome.REFUSED) if _answers(judged) else None


def _is_refused_rightly(judged: Judged) -> float | None:
    is_to_be = judged.expected not in (None, Expected.ANSWER, Expected.QUOTE)
    return float(judged.verdict.outcome or False) if is_to_be else None


def _is_right(judged: Judged) -> float | None:
    right = judged.verdict.is_right
    return None if right is None else float(right)


def _is_added_to(judged: Judged) -> float | None:
    added = judged.verdict.nothing_added
    return None if added is None else float(not added)


def _reaches_reader(judged: Judged) -> float | None:
    unsaid = judged.verdict.unsaid
    return None if unsaid is None else float(not unsaid)


def _of_sentences(name: str, judged: Judged) -> float | None:
    """The share of one answer's sentences: an answer counts once, however long it is."""
    sentences = judged.verdict.sentences
    return float(getattr(judged.verdict, name)) / sentences if sentences else None


def _of_answers(name: str, judged: Judged) -> float | None:
    return float(getattr(judged.verdict, name)) if judged.outcome is Outcome.ANSWERED else None


def _documents_found(judged: Judged) -> float | None:
    """How broad the search was, where it found anything."""
    return float(judged.verdict.documents_found) or None


MEASURES: Final = (
    Measure("right", Form.SHARE, _is_right),
    Measure("answered", Form.SHARE, _is_answered),
    Measure("right_refusals", Form.SHARE, _is_refused_rightly),
    Measure("wrong_refusals", Form.SHARE, _is_refused_wrongly, more_is_better=False),
    *(
        Measure(name, Form.SHARE, partial(_told, name))
        for name in ("decision", "resolved", "source_found", "right_source", "right_place", "marked")
    ),
    *(
        Measure(name, Form.SHARE, partial(_of_sentences, name))
        for name in ("cited", "verbatim", "known", "right_party")
    ),
    Measure("citations_per_answer", Form.MEAN, partial(_of_answers, "citations"), more_is_better=None),
    Measure("documents_per_answer", Form.MEAN, partial(_of_answers, "documents"), more_is_better=None),
    Measure("documents_found", Form.MEAN, _documents_found, more_is_better=None),
    Measure("forbidden_additions", Form.COUNT, _is_added_to, more_is_better=False),
    Measure("reached_reader", Form.COUNT, _reaches_reader, more_is_better=False),
    Measure("failed", Form.COUNT, lambda judged: float(judged.outcome is Outcome.FAILED), more_is_better=False),
    Measure("first_p50_ms", Form.MEDIAN, lambda judged: judged.first_ms, more_is_better=False),
    Measure("first_p95_ms", Form.PERCENTILE, lambda judged: judged.first_ms, more_is_better=False),
    Measure("whole_p50_ms", Form.MEDIAN, lambda judged: judged.whole_ms, more_is_better=False),
    Measure("whole_p95_ms", Form.PERCENTILE, lambda judged: judged.whole_ms, more_is_better=False),
)


_SUMS: Final[dict[Form, Callable[[np.ndarray], np.ndarray]]] = {
    Form.SHARE: mean,
    Form.MEAN: mean,
    Form.COUNT: lambda values: values.sum(axis=-1),
    Form.MEDIAN: partial(quantile, 0.5),
    Form.PERCENTILE: partial(quantile, 0.95),
}


def sums(form: Form, values: np.ndarray) -> np.ndarray:
    """Return the one figure that stands for each row of values."""
    return _SUMS[form](values)


def figures_of(results: Iterable[Judged]) -> list[Figure]:
    """Return every figure that has a case: over everything, over each kind, and over the six unanswerable kinds."""
    everything = list(results)
    groups: dict[str, list[Judged]] = {EVERYTHING: everything}
    for judged in everything:
        groups.setdefault(judged.kind, []).append(judged)
    if len(groups) == 2:
        # One kind alone: everything and the kind would be the same table twice.
        del groups[EVERYTHING]
    for judged in everything:
        if judged.kind == "unanswerable" and judged.subkind:
            groups.setdefault(f"unanswerable:{judged.subkind}", []).append(judged)
    return [figure for kind, members in groups.items() for figure in _group(kind, members)]


def _group(kind: str, members: Sequence[Judged]) -> list[Figure]:
    names = {"right_refusals"} if ":" in kind else {measure.name for measure in MEASURES}
    return [
        _figure(kind, measure, values)
        for measure in MEASURES
        if measure.name in names and len(values := values_of(measure, members))
    ]


def values_of(measure: Measure, members: Iterable[Judged]) -> np.ndarray:
    """Return the measure's values where it applies."""
    return np.array([value for value in map(measure.value, members) if value is not None], dtype=float)


def _figure(kind: str, measure: Measure, values: np.ndarray) -> Figure:
    value = float(sums(measure.form, values))
    low, high = _interval(measure.form, value, values)
    return Figure(kind, measure.name, measure.form, value, len(values), low, high)


def _interval(form: Form, value: float, values: np.ndarray) -> tuple[float | None, float | None]:
    if form is Form.COUNT:
        return None, None
    if form is Form.SHARE and set(values) <= {0.0, 1.0}:
        return wilson(value, len(values))
    return bootstrap(values, partial(sums, form))


def figure_record(figure: Figure) -> FigureRecord:
    """Return what is stored of a figure."""
    return FigureRecord(
        kind=figure.kind,
        name=figure.name,
        form=figure.form.value,
        value=round(figure.value, 6),
        n=figure.n,
        low=_kept(figure.low),
        high=_kept(figure.high),
    )


def figure_of(record: FigureRecord) -> Figure:
    """Return a stored figure."""
    return Figure(
        record["kind"],
        record["name"],
        Form(record["form"]),
        record["value"],
        record["n"],
        record["low"],
        record["high"],
    )


def _kept(bound: float | None) -> float | None:
    return None if bound is None or math.isnan(bound) else round(bound, 6)
