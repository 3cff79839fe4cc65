"""Turns that a test's threads or processes see."""

from __future__ import annotations

from django.db import connection

from apps.querylog import services
from apps.querylog.models import Turn


def make_turn(token: str) -> Turn:
    """Begin a conversation of the reader with this token, and its first turn."""
    try:
        conversation = services.conversation_open(token=token, language="de")
        return services.turn_start(conversation=conversation, words="Wie hoch soll der Mindestlohn sein?")
    finally:
        connection.close()


def reload(turn: Turn) -> Turn:
    """Read it anew, whatever thread asks."""
    try:
        return Turn.objects.get(pk=turn.pk)
    finally:
        connection.close()
