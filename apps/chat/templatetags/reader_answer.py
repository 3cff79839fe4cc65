"""An answer as readers see it, for pages of other apps: made of events, without a stored turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template

from apps.chat.display import shown_turn
from apps.chat.shown import ShownTurn
from apps.querylog.models import Turn
from apps.querylog.records import shown_after
from apps.rag.events import Done, Event, Failed, Notice, Restart, Sentence

register = template.Library()


@register.inclusion_tag("chat/_answer.html")
def reader_answer(
    question: str, events: Sequence[Event], language: str, is_running: bool = False
) -> dict[str, ShownTurn]:
    """Show what stands on a reader's page of ``language`` after these events.

    Events without an end are those of an answer that was interrupted, unless it ``is_running``.
    """
    turn = Turn(question=question, state=Turn.State.RUNNING if is_running else _state(events))
    for event in events:
        if isinstance(event, Sentence | Notice | Restart):
            turn.shown = shown_after(turn.shown, event)
    return {"shown": shown_turn(turn, language)}


@register.inclusion_tag("chat/_answer.html")
def kept_answer(question: str, shown: Sequence[dict[str, Any]], state: str, language: str) -> dict[str, ShownTurn]:
    """Show an answer of which somebody has kept what was shown, in the log's shapes (apps/querylog/records.py)."""
    return {"shown": shown_turn(Turn(question=question, state=state, shown=list(shown)), language)}


def _state(events: Sequence[Event]) -> Turn.State:
    last = events[-1] if events else None
    if isinstance(last, Done):
        return Turn.State.DONE
    return Turn.State.FAILED if isinstance(last, Failed) else Turn.State.INTERRUPTED
