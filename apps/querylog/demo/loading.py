"""Loads the demo's log behind the page, dates it anew so that it ends today, and takes it out again.

Whoever loads it twice, or in two processes, or is stopped halfway, has it once: every row has its number from the plan.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from apps.core.locks import held_alone
from apps.core.ports import demo_removed
from apps.documents.models import Document
from apps.querylog.counting import berlin_span, berlin_today, day_keep
from apps.querylog.demo.planning import DAYS, PlannedConversation, plan, texts_asked
from apps.querylog.demo.progress import demo_done
from apps.querylog.demo.replying import answered
from apps.querylog.demo.rows import feedback_of, handover_of, report_of, turn_of, written
from apps.querylog.models import AnswerFeedback, Conversation, Handover, LogDay, SentenceReport, Turn
from apps.querylog.retention import kept_from, turns_erase

_LOCK: Final = 7_301_001
_BATCH: Final = 500
_TURN_MOMENTS: Final = ("created_at", "finished_at", "handed_over_at")
# Nobody can own what carries this: no token has such a hash.
_OWNER: Final = "demo"


@dataclass(frozen=True, slots=True)
class Loaded:
    """What one step has done: turns written, and whether there is more to load."""

    turns: int
    has_more: bool


def sources_are_read() -> bool:
    """Say whether no document waits to be read: answers would lack what is still to come."""
    waiting = (Document.Status.QUEUED, Document.Status.PARSING, Document.Status.INDEXING)
    return not Document.objects.filter(status__in=waiting).exists()


def demo_load_next(*, now: datetime | None = None) -> Loaded:
    """Load the next subject that is missing, with its answers; date everything anew when nothing is."""
    now = now or timezone.now()
    with held_alone(_LOCK) as is_alone:
        if not is_alone:
            return Loaded(0, has_more=False)
        missing = _missing()
        subject = missing[0].subject if missing else ""
        chosen = [each for each in missing if each.subject == subject]
        turns = _insert(chosen, now) if chosen else 0
        has_more = len(chosen) < len(missing)
        if not has_more:
            demo_date(now=now)
            demo_done()
        return Loaded(turns, has_more)


def _missing() -> list[PlannedConversation]:
    known = set(Conversation.objects.filter(is_demo=True).values_list("uuid", flat=True))
    subjects = list(texts_asked())
    missing = [each for each in plan() if each.uuid not in known]
    return sorted(missing, key=lambda each: subjects.index(each.subject))


def _insert(chosen: Sequence[PlannedConversation], now: datetime) -> int:
    """Write conversations with their turns and all that belongs to them, or nothing."""
    planned_turns = [turn for conversation in chosen for turn in conversation.turns]
    replies = answered({turn.asked for turn in planned_turns})
    words = {text: written(text) for text in {turn.text for turn in planned_turns}}
    with transaction.atomic():
        rows = [
            Conversation(uuid=each.uuid, owner=_OWNER, session_day=_reader_hash(each), language="de", is_demo=True)
            for each in chosen
        ]
        Conversation.objects.bulk_create(rows, batch_size=_BATCH)
        turns = [
            turn_of(planned, words[planned.text], replies[planned.asked], conversation=row, number=number)
            for row, each in zip(rows, chosen, strict=True)
            for number, planned in enumerate(each.turns, 1)
        ]
        Turn.objects.bulk_create(turns, batch_size=_BATCH)
        pairs = list(zip(turns, (planned.luck for planned in planned_turns), strict=True))
        AnswerFeedback.objects.bulk_create([row for row in (feedback_of(*pair) for pair in pairs) if row])
        SentenceReport.objects.bulk_create([row for row in (report_of(*pair) for pair in pairs) if row])
        Handover.objects.bulk_create([row for row in (handover_of(*pair) for pair in pairs) if row])
        _date(chosen, now)
    return len(turns)


def _reader_hash(each: PlannedConversation) -> str:
    """What a reader's hash of a day looks like; no key ever made it."""
    return hashlib.sha256(f"demo {each.reader} {each.day}".encode()).hexdigest()


