"""What a question can be. Only ``text`` counts as a subject that readers ask about."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class QuestionKind(models.TextChoices):
    """Noted when a question is stored; small talk when it is answered as such."""

    TEXT = "text", _("question")
    TOO_SHORT = "too_short", _("too short")
    NO_TEXT = "no_text", _("without words")
    SMALL_TALK = "small_talk", _("small talk")
    BLOCKED = "blocked", _("an order to the bot")
