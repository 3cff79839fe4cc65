"""What readers say about answers, single sentences and sources. Their words are masked before they get here."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.documents.models import Document

MOST_CHARACTERS = 1_000


class LookedAt(models.Model):
    """Said by a reader, and when somebody of the desk has looked at it."""

    created_at = models.DateTimeField(_("said"), auto_now_add=True)
    looked_at = models.DateTimeField(_("looked at"), null=True, blank=True, editable=False)
    looked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        verbose_name=_("looked at by"),
    )

    class Meta:
        abstract = True


class AnswerFeedback(LookedAt):
    """Whether an answer was useful to its reader, and what was wrong with it. One per answer; goes with its turn."""

    class Verdict(models.TextChoices):
        USEFUL = "useful", _("useful")
        NOT_USEFUL = "not_useful", _("not useful")

    class Reason(models.TextChoices):
        WRONG = "wrong", _("something in it is wrong")
        NOT_ANSWERED = "not_answered", _("it does not answer my question")
        ONE_SIDED = "one_sided", _("it is one-sided")
        WRONG_SOURCE = "wrong_source", _("a source does not fit")
        OTHER = "other", _("something else")

    turn = models.OneToOneField(
        "querylog.Turn", models.CASCADE, related_name="feedback", verbose_name=_("question"), editable=False
    )
    verdict = models.CharField(_("verdict"), max_length=12, choices=Verdict.choices)
    reasons = ArrayField(
        models.CharField(max_length=16, choices=Reason.choices), verbose_name=_("reasons"), default=list, blank=True
    )
    comment = models.TextField(_("comment"), blank=True, default="", max_length=MOST_CHARACTERS)

    class Meta:
        ordering = ("-created_at",)
        verbose_name = _("feedback on an answer")
        verbose_name_plural = _("feedback on answers")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(verdict="not_useful") | models.Q(reasons=[]), name="feedback_reasons_for_not_useful"
            ),
            models.CheckConstraint(
                condition=models.Q(
                    reasons__contained_by=["wrong", "not_answered", "one_sided", "wrong_source", "other"]
                ),
                name="feedback_reasons_known",
            ),
        ]
        indexes: ClassVar = [
            # The desk's list, newest first.
            models.Index(fields=["-created_at"], name="feedback_created")
        ]

    def __str__(self) -> str:
        return f"{self.turn_id}: {self.verdict}"


class SentenceReport(LookedAt):
    """A reader says that a sentence does not stand in its source. Once per sentence; goes with its turn."""

    turn = models.ForeignKey(
        "querylog.Turn", models.CASCADE, related_name="sentence_reports", verbose_name=_("question"), editable=False
    )
    # Which of the turn's sentences, counted from 0 in the order they were shown; ``sentence`` is what it said.
    place = models.PositiveSmallIntegerField(_("place"))
    sentence = models.TextField(_("sentence"))

    class Meta:
        ordering = ("-created_at",)
        verbose_name = _("reported sentence")
        verbose_name_plural = _("reported sentences")
        constraints: ClassVar = [models.UniqueConstraint(fields=["turn", "place"], name="sentence_reported_once")]
        indexes: ClassVar = [
            # The desk's list, newest first.
            models.Index(fields=["-created_at"], name="sentence_report_created")
        ]

    def __str__(self) -> str:
        return self.sentence


class SourceReport(LookedAt):
    """A reader says that something is wrong on a source's page. It belongs to no conversation."""

    document = models.ForeignKey(
        Document, models.CASCADE, related_name="reader_reports", verbose_name=_("document"), editable=False
    )
    version = models.PositiveIntegerField(_("version"))
    # The passage that was marked on the page; both 0 where none was.
    start = models.PositiveIntegerField(_("from character"))
    end = models.PositiveIntegerField(_("to character"))
    comment = models.TextField(_("comment"), max_length=MOST_CHARACTERS)

    class Meta:
        ordering = ("-created_at",)
        verbose_name = _("reported source")
        verbose_name_plural = _("reported sources")
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(end__gte=models.F("start")), name="source_report_span"),
            models.CheckConstraint(condition=~models.Q(comment=""), name="source_report_says_something"),
        ]
        indexes: ClassVar = [
            # The desk's list, newest first, and retention.
            models.Index(fields=["-created_at"], name="source_report_created")
        ]

    def __str__(self) -> str:
        return self.comment
