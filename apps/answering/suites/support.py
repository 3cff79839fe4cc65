"""Does the support score agree with people who rated how faithful answers are to their passages?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from apps.core.suites import SuiteContext, SuiteResult, suite
from apps.documents.embedding import vectors_cached
from apps.language.sentences import split_sentences
from apps.rag.protocols import Embedder, Vectors
from apps.rag.support import SupportParts, idf_of, nearest, support, support_parts
from apps.rag.verifying import Floors

_FOLDER: Final = "mtrag"
_FILE: Final = "mtrag-human/evaluations/reference_subset_with_human_evaluations.json"
# Raters gave 1 to 4; fixed, since the label moves the figures more than any method.
_FAITHFUL: Final = 3.0
_GERMAN: Final = Path(__file__).with_name("german_support.json")
_SUPPORTED: Final = ("supported", "english_supported")
_RESAMPLES: Final = 1_000
_SEED: Final = 11


@dataclass(frozen=True, slots=True)
class RatedAnswer:
    """An answer, the passages it was written from, and whether people found it faithful to them."""

    task: str
    text: str
    passages: tuple[str, ...]
    is_faithful: bool


@suite("support:mtrag")
def support_mtrag(context: SuiteContext) -> SuiteResult:
    """Support score against 450 answers rated by people, beside plain word overlap; and 60 German sentences."""
    answers, documents = read_answers(context.folder(_FOLDER) / _FILE)
    german = list(german_sentences("supported", "unsupported"))
    near = list(german_sentences("near_misses"))
    english = list(german_sentences("english_supported", "english_unsupported"))
    with vectors_cached() as embedder:
        context.say("sentences are embedded")
        parts = _measured(answers, documents, embedder)
        passages = {passage for each in german for passage in each.passages}
        german_parts, near_parts, english_parts = (
            _measured(each, passages, embedder, "de") for each in (german, near, english)
        )
    labels = [answer.is_faithful for answer in answers]
    scores = [support(each) for each in parts]
    words = [each.words for each in parts]
    floors = Floors()
    floor = floors.support
    german_right = _agreement(german, [support(each) >= floor for each in german_parts])
    english_right = _agreement(english, [(each.cosine or 0.0) >= floors.cosine for each in english_parts])
    gain = _gain_interval(answers, scores, words)
    figures = {
        "auc": auc(scores, labels),
        "auc_word_overlap": auc(words, labels),
        "gain": auc(scores, labels) - auc(words, labels),
        "gain_low": gain[0],
        "gain_high": gain[1],
        "faithful_kept": _share_above(scores, labels, floor, faithful=True),
        "unfaithful_kept": _share_above(scores, labels, floor, faithful=False),
        "german_agreement": german_right,
        "german_sentences": len(german),
        "german_near_misses_caught": sum(support(each) < floor for each in near_parts),
        "german_near_misses": len(near),
        "cross_language_agreement": english_right,
        "cross_language_sentences": len(english),
    }
    notes = [
        f"faithful: mean rating of at least {_FAITHFUL:g}; kept: at or above the floor {floor:g} of the gate.",
        "near misses contradict their passage in its own words: no score of words and closeness can see that.",
    ]
    return SuiteResult(n=len(answers), figures=figures, notes=notes, version={"model": embedder.name})


def read_answers(path: Path) -> tuple[list[RatedAnswer], set[str]]:
    """Return the rated answers that have passages, and all passages."""
    found = json.loads(path.read_text(encoding="utf-8"))
    texts = {each["document_id"]: each["text"] for each in found["documents"]}
    passages = {
        each["task_id"]: tuple(texts[one["document_id"]] for one in each["contexts"]) for each in found["tasks"]
    }
    answers = []
    for each in found["evaluations"]:
        if not passages[each["task_id"]]:
            continue
        ratings = [float(rating["value"]) for rating in each["annotations"]["faithfulness"].values()]
        is_faithful = float(np.mean(ratings)) >= _FAITHFUL
        answers.append(RatedAnswer(each["task_id"], each["model_response"], passages[each["task_id"]], is_faithful))
    return answers, set(texts.values())


def german_sentences(*kinds: str) -> Iterator[RatedAnswer]:
    """Yield sentences of our own with the German passage that they are said to come from."""
    for number, each in enumerate(json.loads(_GERMAN.read_text(encoding="utf-8"))):
        for kind in kinds:
            for text in each[kind]:
                yield RatedAnswer(str(number), text, (each["passage"],), kind in _SUPPORTED)


def auc(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """Return how often a positive case scores above a negative one; ties count half."""
    given, is_positive = np.asarray(scores), np.asarray(labels, dtype=bool)
    above = given[is_positive][:, None] - given[~is_positive][None, :]
    return float(np.mean((above > 0) + 0.5 * (above == 0)))


def _measured(
    answers: Sequence[RatedAnswer], documents: set[str], embedder: Embedder, language: str = "en"
) -> list[SupportParts]:
    idf = idf_of(documents, language)
    texts = {text for answer in answers for text in (answer.text, *answer.passages)}
    sentences = {text: _sentences(text, language) for text in texts}
    distinct = sorted({sentence for each in sentences.values() for sentence in each})
    rows = dict(zip(distinct, embedder.embed_passages(distinct), strict=True))
    return [
        support_parts(
            answer.text,
            language,
            answer.passages,
            idf,
            cosine=nearest(
                _stacked(sentences[answer.text], rows),
                _stacked([one for passage in answer.passages for one in sentences[passage]], rows),
            ),
        )
        for answer in answers
    ]


def _sentences(text: str, language: str) -> list[str]:
    return [text[span.start : span.end] for span in split_sentences(text, language)]


def _stacked(sentences: Sequence[str], rows: Mapping[str, Vectors]) -> Vectors:
    return np.stack([rows[sentence] for sentence in sentences])


def _agreement(sentences: Sequence[RatedAnswer], passed: Sequence[bool]) -> float:
    return float(np.mean([passes == each.is_faithful for each, passes in zip(sentences, passed, strict=True)]))


def _share_above(scores: Sequence[float], labels: Sequence[bool], floor: float, *, faithful: bool) -> float:
    return float(np.mean([score >= floor for score, label in zip(scores, labels, strict=True) if label is faithful]))


def _gain_interval(
    answers: Sequence[RatedAnswer], scores: Sequence[float], words: Sequence[float]
) -> tuple[float, float]:
    """Return the 95 % interval of the gain over words, resampled by task: answers to one task are alike."""
    chance = np.random.default_rng(_SEED)
    places: dict[str, list[int]] = {}
    for place, answer in enumerate(answers):
        places.setdefault(answer.task, []).append(place)
    tasks = list(places.values())
    gains = []
    for _ in range(_RESAMPLES):
        drawn = [place for task in chance.integers(len(tasks), size=len(tasks)) for place in tasks[task]]
        labels = [answers[place].is_faithful for place in drawn]
        gains.append(auc([scores[p] for p in drawn], labels) - auc([words[p] for p in drawn], labels))
    low, high = np.quantile(gains, (0.025, 0.975))
    return float(low), float(high)
