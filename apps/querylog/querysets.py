"""Reads over the log: whose rows they are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import models
from django.utils import timezone

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

    def asked_within(self, days: int) -> TurnQuerySet:
        """Those of the last so many days, today among them, newest first."""
        first = timezone.localdate(timezone=timezone.get_default_timezone()) - timedelta(days=days - 1)
        start = datetime.combine(first, datetime.min.time(), tzinfo=timezone.get_default_timezone())
        return self.filter(created_at__gte=start).order_by("-created_at")

    def with_words(self, words: Sequence[str]) -> TurnQuerySet:
        """Those whose question has all of these, in any case; none without a word."""
        found = self if words else self.none()
        for word in words:
            found = found.filter(question__icontains=word)
        return found


class HandoverQuerySet(models.QuerySet["Handover"]):
    """Questions that readers have handed to the desk."""

    def waiting(self) -> HandoverQuerySet:
        """Those that nobody has taken yet."""
        return self.filter(state="open")
