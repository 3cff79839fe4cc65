"""Writes to the log. The masking comes before the first write."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from apps.answering.door import question_read
from apps.querylog.marking import ending_of, kind_after, marks_of
from apps.querylog.models import Conversation, Turn
from apps.querylog.ownership import owner_of, session_day
from apps.querylog.records import (
    passage_record,
    rewriting_record,
    share,
    shown_after,
    signals_record,
    understood_records,
)
from apps.querylog.rule_hits import rule_hits_count
from apps.querylog.rule_records import rule_record, use_record
from apps.rag.desk import RuleMatch
from apps.rag.events import Decided, Done, Event, Failed, Notice, Restart, Retrieved, Sentence
from apps.rag.types import Outcome

_WITHOUT_ANSWER = frozenset({Outcome.REFUSED, Outcome.CLARIFIED, Outcome.CHATTED})


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
    """Store one event at once, so that a reload shows what was released."""
    fields: list[str] = []
    match event:
        case Decided():
            turn.decision, turn.query = event.decision.value, event.query
            turn.rewriting = dict(rewriting_record(event))
            turn.understood = understood_records(event)
            turn.versions = {**turn.versions, **event.versions}
            fields = ["decision", "query", "rewriting", "understood", "versions", *_record_rule(turn, event.rule)]
        case Retrieved():
            turn.passages = [passage_record(passage) for passage in event.passages]
            turn.signals = signals_record(event.signals)
            if event.signals is not None:
                turn.confidence = share(event.signals.confidence_score)
                turn.coverage = share(event.signals.coverage_signals.get("coverage_ratio"))
            fields = ["passages", "signals", "confidence", "coverage"]
            if event.use is not None:
                turn.rule = {**turn.rule, **use_record(event.use)}
                fields.append("rule")
        case Sentence() | Notice() | Restart():
            turn.shown = shown_after(turn.shown, event)
            fields = ["shown"]
        case Done():
            if event.writing:
                turn.versions = {**turn.versions, "writing": dict(event.writing)}
                fields = ["versions"]
            turn_finish(turn=turn, outcome=event.outcome, timings=dict(event.timings))
            rule_hits_count(turn=turn)
        case Failed():
            turn.versions = {**turn.versions, **event.versions}
            fields = ["versions"]
            turn_finish(turn=turn, outcome=Outcome.FAILED)
    if fields:
        turn.save(update_fields=fields)


def _record_rule(turn: Turn, match: RuleMatch | None) -> list[str]:
    """Note which release was asked, whether or not it had a rule for this: without it nobody could ask it again."""
    if match is None:
        return []
    turn.versions = {**turn.versions, "release": match.release}
    turn.rule = dict(rule_record(match))
    turn.rule_uid = match.winner.uid if match.winner else ""
    return ["versions", "rule", "rule_uid"]


def turn_finish(*, turn: Turn, outcome: Outcome, timings: dict[str, float] | None = None) -> None:
    """End a turn that came to an end of its own."""
    turn.outcome = outcome.value
    turn.state = Turn.State.FAILED if outcome == Outcome.FAILED else Turn.State.DONE
    turn.timings = {name: round(value, 1) for name, value in (timings or {}).items()}
    turn.finished_at = timezone.now()
    turn.ended_with = ending_of(turn.shown) if outcome in _WITHOUT_ANSWER else ""
    turn.kind = kind_after(turn.kind, outcome, turn.ended_with)
    turn.save(update_fields=["outcome", "state", "timings", "finished_at", "ended_with", "kind"])


def turn_interrupt(*, turn_id: int) -> None:
    """End a running turn whose reader has left; one that ended meanwhile stays as it is."""
    running = Turn.objects.filter(pk=turn_id, state=Turn.State.RUNNING)
    running.update(state=Turn.State.INTERRUPTED, outcome=Outcome.INTERRUPTED.value, finished_at=timezone.now())


def turns_abandon(*, older_than: timedelta = timedelta(minutes=5)) -> int:
    """End turns whose process died. Returns how many there were."""
    stale = Turn.objects.filter(
        state__in=[Turn.State.NEW, Turn.State.RUNNING], created_at__lt=timezone.now() - older_than
    )
    return stale.update(state=Turn.State.INTERRUPTED, outcome=Outcome.INTERRUPTED.value, finished_at=timezone.now())
