"""Answers that their readers have shared: frozen copies, read by whoever holds the link."""

from __future__ import annotations

import secrets
from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from apps.querylog.models import Turn


def new_key() -> str:
    """Return the unguessable part of a link: 128 bits."""
    return secrets.token_urlsafe(16)


class SharedAnswer(models.Model):
    """A copy of one answer as it stood when it was shared. Goes when its turn goes, and when its owner says so."""

    key = models.CharField(max_length=32, unique=True, default=new_key, editable=False)
    turn = models.OneToOneField(Turn, models.CASCADE, related_name="share", verbose_name=_("question"), editable=False)
    # As in the log's Turn; nothing that is corrected there later changes what stands here.
    question = models.TextField(_("question"))
    shown = models.JSONField(default=list)
    language = models.CharField(_("language"), max_length=8, default="de")
    created_at = models.DateTimeField(_("shared"), auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-created_at"]
        verbose_name = _("shared answer")
        verbose_name_plural = _("shared answers")
        constraints: ClassVar = [
            models.CheckConstraint(condition=~models.Q(question=""), name="shared_answer_has_question")
        ]

    def __str__(self) -> str:
        # Not the question: who reads readers' words in the back office gives a reason first.
        return f"{timezone.localtime(self.created_at):%d.%m.%Y %H:%M}"
