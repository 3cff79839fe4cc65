"""Who has read readers' words, when, which, and why. No words are kept here."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _


class AccessEntry(models.Model):
    """One time that somebody of the house was shown what readers wrote. Outlives the questions; kept for a year."""

    class What(models.TextChoices):
        LIST = "list", _("a list")
        TURN = "turn", _("one question")
        SEARCH = "search", _("a search")
        EXPORT = "export", _("an export")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("who"), editable=False
    )
    # The name stays when the account is gone.
    name = models.CharField(_("name"), max_length=150, editable=False)
    what = models.CharField(_("what"), max_length=8, choices=What.choices, editable=False)
    count = models.PositiveIntegerField(_("questions"), editable=False)
    # Public numbers of the turns, without a constraint: they say which ones even when those are gone.
    turns = ArrayField(models.UUIDField(), verbose_name=_("which"), default=list, editable=False)
    reason = models.CharField(_("reason"), max_length=200, editable=False)
    created_at = models.DateTimeField(_("when"), auto_now_add=True)

    class Meta:
        ordering = ("-created_at",)
        verbose_name = _("reading of readers’ words")
        verbose_name_plural = _("readings of readers’ words")
        permissions: ClassVar = [("export_log", _("May export the log"))]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~models.Q(reason=""), name="access_entry_has_reason"),
            models.CheckConstraint(condition=~models.Q(name=""), name="access_entry_has_name"),
        ]
        # The list, newest first, and the job that trims it.
        indexes: ClassVar = [models.Index(fields=["-created_at"], name="access_entry_created")]

    def __str__(self) -> str:
        return f"{self.name}: {self.what}"
