"""Writes to the log. The masking comes before the first write."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta
from math import inf

from django.db import DatabaseError, transaction
from django.db.models import DurationField, ExpressionWrapper, F, Max
from django.db.models.functions import Now
from django.utils import timezone

from apps.answering.door import question_read
from apps.querylog.marking import marks_of
from apps.querylog.models import Conversation, Turn
from apps.querylog.ownership import owner_of, session_day
from apps.querylog.recording import take
from apps.querylog.rule_hits import rule_hits_count
from apps.rag.events import Done, Event
from apps.rag.types import Outcome


def conversation_open(*, token: str, language: str) -> Conversation:
    """Begin a conversation for the reader who holds the token."""
    today = timezone.localdate()
    return Conversation.objects.create(owner=owner_of(token), session_day=session_day(token, today), language=language)


def turn_start(*, conversation: Conversation, words: str, choices: Sequence[str] = ()) -> Turn:
    """Clean, mask and store a question as the conversation's next turn. ValueError when nothing is left of it.

    ``choices`` are the buttons of the question builder that were pressed for it; the caller has checked them.
    """
    read = question_read(words, language=conversation.language)
    marks = marks_of(read.question.text, read.question.language)
    with transaction.atomic():
        # Two tabs may ask at once: the lock makes their numbers differ.
        locked = Conversation.objects.select_for_update().get(pk=conversation.pk)
        last = locked.turns.aggregate(last=Max("number"))["last"] or 0
        return Turn.objects.create(
            conversation=locked,
            number=last + 1,
            question=read.question.text,
            masked_kinds=dict(read.masked_kinds),
            language=read.question.language,
            builder_choices=list(choices),
            kind=marks.kind,
            parties=list(marks.parties),
            people=list(marks.people),
        )


def turn_claim(*, turn_id: int) -> bool:
    """Mark a new turn as running; False when somebody else has done so: a question is never answered twice."""
    return bool(Turn.objects.filter(pk=turn_id, state=Turn.State.NEW).update(state=Turn.State.RUNNING))


def turn_record(*, turn: Turn, event: Event) -> None:
    """Store one event at once, so that a reload shows what was released. DatabaseError when the turn is gone."""
    changed = {name: getattr(turn, name) for name in take(turn, event)}
    # One statement, without the transaction that save() opens around it: a turn stores a dozen events.
    if not Turn.objects.filter(pk=turn.pk).update(**changed):
        raise DatabaseError("The turn was deleted.")
    if isinstance(event, Done):
        rule_hits_count(turn=turn)


def turn_interrupt(*, turn_id: int) -> None:
    """End a running turn whose reader has left; one that ended meanwhile stays as it is."""
    running = Turn.objects.filter(pk=turn_id, state=Turn.State.RUNNING)
    running.update(state=Turn.State.INTERRUPTED, outcome=Outcome.INTERRUPTED.value, finished_at=timezone.now())


def turn_watch(*, turn_id: int) -> None:
    """Note that a reader looks at a turn which another process answers."""
    Turn.objects.filter(pk=turn_id, state=Turn.State.RUNNING).update(watched_at=Now())


def turn_unwatched_seconds(*, turn_id: int) -> float:
    """Return for how long nobody has looked at a turn from another process; infinite where nobody ever has."""
    # By the database's clock: machines differ.
    age = ExpressionWrapper(Now() - F("watched_at"), output_field=DurationField())
    found = Turn.objects.filter(pk=turn_id).values_list(age).first()
    return found[0].total_seconds() if found and found[0] is not None else inf


def turns_gone(*, turn_ids: Collection[int]) -> set[int]:
    """Return which of these turns were deleted."""
    return set(turn_ids) - set(Turn.objects.filter(pk__in=turn_ids).values_list("pk", flat=True))


def turns_abandon(*, older_than: timedelta = timedelta(minutes=5)) -> int:
    """End turns whose process died. Returns how many there were."""
    stale = Turn.objects.filter(
        state__in=[Turn.State.NEW, Turn.State.RUNNING], created_at__lt=timezone.now() - older_than
    )
    return stale.update(state=Turn.State.INTERRUPTED, outcome=Outcome.INTERRUPTED.value, finished_at=timezone.now())
