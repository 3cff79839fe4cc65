"""Confidence: a probability that rises with the evidence, rests on the weakest part, and never leaves 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

import pytest

from apps.rag.calibration import MODELS, UNMEASURED, ConfidenceFeatures, ConfidenceModel, confidence_of, weakest
from apps.rag.parts import Parts
from apps.rag.pipeline import AnswerPipeline
from apps.rag.scripted import ScriptedRetriever
from apps.rag.tracing import Judged, Noted
from apps.rag.types import Passage, Question
from tests.rag.builders import BUND, CONTEXT, DIRECTORY, MORGEN, SETTINGS, passage, source

WAGE = "Wir erhöhen den Mindestlohn auf 15 Euro. Er gilt für alle Beschäftigten."
POOR = ConfidenceFeatures(
    sufficiency=-3.0, cosine=0.7, coverage=0.1, first=0.1, agreement=0.0, ratio=0.0, lacks_type=1.0, foreign=0.0
)
RICH = ConfidenceFeatures(
    sufficiency=4.0, cosine=0.9, coverage=1.0, first=1.0, agreement=1.0, ratio=1.0, lacks_type=0.0, foreign=0.0
)


class Kept:
    def __init__(self) -> None:
        self.parts: list[Parts] = []

    def note(self, noted: Noted) -> None:
        if isinstance(noted, Judged):
            self.parts.append(noted.parts)


async def judged(passages: Sequence[Passage], text: str) -> Parts:
    kept = Kept()
    answering = AnswerPipeline(ScriptedRetriever(passages), DIRECTORY, SETTINGS)
    async for _ in answering.stream(Question(text), (), CONTEXT, kept):
        pass
    [parts] = kept.parts
    return parts


@pytest.mark.parametrize("model", [UNMEASURED, *MODELS.values()])
def test_better_evidence_is_more_likely_right(model: ConfidenceModel) -> None:
    assert 0.0 <= model.probability(POOR) < 0.5 < model.probability(RICH) <= 1.0


@pytest.mark.parametrize("value", [1e9, -1e9])
def test_no_number_is_too_large(value: float) -> None:
    extreme = replace(RICH, sufficiency=value)
    assert 0.0 <= UNMEASURED.probability(extreme) <= 1.0


def test_every_feature_has_a_weight() -> None:
    assert {each.name for each in fields(ConfidenceFeatures)} | {"intercept"} == {
        each.name for each in fields(ConfidenceModel)
    }


async def test_without_a_passage_nothing_is_certain() -> None:
    parts = await judged([], "Wie hoch soll der Mindestlohn sein?")
    assert confidence_of(parts, "fake/hash") == 0.0
    assert weakest(parts) is None


async def test_a_comparison_is_as_good_as_its_weakest_answer() -> None:
    strong = passage(WAGE, source(MORGEN), closeness=[0.9, 0.8])
    weak = passage("Zum Lohn sagen wir: gerecht soll er sein.", source(BUND), closeness=[0.3])
    alone = confidence_of(await judged([strong], "Wie hoch soll der Mindestlohn der Morgenpartei sein?"), "fake/hash")
    both = await judged([strong, weak], "Wie hoch soll der Mindestlohn bei Morgenpartei und Talbund sein?")
    assert confidence_of(both, "fake/hash") <= alone


async def test_an_unknown_embedder_is_judged_by_words() -> None:
    parts = await judged([passage(WAGE, source(MORGEN))], "Wie hoch soll der Mindestlohn der Morgenpartei sein?")
    assert confidence_of(parts, "no/such") == confidence_of(parts, "fake/hash")
