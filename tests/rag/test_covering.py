"""Which aspects the passages speak of: by their own words, in one place, for the party that was asked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from apps.rag.aspects import CoveredAspect, coverage_ratio
from apps.rag.covering import MODELS, UNMEASURED, AspectFeatures, AspectModel, measure_aspect
from apps.rag.types import Passage
from tests.rag.builders import DIRECTORY, MORGEN, SETTINGS, passage, source
from tests.rag.test_calibration import judged


async def covered(texts: Sequence[str], question: str) -> dict[str, bool]:
    parts = await judged([own(text) for text in texts], question)
    return {each.text: each.is_covered for each in parts.covered}


def own(text: str) -> Passage:
    return passage(text, source(MORGEN))


@pytest.mark.parametrize("model", [UNMEASURED, *MODELS.values()])
def test_more_of_anything_makes_it_likelier(model: AspectModel) -> None:
    poor, rich = AspectFeatures(0.75, 0.0, 0.1, 0.7), AspectFeatures(0.95, 1.0, 1.0, 1.0)
    assert 0.0 <= model.probability(poor) < model.covered_from <= model.probability(rich) <= 1.0


async def test_each_aspect_is_judged_by_its_own_words() -> None:
    found = await covered(["Wir sichern die Rente bei 50 Prozent."], "Was will die Morgenpartei bei Rente und Maut?")
    assert found == {"Rente": True, "Maut": False}


async def test_a_date_is_covered_only_where_one_stands() -> None:
    question = "Wer bekommt von der Morgenpartei das Klimageld und ab wann?"
    dated = await covered(["Das Klimageld bekommen alle Menschen ab dem 1. Juli 2028."], question)
    undated = await covered(["Das Klimageld bekommen alle Menschen im Land."], question)
    [(when, is_dated)] = [item for item in dated.items() if "wann" in item[0]]
    assert is_dated
    assert undated[when] is False


async def test_what_cannot_be_quoted_covers_nothing() -> None:
    found = await covered(["Maut?", "Wir sichern die Rente bei 50 Prozent."], "Was ist mit Rente und Maut?")
    assert found["Maut"] is False


async def test_a_question_of_one_aspect_is_covered_where_it_is_answered() -> None:
    question = "Wie hoch soll der Mindestlohn der Morgenpartei sein?"
    assert await covered(["Wir erhöhen den Mindestlohn auf 15 Euro."], question) == {question.rstrip("?"): True}
    assert list((await covered(["Der Himmel ist blau und weit."], question)).values()) == [False]


async def test_an_aspect_can_be_measured_for_its_training() -> None:
    parts = await judged(
        [own("Wir sichern die Rente bei 50 Prozent.")], "Was will die Morgenpartei bei Rente und Maut?"
    )
    rente, maut = (measure_aspect(parts.parts[0], each, DIRECTORY, SETTINGS) for each in parts.covered)
    assert rente is not None
    assert maut is not None
    assert rente.own == 1.0
    assert maut.own == 0.0


@pytest.mark.parametrize(("states", "ratio"), [([], 1.0), ([True], 1.0), ([True, False], 0.5), ([False], 0.0)])
async def test_the_ratio_is_the_share_of_covered_aspects(states: list[bool], ratio: float) -> None:
    [one] = (await judged([own("Nichts.")], "Was ist die Maut?")).covered
    aspects = [CoveredAspect("", one.aspect, "", 0.5, state) for state in states]
    assert coverage_ratio(aspects) == ratio
