"""What the second stage measures on the evidence for one question; sufficiency.py judges by it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from apps.rag.answer_types import AnswerType, counted_noun
from apps.rag.premises import Claims, Premise, best_windows, check_claims
from apps.rag.reading import Evidence, relevance
from apps.rag.types import Passage
from apps.rag.windows import Window, around, windows_of
from apps.rag.words import stems_of

# Passages that share this much of their words are twins: an article told twice, programme and summary.
_TWIN: Final = 0.5
# Where nothing else was found, the best passage stands alone: about as far ahead as good answers do.
ALONE: Final = 0.05
# From here on two words mean the same; what is counted stands so many characters behind its number.
_SAME: Final = 0.5
_REACH: Final = 40
_NUMBER: Final = re.compile(
    r"\d[\d.,]*|\b(?:ein(?:en|e[mnrs]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|keine?|one|two|three|four"
    r"|five|six|seven|eight|nine|ten|no)\b",
    re.IGNORECASE,
)
# A word that weighs so little beside the weightiest is the frame of a question: "Wahl", where all sources are on the
# election. That one of them has it says nothing.
_FRAME_BELOW: Final = 0.3
# Words that weigh nearly as much as the weightiest.
_AS_WEIGHTY: Final = 0.9
# Cosines differ by less than shares do.
_CLOSENESS: Final = 3.0


@dataclass(frozen=True, slots=True)
class Features:
    """What the model sees.

    ``top`` is the fused score of the best passage, ``cosine`` the best sentence's, ``passage`` the best passage's,
    ``local`` how far that of the first passage lies above the median of the nearest 20 sentences found. ``margin`` is
    how far the first passage stands before the next in rank that is no twin of it. ``coverage`` is the best window's
    share of the question, headings included; ``actions`` is how well it answers to the words that say what is done,
    ``subject`` how much it has of those that say what is asked about, ``pairs`` the share of the question's
    neighbouring words that stand together in a sentence.

    ``lacks_type`` says that no window on the subject has the kind of answer asked for, ``lacks_counted`` that none has
    a number of what is to be counted, ``lacks_subject`` that the best one has no word of what is asked about but such
    as are everywhere, ``lacks_main`` that it has not the weightiest of those words, ``lacks_figure`` and ``lacks_name``
    that one of the question's stands in none.
    """

    top: float
    cosine: float
    local: float
    margin: float
    coverage: float
    actions: float
    pairs: float
    passage: float
    subject: float
    lacks_type: bool
    lacks_counted: bool
    lacks_subject: bool
    lacks_main: bool
    lacks_figure: bool
    lacks_name: bool


@dataclass(frozen=True, slots=True)
class Measured:
    """Features with what they were taken from."""

    features: Features
    windows: tuple[Window, ...]
    claims: Claims


def measure(evidence: Evidence, *, is_about_parties: bool = False) -> Measured:
    """Measure what was read; there must be at least one sentence."""
    windows = windows_of(evidence, is_about_parties=is_about_parties) or windows_of(evidence, is_about_parties=False)
    sentences = [sentence for window in windows for sentence in window.sentences]
    claims = check_claims(evidence, windows)
    first = [window for window in windows if window.rank == 0]
    cosine = max(each.cosine for each in sentences)
    nearest_first = max((each.cosine for window in first for each in window.sentences), default=cosine)
    best = max(windows, key=lambda window: window.share + _CLOSENESS * max(s.cosine for s in window.sentences))
    features = Features(
        top=max(relevance(passage) for passage in evidence.passages),
        cosine=cosine,
        local=nearest_first - median(evidence.background) if evidence.background else 0.0,
        margin=_margin(evidence),
        coverage=max(_coverage(window, evidence, claims) for window in windows),
        actions=_actions(best, evidence),
        pairs=pairs_kept(evidence.question, [sentence.text for sentence in sentences], evidence.language),
        passage=max(passage.scores.cosine or 0.0 for passage in evidence.passages),
        subject=_subject(best, evidence),
        lacks_type=_lacks_type(evidence, windows),
        lacks_counted=_lacks_counted(evidence, windows),
        lacks_subject=_lacks_subject(best, evidence),
        lacks_main=_lacks_main(best, evidence),
        lacks_figure=bool(claims.figures) and claims.premise is not Premise.VALUE,
        lacks_name=bool(claims.names),
    )
    return Measured(features, tuple(windows), claims)


def _coverage(window: Window, evidence: Evidence, claims: Claims) -> float:
    """A window's share of the question. A figure that it corrects is not missing from it."""
    if claims.premise is not Premise.VALUE:
        return window.share
    numbers = evidence.coverage.numbers
    matches = (1.0 if is_number else match for match, is_number in zip(window.matches, numbers, strict=True))
    return evidence.coverage.share(tuple(matches))


