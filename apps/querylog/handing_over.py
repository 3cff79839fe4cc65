"""From the reader to the desk: a question that the sources left open, handed over once, and who works on it."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from apps.querylog.models import Handover, Turn

# More is as much as anybody wants to know beside a menu entry.
_MOST_COUNTED: Final = 99


class NotHandedOverError(Exception):
    """This turn is nothing for the desk: it is not over, or the sources answered it."""


class HandoverChangedError(Exception):
    """Somebody else has changed it since it was looked at. ``current`` is how it stands now."""

    def __init__(self, current: Handover) -> None:
        super().__init__("A colleague has changed this meanwhile.")
        self.current = current


def turn_hand_over(*, turn: Turn) -> Handover:
    """Hand a question to the desk; a second time changes nothing. Raises NotHandedOverError."""
    with transaction.atomic():
        locked = Turn.objects.select_for_update().filter(pk=turn.pk).first()
        if locked is None:
            raise NotHandedOverError
        if locked.handed_over_at is None:
            if not locked.may_be_handed_over:
                raise NotHandedOverError
            locked.handed_over_at = timezone.now()
            locked.save(update_fields=["handed_over_at"])
        turn.handed_over_at = locked.handed_over_at
        handover, _ = Handover.objects.get_or_create(turn=locked)
        return handover


def handover_change(
    *, handover: Handover, editor: User | None, state: str, note: str, seen: datetime | None = None
) -> Handover:
    """Take it, close it, give it back, or note something. Whoever does so is its editor, unless it is open again.

    ``seen`` is when it was last changed as the editor saw it. Raises HandoverChangedError when that is out of date.
    """
    with transaction.atomic():
        locked = Handover.objects.select_for_update(of=("self",)).select_related("editor").get(pk=handover.pk)
        if seen is not None and locked.changed_at != seen:
            raise HandoverChangedError(locked)
        if state == Handover.State.OPEN:
            locked.editor = None
        elif state != locked.state or locked.editor is None:
            locked.editor = editor
        locked.state, locked.note = state, note.strip()
        locked.full_clean(exclude=["turn", "editor"])
        locked.save(update_fields=["state", "note", "editor", "changed_at"])
        return locked


def waiting_label(request: HttpRequest) -> str:
    """Return how many questions wait for the desk: the number beside its entry in the menu, "" where none does."""
    count = Handover.objects.waiting()[: _MOST_COUNTED + 1].count()
    if not count:
        return ""
    return str(count) if count <= _MOST_COUNTED else f"{_MOST_COUNTED}+"
