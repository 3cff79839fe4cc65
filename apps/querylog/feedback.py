"""Takes what readers say about answers, sentences and sources; masks their words before the first write."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from apps.answering.door import mask_words
from apps.core.cleaning import clean_line
from apps.documents.models import DocumentVersion
from apps.querylog.feedback_models import MOST_CHARACTERS, AnswerFeedback, LookedAt, SentenceReport, SourceReport
from apps.querylog.models import Turn
from apps.rag.types import Outcome

Said = TypeVar("Said", bound=LookedAt)
_RATED = frozenset({Outcome.ANSWERED, Outcome.REFUSED})


class NoFeedbackError(Exception):
    """Nothing can be said about this: it is not over, there is no such sentence, or nothing was said."""


def may_be_rated(turn: Turn) -> bool:
    """Say whether a turn is an answer that can be useful or not; small talk and questions back are none."""
    return turn.state == Turn.State.DONE and turn.outcome in _RATED


def comment_read(words: str) -> str:
    """Return a reader's words as they may be stored: cleaned, cut and masked."""
    cleaned = clean_line(words, limit=MOST_CHARACTERS)
    # Masking may lengthen what it blacks out.
    return mask_words(cleaned).text[:MOST_CHARACTERS] if cleaned else ""


def sentences_of(turn: Turn) -> list[dict[str, Any]]:
    """Return the sentences of an answer; their places are what reports name."""
    return [item for item in turn.shown if item["type"] == "sentence"]


def answer_rate(*, turn: Turn, verdict: str, reasons: Iterable[str] = (), comment: str = "") -> AnswerFeedback:
    """Keep what a reader says about an answer; said again, the last word counts. Raises NoFeedbackError.

    What is no reason is left out, and so are reasons against a useful answer.
    """
    if verdict not in AnswerFeedback.Verdict.values:
        raise NoFeedbackError
    known = [] if verdict == AnswerFeedback.Verdict.USEFUL else _known(reasons)
    words = comment_read(comment)
    with transaction.atomic():
        # The lock keeps two presses from meeting, and a deleted turn from coming back.
        locked = Turn.objects.select_for_update().filter(pk=turn.pk).first()
        if locked is None or not may_be_rated(locked):
            raise NoFeedbackError
        values = {"verdict": verdict, "reasons": known, "comment": words, "looked_at": None, "looked_by": None}
        feedback, _ = AnswerFeedback.objects.update_or_create(turn=locked, defaults=values)
    return feedback


def _known(reasons: Iterable[str]) -> list[str]:
    said = set(reasons)
    return [reason for reason in AnswerFeedback.Reason.values if reason in said]


def sentence_report(*, turn: Turn, place: int) -> SentenceReport:
    """Keep that a sentence does not stand in its source; a second time changes nothing. Raises NoFeedbackError."""
    with transaction.atomic():
        locked = Turn.objects.select_for_update().filter(pk=turn.pk).first()
        sentences = sentences_of(locked) if locked and locked.is_over else []
        if locked is None or not 0 <= place < len(sentences):
            raise NoFeedbackError
        report, _ = SentenceReport.objects.get_or_create(
            turn=locked, place=place, defaults={"sentence": sentences[place]["text"]}
        )
    return report


def source_report(*, version: DocumentVersion, start: int, end: int, comment: str) -> SourceReport:
    """Keep what a reader found wrong on a source's page. Raises NoFeedbackError where nothing was said."""
    words = comment_read(comment)
    if not words or not 0 <= start <= end <= len(version.text):
        raise NoFeedbackError
    return SourceReport.objects.create(
        document_id=version.document_id, version=version.number, start=start, end=end, comment=words
    )


def feedback_look(*, rows: Collection[Said], editor: User | None) -> int:
    """Note that somebody of the desk has looked at these; return how many nobody had looked at before."""
    count = 0
    for kind in {type(row) for row in rows}:
        keys = [row.pk for row in rows if type(row) is kind]
        unseen = kind._default_manager.filter(pk__in=keys, looked_at__isnull=True)
        count += unseen.update(looked_at=timezone.now(), looked_by=editor)
    return count
