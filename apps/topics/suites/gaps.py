"""Are gaps found? Intents whose answers are held out of the corpus, and refusals that are no gaps."""

from __future__ import annotations

from typing import Final

import numpy as np

from apps.core.suites import SuiteContext, SuiteResult, suite
from apps.documents.embedding import get_embedder
from apps.topics.modelling import gap_score
from apps.topics.modelling.closeness import MOST_SAMPLED, closeness, crowding
from apps.topics.modelling.discovery import discover
from apps.topics.modelling.gap_score import Asked, Calibration, calibrated, is_weak
from apps.topics.modelling.types import Labels
from apps.topics.modelling.vectors import centred, mean_of
from apps.topics.suites.corpora import GoldCorpus, gold_corpus, half

_HELD_OUT: Final = 30
_PASSAGES_OF_AN_INTENT: Final = 20


@suite("gaps")
def gaps(context: SuiteContext) -> SuiteResult:
    """CLINC150: the corpus answers 120 intents, readers ask about 150; and 20 topics of refused voting advice."""
    sources, asked = gold_corpus("clinc150-train", context), gold_corpus("clinc150", context)
    labels = discover(asked.corpus).labels
    tuned, reported = (_measured(sources, asked, labels, side) for side in (0, 1))
    context.say(f"With the other held-out intents: {tuned}")
    return SuiteResult(n=int(labels.max()) + 1, figures={**reported, "neutrality_opened": _neutrality_opened()})


def _measured(sources: GoldCorpus, asked: GoldCorpus, labels: Labels, side: int) -> dict[str, float | int]:
    """Return AUC, precision and recall per topic: a gap is one whose questions are mostly of held-out intents."""
    from sklearn.metrics import roc_auc_score

    order = sorted(range(asked.count), key=lambda number: (half(f"{asked.names[number]} gap") != side, number))
    missing = set(order[:_HELD_OUT])
    strength = _strength(sources, asked, missing)
    scale = _scale(asked, strength, missing)
    truth, scores, opened = [], [], []
    for number in range(int(labels.max()) + 1):
        rows = np.flatnonzero(labels == number)
        questions = [Asked(asked.corpus.keys[row], closeness=float(strength[row])) for row in rows]
        score = gap_score.gap_score(questions, scale, busy=len(rows), baseline=len(rows))
        truth.append(float(np.mean(np.isin(asked.gold[rows], list(missing)))) > 0.5)
        scores.append(score.weak)
        opened.append(is_weak(score))
    right = sum(is_open and is_gap for is_open, is_gap in zip(opened, truth, strict=True))
    return {
        "auc": round(float(roc_auc_score(truth, scores)), 4),
        "precision": round(right / max(1, sum(opened)), 4),
        "recall": round(right / max(1, sum(truth)), 4),
    }


def _strength(sources: GoldCorpus, asked: GoldCorpus, missing: set[int]) -> np.ndarray:
    """Return how close the passages that are there come to each question."""
    rows = [
        row
        for intent in range(sources.count)
        if intent not in missing
        for row in np.flatnonzero(sources.gold == intent)[:_PASSAGES_OF_AN_INTENT]
    ]
    # As the product compares: what the embedder made, without the second model's part.
    part = slice(get_embedder().dimensions)
    raw = sources.raw[rows, part]
    passages = centred(raw, mean_of(raw))
    places = np.unique(np.linspace(0, len(passages) - 1, min(MOST_SAMPLED, len(passages))).round().astype(np.int64))
    crowded = crowding(passages, passages[places])
    questions = centred(asked.raw[:, part], mean_of(asked.raw[:, part]))
    return np.array([closeness(question, passages, crowded) for question in questions])


def _scale(asked: GoldCorpus, strength: np.ndarray, missing: set[int]) -> Calibration:
    """Fit on answered traffic, as the product does: questions of the intents that are there."""
    answered = [float(value) for value, intent in zip(strength, asked.gold, strict=True) if intent not in missing]
    found = calibrated(answered)
    assert found is not None
    return found


def _neutrality_opened() -> int:
    """Return how many topics of nothing but refused voting advice open a gap."""
    topics = [[Asked(f"{topic} {n}", is_refused=True, is_left_out=True) for n in range(40)] for topic in range(20)]
    scores = [gap_score.gap_score(topic, None, busy=40, baseline=5) for topic in topics]
    return sum(gap_score.opens(score, was_weak_before=True) for score in scores)
