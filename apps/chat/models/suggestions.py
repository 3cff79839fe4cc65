"""What the desk suggests on the first screen: most readers begin with a question that somebody offers them."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.chat.models.builder import Shown


class Suggestion(Shown):
    """One question to begin with. Without any, those of the settings are shown."""

    question = models.CharField(
        _("question"), max_length=200, help_text=_("As a reader would ask it, and as it is asked when pressed.")
    )
    question_en = models.CharField(
        _("question, English"), max_length=200, blank=True, help_text=_("Empty: not shown on the English page.")
    )

    class Meta:
        ordering: ClassVar = ["order", "pk"]
        verbose_name = _("suggested question")
        verbose_name_plural = _("suggested questions")
        constraints: ClassVar = [
            models.CheckConstraint(condition=~models.Q(question=""), name="suggestion_has_question")
        ]

    def __str__(self) -> str:
        return self.question
