"""Answers with their confidence and whether they are right: XQuAD with and without its paragraphs, and the demo."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

from django.utils import timezone

from apps.answering.gold_out import with_and_without
from apps.answering.suites.corpora import AskedParagraph
from apps.evaluation.halves import is_held_out
from apps.evaluation.one_thread import Answered, answer_here
from apps.evaluation.question_files import filed_set
from apps.evaluation.types import QuestionKind
from apps.rag.calibration import ConfidenceFeatures, weakest
from apps.rag.events import Done, Retrieved, Sentence
from apps.rag.extracting import choose
from apps.rag.settings import PipelineSettings
from apps.rag.types import AnswerContext, Outcome, Question, Signals

_SHOWN: Final = 3

# What an answer shows: text, and the address of its document.
Shown = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ConfidenceCase:
    """One answer. ``is_right`` of a refusal says whether what would have been quoted had been right.

    ``confidence`` is what readers' turns would store. ``before`` is the coverage ratio of the first search and
    ``outcome`` what became of the second, empty where there was none, ``cause`` why it was wanted. ``features`` is
    None without evidence.
    """

    question: str
    is_given: bool
    is_right: bool
    confidence: float
    features: ConfidenceFeatures | None
    before: float
    after: float
    outcome: str
    is_later: bool = False
    cause: str = ""

    @property
    def is_held_out(self) -> bool:
        """True for half of the questions, by a hash of their words, and for all that came later."""
        return self.is_later or is_held_out(self.question)


def xquad_cases(asked: Sequence[AskedParagraph], say: Callable[[str], None]) -> list[ConfidenceCase]:
    """Return each question twice: with the paragraph that answers it, and without, where no answer is right."""

    def measured(entry: AskedParagraph) -> Answered:
        return answer_here(Question(entry.question), AnswerContext(now=timezone.localtime()))

    cases = []
    for entry, (kept, lost) in zip(asked, with_and_without(asked, measured, say), strict=True):
        cases.append(_case(entry.question, kept, partial(_says, words=entry.answer)))
        cases.append(_case(entry.question, lost, partial(_holds, places=())))
    return [case for case in cases if case]


def demo_cases(addresses: Mapping[str, str], now: datetime) -> list[ConfidenceCase]:
    """Return the demo's answerable questions, right where their place is quoted, and its unanswerable ones.

    ``addresses`` are those of the demo's documents by their names in its list.
    """
    cases = []
    for kind in (QuestionKind.ANSWERABLE, QuestionKind.UNANSWERABLE):
        for question in filed_set(kind).questions:
            places = [(addresses[each.document], each.snippet) for each in question.references]
            wanted = places if kind is QuestionKind.ANSWERABLE else []
            context = AnswerContext(now=now, locale=question.language)
            answered = answer_here(Question(question.question, question.language), context)
            case = _case(question.question, answered, partial(_holds, places=wanted))
            cases.append(case and replace(case, is_later=question.is_later))
    return [case for case in cases if case]


def _says(shown: Sequence[Shown], words: str) -> bool:
    return any(words in text for text, _ in shown)


def _holds(shown: Sequence[Shown], places: Sequence[tuple[str, str]]) -> bool:
    return any(
        address == source and (words in text or text in words) for text, source in shown for address, words in places
    )


def signals_in(answered: Answered) -> Signals | None:
    """Return the signals of an answer, None where nothing was searched."""
    return next((event.signals for event in answered.events if isinstance(event, Retrieved)), None)


def _case(question: str, answered: Answered, is_right: Callable[[Sequence[Shown]], bool]) -> ConfidenceCase | None:
    """Return one case, None where the question was not searched at all."""
    signals, parts = signals_in(answered), answered.parts
    if signals is None or parts is None:
        return None
    last = answered.events[-1]
    is_given = isinstance(last, Done) and last.outcome is Outcome.ANSWERED
    requery = signals.retrieval_metadata.get("requeried")
    after = float(str(signals.coverage_signals["coverage_ratio"]))
    shown = list(_given(answered)) if is_given else list(_would_be(answered))
    return ConfidenceCase(
        question=question,
        is_given=is_given,
        is_right=is_right(shown[:_SHOWN]),
        confidence=signals.confidence_score,
        features=weakest(parts),
        before=float(requery["before"]) if isinstance(requery, dict) else after,
        after=after,
        outcome=str(requery["outcome"]) if isinstance(requery, dict) else "",
        cause=str(requery["cause"]) if isinstance(requery, dict) else "",
    )


def _given(answered: Answered) -> Iterator[Shown]:
    for event in answered.events:
        if isinstance(event, Sentence):
            yield event.text, event.citations[0].source.address


def _would_be(answered: Answered) -> Iterator[Shown]:
    """What would be quoted of the likeliest evidence if it were not refused."""
    readings = answered.parts.readings if answered.parts else ()
    if readings:
        best = max(readings, key=lambda reading: reading.verdict.probability)
        for sentence in choose(best.evidence, _SHOWN, PipelineSettings()):
            yield sentence.text, sentence.passage.source.address
