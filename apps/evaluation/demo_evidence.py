"""What the second stage measures on the demo's questions that may be looked at, for its training."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from apps.answering.training import Labelled
from apps.evaluation.filed_questions import Expected, FiledQuestion
from apps.evaluation.one_thread import Answered, answer_here
from apps.evaluation.question_files import filed_set
from apps.evaluation.types import QuestionKind, UnanswerableKind
from apps.rag.features import measure
from apps.rag.sufficiency import is_foreign
from apps.rag.types import AnswerContext, Question

_KINDS: Final = (QuestionKind.ANSWERABLE, QuestionKind.UNANSWERABLE, QuestionKind.PROCEDURE, QuestionKind.OPINION)
# Sources speak of these, or of what corrects them.
_SPOKEN_OF: Final = frozenset({Expected.ANSWER, Expected.QUOTE, Expected.CORRECT})


def demo_evidence(now: datetime, count: float) -> list[Labelled]:
    """Return the evidence for each question, which counts ``count`` times. Comparisons are left out.

    So is what is asked back, and what only sources in another language speak of: both have rules of their own.
    """
    return [
        labelled
        for kind in _KINDS
        for question in filed_set(kind).questions
        if not question.is_held_out and question.kind != UnanswerableKind.UNDERSPECIFIED
        for labelled in _labelled(question, answer_here(*_asked(question, now)), count)
    ]


def _asked(question: FiledQuestion, now: datetime) -> tuple[Question, AnswerContext]:
    return Question(question.question, question.language), AnswerContext(now=now, locale=question.language)


def _labelled(question: FiledQuestion, answered: Answered, count: float) -> Iterator[Labelled]:
    readings = answered.parts.readings if answered.parts else ()
    if len(readings) != 1 or not readings[0].evidence.sentences or is_foreign(readings[0].evidence):
        return
    measured = measure(readings[0].evidence, is_about_parties=readings[0].found.sub.party is not None)
    yield Labelled(measured.features, question.expected in _SPOKEN_OF, count)
