"""The measurement of the signals: halves that stay halves, figures that say what they should, labels that fit."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from apps.evaluation.aspect_labels import LabelledAspect, aligned, load_labels
from apps.evaluation.confidence_cases import ConfidenceCase
from apps.evaluation.confidence_training import fit_plausibly, literal, train_confidence
from apps.evaluation.halves import is_held_out
from apps.evaluation.suites.confidence import calibration_error, confidence_figures, requery_figures
from apps.rag.aspects import CoveredAspect, aspects_of
from apps.rag.calibration import ConfidenceFeatures

ROOT = Path(__file__).resolve().parents[2]


def features(strength: float) -> ConfidenceFeatures:
    return ConfidenceFeatures(strength, 0.8, strength / 4, strength / 4, 0.5, 1.0, 0.0, 0.0)


def case(
    *,
    right: bool,
    confidence: float = 0.5,
    strength: float = 0.0,
    before: float = 1.0,
    after: float = 1.0,
    outcome: str = "",
    question: str = "Frage?",
    cause: str = "",
) -> ConfidenceCase:
    return ConfidenceCase(question, True, right, confidence, features(strength), before, after, outcome, cause=cause)


def test_the_halves_are_halves_and_never_change() -> None:
    questions = [f"Frage {number}?" for number in range(1000)]
    assert 450 < sum(map(is_held_out, questions)) < 550
    assert [is_held_out("Wer darf wählen?"), is_held_out("Was ist die Maut?")] == [True, True]


def test_labels_are_enough_of_both_kinds_and_languages() -> None:
    labels = load_labels()
    aspects = [each for label in labels for each in label.aspects]
    reported = [each for label in labels if label.is_held_out for each in label.aspects]
    assert len(reported) >= 150
    assert sum(not each.is_covered for each in aspects) >= 60
    assert len({label.id for label in labels}) == len({label.question for label in labels}) == len(labels)
    languages = Counter(label.language for label in labels for _ in label.aspects)
    assert languages["en"] / languages.total() >= 0.18


def test_no_labelled_question_names_a_real_party() -> None:
    words = {word for label in load_labels() for word in label.question.replace("?", " ").split()}
    assert not words & {"SPD", "CDU", "CSU", "FDP", "AfD", "BSW", "Grüne", "Grünen", "Linke", "Volt"}
    text = (ROOT / "apps" / "evaluation" / "sets" / "aspects.json").read_text(encoding="utf-8")
    assert json.loads(text)["set"] == "aspects"


@pytest.mark.parametrize(
    ("confidence", "right", "error"),
    [
        ([0.1, 0.1, 0.9, 0.9], [False, False, True, True], 0.1),
        ([1.0, 0.0], [True, False], 0.0),
        ([1.0, 1.0], [False, False], 1.0),
        ([0.5, 0.5], [True, False], 0.0),
    ],
)
def test_the_calibration_error_is_the_mean_distance_in_the_bins(
    confidence: list[float], right: list[bool], error: float
) -> None:
    assert calibration_error(np.array(confidence), np.array(right)) == pytest.approx(error)


def test_confidence_that_tells_right_from_wrong_has_a_high_figure() -> None:
    told = confidence_figures([case(right=True, confidence=0.9), case(right=False, confidence=0.2)])
    blind = confidence_figures([case(right=True, confidence=0.2), case(right=False, confidence=0.9)])
    assert (told["auc"], blind["auc"]) == (1.0, 0.0)
    assert told["correlation"] > 0 > blind["correlation"]


def test_without_both_kinds_of_answers_nothing_is_claimed() -> None:
    assert confidence_figures([case(right=True)]) == {"answers": 1}
    assert confidence_figures([]) == {"answers": 0}


def test_only_second_searches_that_were_made_count_as_followed() -> None:
    made = case(right=True, before=0.5, after=1.0, outcome="searched")
    vain = case(right=False, before=0.0, after=0.0, outcome="nothing_new")
    broken = case(right=False, before=0.0, after=0.0, outcome="failed")
    skipped = case(right=False, before=0.5, after=0.5)
    enough = case(right=True)
    closed = case(right=True, outcome="searched", cause="gap")
    left = case(right=True, outcome="no_better", cause="gap")
    figures = requery_figures([made, vain, broken, skipped, enough, closed, left])
    assert (figures["gaps_searched"], figures["gaps_closed"]) == (2, 0.5)
    assert figures["requery_followed"] == 0.5
    assert figures["requery_found"] == 0.5
    assert figures["requery_needless"] == 0


def test_training_looks_at_the_other_half_only() -> None:
    seen = [f"Frage {number}?" for number in range(200) if not is_held_out(f"Frage {number}?")]
    held = [f"Frage {number}?" for number in range(200) if is_held_out(f"Frage {number}?")]
    told = [case(right=place % 3 > 0, strength=float(place % 3), question=text) for place, text in enumerate(seen)]
    upside_down = [
        case(right=place % 3 == 0, strength=float(place % 3), question=text) for place, text in enumerate(held)
    ]
    assert train_confidence([*told, *upside_down]) == train_confidence(told)
    assert train_confidence(told).probability(features(2.0)) > train_confidence(told).probability(features(0.0))


def test_a_model_is_printed_as_it_stands_in_the_code() -> None:
    told = [case(right=number % 2 > 0, strength=float(number % 2), question=f"Frage {number}?") for number in range(40)]
    model = train_confidence(told)
    assert literal(model, "x").startswith('    "x": ConfidenceModel(intercept=')


def labels(*texts: str) -> list[LabelledAspect]:
    return [LabelledAspect(text, is_covered=True) for text in texts]


def found(question: str, slugs: tuple[str, ...] = ("",)) -> list[CoveredAspect]:
    return [
        CoveredAspect(f"{slug}: {each.text}" if slug else each.text, each, slug, 0.5, is_covered=True)
        for slug in slugs
        for each in aspects_of(question, "de")
    ]


def test_labels_and_aspects_are_paired_in_their_order() -> None:
    pairs = aligned(labels("das Eine", "das Andere"), found("Rente und Maut?"), "de")
    assert [got.text if got else None for _, got in pairs] == ["Rente", "Maut"]


def test_where_the_numbers_differ_words_decide_and_nothing_is_made_up() -> None:
    pairs = aligned(labels("Maut", "Polizei", "Rente"), found("Rente und Maut?"), "de")
    assert [got.text if got else None for _, got in pairs] == ["Maut", None, "Rente"]


def test_parties_are_paired_by_name_whatever_their_order() -> None:
    pairs = aligned(labels("Talbund Rente", "Flutliste Rente"), found("Zur Rente?", ("Flutliste", "Talbund")), "de")
    assert [got.party_slug if got else None for _, got in pairs] == ["Talbund", "Flutliste"]


def test_better_evidence_is_never_trained_to_be_worse() -> None:
    random = np.random.default_rng(5)
    good = random.normal(size=2_000)
    echo = good + random.normal(scale=0.1, size=2_000)
    right = (random.random(2_000) < 1 / (1 + np.exp(-2 * good + 1.5 * (echo - good) * 4))).astype(float)
    _, first, second = fit_plausibly(np.column_stack([good, echo]), right, ["cosine", "first"])
    assert first > 0
    assert second == 0.0, "the echo only balances the first: by itself it would count for it"
    _, lacking = fit_plausibly(good[:, None], 1 - right, ["lacks_type"])
    assert lacking < 0
    assert fit_plausibly(good[:, None], right, ["lacks_type"])[1] == 0.0
