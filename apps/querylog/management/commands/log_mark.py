"""Marks the questions that are kept anew: after parties or people got other names."""

from __future__ import annotations

from typing import Any, Final

from django.core.management.base import BaseCommand

from apps.querylog.counting import berlin_today, day_keep
from apps.querylog.marking import kind_after, marks_of
from apps.querylog.models import LogDay, Turn
from apps.querylog.retention import kept_from
from apps.rag.types import Outcome

_BATCH: Final = 500
_FIELDS: Final = ("kind", "parties", "people")


class Command(BaseCommand):
    help = "Notes again what kind each kept question is and whom it names, and counts the days that are whole anew."

    def handle(self, *args: Any, **options: Any) -> None:
        changed: list[Turn] = []
        count = 0
        turns = Turn.objects.only("question", "language", "outcome", "ended_with", *_FIELDS).order_by("pk")
        for turn in turns.iterator(chunk_size=_BATCH):
            if _mark(turn):
                changed.append(turn)
            if len(changed) == _BATCH:
                count += Turn.objects.bulk_update(changed, _FIELDS)
                changed.clear()
        count += Turn.objects.bulk_update(changed, _FIELDS) if changed else 0
        whole = LogDay.objects.filter(day__gte=kept_from().date(), day__lt=berlin_today())
        for day in sorted(set(whole.values_list("day", flat=True))):
            day_keep(day)
        self.stdout.write(f"{count} questions are marked differently now.")


def _mark(turn: Turn) -> bool:
    """Set the marks of one turn; say whether any is another one."""
    before = (turn.kind, turn.parties, turn.people)
    marks = marks_of(turn.question, turn.language)
    outcome = Outcome(turn.outcome) if turn.outcome else Outcome.INTERRUPTED
    turn.kind = kind_after(marks.kind, outcome, turn.ended_with)
    turn.parties, turn.people = list(marks.parties), list(marks.people)
    return before != (turn.kind, turn.parties, turn.people)
