"""Reads over versions of the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    from apps.answering.models import AnswerSettings


class AnswerSettingsQuerySet(models.QuerySet[Any]):
    """Versions by what may be done with them."""

    def activated(self) -> AnswerSettingsQuerySet:
        """What readers got at some time, newest first; never changes."""
        return self.filter(number__isnull=False).order_by("-number")

    def drafts(self) -> AnswerSettingsQuerySet:
        """What somebody is still writing, last changed first."""
        return self.filter(number__isnull=True).order_by("-updated_at", "-pk")

    def in_force(self) -> AnswerSettings | None:
        """What readers get now; None as long as the shipped settings hold."""
        row: AnswerSettings | None = self.activated().first()
        return row
