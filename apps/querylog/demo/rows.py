"""Rows of the demo's log: a question as one reader wrote it, the pipeline's answer, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils import timezone

from apps.answering.door import ReadQuestion, question_read
from apps.querylog.demo.planning import PlannedTurn
from apps.querylog.demo.replying import ANSWERED_FIELDS
from apps.querylog.feedback import may_be_rated, sentences_of
from apps.querylog.marking import Marks, kind_after, marks_of
from apps.querylog.models import AnswerFeedback, Conversation, Handover, SentenceReport, Turn
from apps.rag.types import Outcome

# Shares of all turns, cut from one draw between 0 and 1 for each.
_LEFT: Final = 0.012
_BROKE: Final = 0.015
_RATED: Final = (0.10, 0.21)
_REPORTED: Final = (0.30, 0.303)
_HANDED: Final = (0.40, 0.55)
_COMMENTS: Final = (
    "Genau das wollte ich wissen.",
    "Da fehlt, was für Paare gilt.",
    "Bitte noch die Frist dazu schreiben.",
    "Gut, dass die Stelle im Programm dabei ist.",
    "Ich hatte etwas anderes gefragt.",
    "Die Zahl ist doch vom letzten Jahr?",
)


@dataclass(frozen=True, slots=True)
class Written:
    """A question as a reader wrote it, through the door: masked and marked."""

    read: ReadQuestion
    marks: Marks


def written(text: str) -> Written:
    """Take a text through the door that readers' words come through."""
    read = question_read(text, language="de")
    return Written(read, marks_of(read.question.text, read.question.language))


def turn_of(planned: PlannedTurn, words: Written, reply: Turn, *, conversation: Conversation, number: int) -> Turn:
    """Return a planned question with its answer; a few readers left before it was there, and a few answers broke."""
    read, marks = words.read, words.marks
    turn = Turn(
        uuid=planned.uuid,
        conversation=conversation,
        number=number,
        question=read.question.text,
        language=read.question.language,
        masked_kinds=dict(read.masked_kinds),
        parties=list(marks.parties),
        people=list(marks.people),
        **{name: getattr(reply, name) for name in ANSWERED_FIELDS},
    )
    turn.kind = kind_after(marks.kind, Outcome(reply.outcome), reply.ended_with)
    turn.timings = {name: round(value * (0.8 + 0.6 * planned.luck), 1) for name, value in reply.timings.items()}
    if planned.luck < _BROKE:
        _break_off(turn, Outcome.INTERRUPTED if planned.luck < _LEFT else Outcome.FAILED)
    turn.finished_at = timezone.now()
    if _is_within(planned.luck, _HANDED) and turn.may_be_handed_over:
        turn.handed_over_at = turn.finished_at
    return turn


def _break_off(turn: Turn, outcome: Outcome) -> None:
    turn.outcome, turn.ended_with = outcome.value, ""
    turn.state = Turn.State.INTERRUPTED if outcome is Outcome.INTERRUPTED else Turn.State.FAILED
    turn.shown = turn.shown[:1] if outcome is Outcome.INTERRUPTED else []


def _is_within(luck: float, band: tuple[float, float]) -> bool:
    return band[0] <= luck < band[1]


def _place_in(luck: float, band: tuple[float, float]) -> float:
    return (luck - band[0]) / (band[1] - band[0])


def feedback_of(turn: Turn, luck: float) -> AnswerFeedback | None:
    """Return what the reader said about the answer, if anything: answers please more often than refusals."""
    if not _is_within(luck, _RATED) or not may_be_rated(turn):
        return None
    place = _place_in(luck, _RATED)
    is_useful = place < (0.78 if turn.outcome == Outcome.ANSWERED else 0.25)
    verdict = AnswerFeedback.Verdict.USEFUL if is_useful else AnswerFeedback.Verdict.NOT_USEFUL
    return AnswerFeedback(
        turn=turn, verdict=verdict, reasons=[] if is_useful else [_reason(turn, place)], comment=_comment(place)
    )


def _reason(turn: Turn, place: float) -> str:
    reasons = AnswerFeedback.Reason
    if turn.outcome == Outcome.REFUSED:
        return reasons.NOT_ANSWERED
    return (reasons.NOT_ANSWERED, reasons.WRONG, reasons.WRONG_SOURCE, reasons.ONE_SIDED)[int(place * 400) % 4]


def _comment(place: float) -> str:
    number = int(place * 1000)
    return _COMMENTS[number % len(_COMMENTS)] if number % 9 == 0 else ""


def report_of(turn: Turn, luck: float) -> SentenceReport | None:
    """Return a report on the first sentence, from a few readers."""
    sentences = sentences_of(turn)
    if not _is_within(luck, _REPORTED) or not sentences:
        return None
    return SentenceReport(turn=turn, place=0, sentence=sentences[0]["text"])


def handover_of(turn: Turn, luck: float) -> Handover | None:
    """Return the hand-over of a turn whose reader wanted the desk to see it: some are closed, most are open."""
    if turn.handed_over_at is None:
        return None
    place = _place_in(luck, _HANDED)
    state = (
        Handover.State.ANSWERED if place < 0.15 else Handover.State.DISMISSED if place < 0.22 else Handover.State.OPEN
    )
    return Handover(turn=turn, state=state)