def _margin(evidence: Evidence) -> float:
    first, *others = [*evidence.passages, *evidence.others]
    words = _words(first)
    rivals = [_rank(passage) for passage in others if not _is_twin(words, _words(passage))]
    return _rank(first) - max(rivals) if rivals else ALONE


def _rank(passage: Passage) -> float:
    return passage.scores.reranked - passage.scores.recency - passage.scores.party_bonus


def _words(passage: Passage) -> frozenset[str]:
    return frozenset(passage.text.split())


def _is_twin(words: frozenset[str], others: frozenset[str]) -> bool:
    return len(words & others) >= _TWIN * max(1, min(len(words), len(others)))


def _actions(window: Window, evidence: Evidence) -> float:
    """The mean match of the words that weigh little; a half where the question has none."""
    light = evidence.coverage.light
    matches = [match for match, is_light in zip(window.matches, light, strict=True) if is_light]
    return sum(matches) / len(matches) if matches else 0.5


def _subject(window: Window, evidence: Evidence) -> float:
    """The weighted share of the words that weigh full; a half where the question has none."""
    heavy = _heavy(window, evidence)
    total = sum(weight for weight, _ in heavy)
    return sum(weight * match for weight, match in heavy) / total if total else 0.5


def _lacks_subject(window: Window, evidence: Evidence) -> bool:
    heavy = _heavy(window, evidence)
    least = _FRAME_BELOW * max(evidence.coverage.weights, default=0.0)
    return bool(heavy) and max((match for weight, match in heavy if weight >= least), default=0.0) < _SAME


def _lacks_main(window: Window, evidence: Evidence) -> bool:
    heavy = _heavy(window, evidence)
    top = max((weight for weight, _ in heavy), default=0.0)
    return bool(heavy) and max(match for weight, match in heavy if weight >= _AS_WEIGHTY * top) < _SAME


def _heavy(window: Window, evidence: Evidence) -> list[tuple[float, float]]:
    """Weight and match of the words that weigh full."""
    coverage = evidence.coverage
    words = zip(coverage.weights, window.matches, coverage.light, strict=True)
    return [(weight, match) for weight, match, is_light in words if not is_light]


def pairs_kept(question: str, sentences: Sequence[str], language: str) -> float:
    """Return the largest share of a question's neighbouring words that one sentence keeps together, 0 to 1."""
    asked = _pairs(question, language)
    return max((len(asked & _pairs(text, language)) for text in sentences), default=0) / max(1, len(asked))


def _pairs(text: str, language: str) -> set[tuple[str, str]]:
    return set(pairwise(stems_of(text, language)))


def _lacks_type(evidence: Evidence, windows: Sequence[Window]) -> bool:
    if evidence.asked is AnswerType.ANY:
        return False
    return not any(each.has_type for window in best_windows(windows) for each in window.sentences)


def _lacks_counted(evidence: Evidence, windows: Sequence[Window]) -> bool:
    """Say whether something is to be counted and no window on the subject has a number of it.

    A table says above its rows what its numbers are of.
    """
    noun = counted_noun(evidence.question)
    if not noun:
        return False
    counted = evidence.coverage.of([noun])
    for window in best_windows(windows):
        passage = evidence.passages[window.rank]
        texts = [around(passage), *(text for each in window.sentences for text in _behind_numbers(each.text))]
        if any(max(counted.matches(text, passage.source.language), default=1.0) >= _SAME for text in texts):
            return False
    return True


def _behind_numbers(text: str) -> list[str]:
    return [text[match.end() : match.end() + _REACH] for match in _NUMBER.finditer(text)]
