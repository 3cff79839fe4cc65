"""What readers asked and what they got. Only masked text is ever stored here."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.querylog.querysets import ConversationQuerySet, TurnQuerySet
from apps.rag.types import Decision, Outcome


class DailyKey(models.Model):
    """The key that makes one day's session hashes. Destroyed when the day is over: yesterday's hashes mean nothing."""

    day = models.DateField(primary_key=True)
    key = models.BinaryField()

    class Meta:
        verbose_name = _("daily key")
        verbose_name_plural = _("daily keys")


class Conversation(models.Model):
    """A reader's chat. Owned through the hash of a random cookie; no address, no browser name."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # SHA-256 of the reader's cookie token; never used in analytics.
    owner = models.CharField(max_length=64, editable=False)
    # Keyed hash of the token under the day's key; what analytics counts.
    session_day = models.CharField(max_length=64, editable=False)
    language = models.CharField(_("language"), max_length=8, default="de")
    created_at = models.DateTimeField(_("begun"), auto_now_add=True)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at",)
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        indexes = [
            # The reader's own conversations, newest first.
            models.Index(fields=["owner", "-created_at"], name="conversation_owner_created"),
            # The nightly job that forgets.
            models.Index(fields=["created_at"], name="conversation_created"),
        ]

    def __str__(self) -> str:
        return str(self.uuid)


class Turn(models.Model):
    """One question with its answer. new -> running -> done, interrupted or failed."""

    class State(models.TextChoices):
        NEW = "new", _("new")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        INTERRUPTED = "interrupted", _("interrupted")
        FAILED = "failed", _("failed")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="turns", verbose_name=_("conversation"))
    number = models.PositiveIntegerField(_("number"))
    question = models.TextField(_("question"))
    language = models.CharField(_("language"), max_length=8, default="de")
    masked_kinds = models.JSONField(_("masked"), default=dict)
    state = models.CharField(_("state"), max_length=12, choices=State.choices, default=State.NEW)
    decision = models.CharField(
        _("decision"), max_length=16, blank=True, default="", choices=[(d.value, d.value) for d in Decision]
    )
    outcome = models.CharField(
        _("outcome"), max_length=12, blank=True, default="", choices=[(o.value, o.value) for o in Outcome]
    )
    query = models.TextField(_("stand-alone query"), blank=True, default="")
    # How the query came about: RewritingRecord in apps/querylog/records.py. The reader's words are in it.
    rewriting = models.JSONField(default=dict)
    # Everything shown, in the order it was shown: see apps/querylog/records.py for the shapes.
    shown = models.JSONField(default=list)
    passages = models.JSONField(default=list)
    signals = models.JSONField(default=dict)
    timings = models.JSONField(default=dict)
    versions = models.JSONField(default=dict)
    # The rule that won: a column of its own, since lists filter by it. Empty where none matched.
    rule_uid = models.CharField(_("rule"), max_length=80, blank=True, default="")
    # How it matched and what it brought: RuleRecord in apps/querylog/records.py.
    rule = models.JSONField(default=dict)
    created_at = models.DateTimeField(_("asked"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    objects = TurnQuerySet.as_manager()

    class Meta:
        ordering = ("conversation", "number")
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        permissions = [("view_question", _("May read the masked words of readers"))]
        constraints = [
            models.UniqueConstraint(fields=["conversation", "number"], name="turn_number_unique"),
            models.CheckConstraint(condition=~models.Q(question=""), name="turn_has_question"),
            models.CheckConstraint(
                condition=models.Q(state__in=["new", "running"], finished_at__isnull=True)
                | models.Q(state__in=["done", "interrupted", "failed"], finished_at__isnull=False),
                name="turn_finished_with_time",
            ),
        ]
        indexes = [
            # The log's list by period, and retention.
            models.Index(fields=["-created_at"], name="turn_created"),
            # What one rule has answered, newest first.
            models.Index(
                fields=["rule_uid", "-created_at"], condition=~models.Q(rule_uid=""), name="turn_rule_created"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id}/{self.number}"

    @property
    def is_over(self) -> bool:
        return self.state in {self.State.DONE, self.State.INTERRUPTED, self.State.FAILED}
