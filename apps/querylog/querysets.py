"""Reads over the log: whose rows they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    # Named below as text: only the type checker follows them.
    from apps.querylog.models import Conversation, Handover, Turn  # noqa: F401


class ConversationQuerySet(models.QuerySet["Conversation"]):
    """Conversations by owner."""

    def owned_by(self, owner: str) -> ConversationQuerySet:
        """Only the reader's own. An empty owner owns nothing."""
        return self.filter(owner=owner) if owner else self.none()


class TurnQuerySet(models.QuerySet["Turn"]):
    """Turns by owner."""

    def owned_by(self, owner: str) -> TurnQuerySet:
        """Only turns of the reader's own conversations. An empty owner owns nothing."""
        return self.filter(conversation__owner=owner) if owner else self.none()


class HandoverQuerySet(models.QuerySet["Handover"]):
    """Questions that readers have handed to the desk."""

    def waiting(self) -> HandoverQuerySet:
        """Those that nobody has taken yet."""
        return self.filter(state="open")