def demo_date(*, now: datetime | None = None) -> int:
    """Date what is loaded so that it ends now, and count its days anew; return how many conversations moved."""
    now = now or timezone.now()
    moved = _date(plan(), now)
    with transaction.atomic():
        LogDay.objects.filter(is_demo=True).delete()
        for day in (berlin_today() - timedelta(days=back) for back in range(1, DAYS + 1)):
            # What lies before has been forgotten in part; its counts stand.
            if berlin_span(day)[0] >= kept_from():
                day_keep(day)
    return moved


def _date(planned: Iterable[PlannedConversation], now: datetime) -> int:
    moments = {each.uuid: begun_at(each, now) for each in planned}
    found = Conversation.objects.filter(is_demo=True, uuid__in=moments)
    rows = [row for row in found if row.created_at != moments[row.uuid]]
    for row in rows:
        row.created_at = moments[row.uuid]
    Conversation.objects.bulk_update(rows, ["created_at"], batch_size=_BATCH)
    after = {turn.uuid: (each.uuid, turn.after) for each in plan() for turn in each.turns}
    turns = list(Turn.objects.filter(conversation__in=rows).only("uuid", "timings", *_TURN_MOMENTS))
    for turn in turns:
        conversation, seconds = after[turn.uuid]
        _move(turn, moments[conversation] + timedelta(seconds=seconds))
    Turn.objects.bulk_update(turns, _TURN_MOMENTS, batch_size=_BATCH)
    _date_feedback(turns)
    return len(rows)


def _move(turn: Turn, moment: datetime) -> None:
    """Give a turn its new moment; it was over when its stages were, and handed to the desk a little later."""
    turn.created_at = moment
    turn.finished_at = moment + timedelta(milliseconds=sum(turn.timings.values()))
    turn.handed_over_at = turn.finished_at + timedelta(seconds=20) if turn.handed_over_at else None


def _date_feedback(turns: Sequence[Turn]) -> None:
    """What readers said about an answer they said a little later."""
    moments = {turn.pk: turn.created_at + timedelta(seconds=50) for turn in turns}
    ratings = list(AnswerFeedback.objects.filter(turn_id__in=moments))
    reports = list(SentenceReport.objects.filter(turn_id__in=moments))
    for rating in ratings:
        rating.created_at = moments[rating.turn_id]
    for report in reports:
        report.created_at = moments[report.turn_id]
    AnswerFeedback.objects.bulk_update(ratings, ["created_at"], batch_size=_BATCH)
    SentenceReport.objects.bulk_update(reports, ["created_at"], batch_size=_BATCH)


def begun_at(each: PlannedConversation, now: datetime) -> datetime:
    """Return when a conversation begins: today's that would lie ahead belong to the first day instead."""
    today = timezone.localdate(now, timezone.get_default_timezone())
    moment = _at(each, today - timedelta(days=DAYS - 1 - each.day))
    last = moment + timedelta(seconds=each.turns[-1].after + 60)
    return moment if last <= now else moment - timedelta(days=DAYS)


def _at(each: PlannedConversation, day: date) -> datetime:
    return berlin_span(day)[0] + timedelta(seconds=each.second)


def demo_remove() -> int:
    """Take the demo's log out, with its counts and all that was made of it; return how many questions went."""
    count = 0
    demo_done()
    days = _days_of_its_own()
    while keys := list(Conversation.objects.filter(is_demo=True).values_list("pk", flat=True)[:_BATCH]):
        with transaction.atomic():
            count += turns_erase(Turn.objects.filter(conversation__in=keys))
            Conversation.objects.filter(pk__in=keys).delete()
    LogDay.objects.filter(is_demo=True).delete()
    demo_removed(days)
    return count


def _days_of_its_own() -> set[date]:
    """Return the Berlin days on which nobody but the demo has asked, also those whose questions are forgotten."""
    zone = timezone.get_default_timezone()
    asked = Turn.objects.filter(conversation__is_demo=True).datetimes("created_at", "day", tzinfo=zone)
    days = {moment.date() for moment in asked}
    days |= set(LogDay.objects.filter(is_demo=True).values_list("day", flat=True))
    others = Turn.objects.filter(conversation__is_demo=False).datetimes("created_at", "day", tzinfo=zone)
    days -= {moment.date() for moment in others}
    return days - set(LogDay.objects.filter(is_demo=False).values_list("day", flat=True))
