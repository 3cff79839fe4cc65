"""Readers' questions for the rule desk: fills the ports ``rules.past_questions`` and ``rules.past_questions_by_key``.

Masked words all the same: whoever shows them asks for the permission ``querylog.view_question`` first.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from apps.core.ports import PastQuestion
from apps.querylog.models import Turn
from apps.querylog.querysets import TurnQuerySet


def past_questions(limit: int, since: datetime | None = None) -> Sequence[PastQuestion]:
    """Return at most ``limit`` questions of finished turns, newest first. One query."""
    turns = Turn.objects.filter(state=Turn.State.DONE).order_by("-created_at", "-pk")
    if since is not None:
        turns = turns.filter(created_at__gte=since)
    return _questions(turns[: max(0, limit)])


def past_questions_by_key(keys: Collection[str]) -> Sequence[PastQuestion]:
    """Return those of these questions that are still kept, newest first. One query; what is no key finds nothing."""
    uuids = {uuid for uuid in map(uuid_of, keys) if uuid}
    if not uuids:
        return []
    return _questions(Turn.objects.filter(state=Turn.State.DONE, uuid__in=uuids).order_by("-created_at", "-pk"))


def _questions(turns: TurnQuerySet) -> list[PastQuestion]:
    return [
        PastQuestion(str(uuid), text, language, asked_at, tuple(choices))
        for uuid, text, language, asked_at, choices in turns.values_list(
            "uuid", "question", "language", "created_at", "builder_choices"
        )
    ]


def uuid_of(key: str) -> UUID | None:
    """Return the public number that a key stands for, None for what is no key."""
    try:
        return UUID(key)
    except ValueError:
        return None
