"""Trains what the signals rest on: the confidence of an answer, and whether an aspect is covered.

Called by the command train_confidence; the numbers it prints stand in rag/calibration.py and rag/covering.py. Only
questions that are not held out are looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Final

import numpy as np

from apps.answering.parties import party_directory
from apps.answering.training import Numbers, fit
from apps.evaluation.aspect_labels import LabelledQuestion, aligned
from apps.evaluation.confidence_cases import ConfidenceCase
from apps.evaluation.one_thread import Answered
from apps.rag.aspects import CoveredAspect
from apps.rag.calibration import ConfidenceFeatures, ConfidenceModel
from apps.rag.covering import AspectFeatures, AspectModel, measure_aspect
from apps.rag.parts import Part
from apps.rag.settings import PipelineSettings

_DIGITS: Final = 2


# Of these, more is worse; where a source speaks another language, either may hold.
_WORSE: Final = frozenset({"lacks_type"})
_EITHER: Final = frozenset({"foreign"})


def fit_plausibly(rows: Numbers, labels: Numbers, names: Sequence[str]) -> list[float]:
    """Return intercept and weights by which better evidence is never less likely to be right.

    A weight of the wrong sign only balances a feature that says nearly the same: it is left out, the worst one first.
    """
    kept = list(range(len(names)))
    while True:
        intercept, *weights = map(float, fit(rows[:, kept], labels))
        found = dict(zip(kept, weights, strict=True))
        wrong = [place for place, weight in found.items() if _is_wrong(names[place], weight)]
        if not wrong:
            return [round(intercept, _DIGITS), *(round(found.get(place, 0.0), _DIGITS) for place in range(len(names)))]
        spread = rows.std(axis=0)
        kept.remove(max(wrong, key=lambda place: abs(found[place]) * spread[place]))


def _is_wrong(name: str, weight: float) -> bool:
    return name not in _EITHER and (weight > 0 if name in _WORSE else weight < 0)


def train_confidence(cases: Sequence[ConfidenceCase]) -> ConfidenceModel:
    """Return the model fitted on the cases that are not held out, rounded as it is shipped."""
    used = [case for case in cases if case.features and not case.is_held_out]
    names = [each.name for each in fields(ConfidenceFeatures)]
    rows = np.array([[getattr(case.features, name) for name in names] for case in used], dtype=np.float64)
    right = np.array([float(case.is_right) for case in used])
    weights = fit_plausibly(rows, right, names)
    return ConfidenceModel(weights[0], **dict(zip(names, weights[1:], strict=True)))


def train_aspects(
    labelled: Sequence[tuple[LabelledQuestion, Answered]], settings: PipelineSettings
) -> tuple[AspectModel, int]:
    """Return the model fitted on the aspects of questions that are not held out, rounded, and how many there were."""
    rows, covered = [], []
    for label, answered in labelled:
        if label.is_held_out or answered.parts is None:
            continue
        places = {each: part for part in answered.parts.parts for each in part.covered}
        for wanted, found in aligned(label.aspects, answered.parts.covered, label.language):
            features = _features(found, places, settings)
            if features is not None:
                rows.append([getattr(features, each.name) for each in fields(AspectFeatures)])
                covered.append(float(wanted.is_covered))
    weights = fit_plausibly(np.array(rows), np.array(covered), [each.name for each in fields(AspectFeatures)])
    return AspectModel(*weights), len(rows)


def _features(
    found: CoveredAspect | None, places: dict[CoveredAspect, Part], settings: PipelineSettings
) -> AspectFeatures | None:
    if found is None:
        return None
    return measure_aspect(places[found], found, party_directory(), settings)


def literal(model: ConfidenceModel | AspectModel, embedder: str) -> str:
    """Return a model as it stands in the code."""
    numbers = ", ".join(f"{name}={value}" for name, value in asdict(model).items())
    return f'    "{embedder}": {type(model).__name__}({numbers}),'
