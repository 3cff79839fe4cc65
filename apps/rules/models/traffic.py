"""How often rules answer, and what a change would have done: counts only, no words of readers."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class RuleHitDay(models.Model):
    """So many questions of one Berlin day that one version of a rule answered at one stage."""

    uid = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    stage = models.CharField(max_length=5)
    day = models.DateField()
    count = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        ordering = ("-day", "uid")
        constraints = [models.UniqueConstraint(fields=["uid", "day", "version", "stage"], name="rule_hit_day_unique")]

    def __str__(self) -> str:
        return f"{self.uid} {self.day}: {self.count}"


class Backtest(models.Model):
    """One comparison of the draft with what is live, over many questions."""

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    class Origin(models.TextChoices):
        LOG = "log", _("the last questions of readers")
        LIST = "list", _("an uploaded list")
        DEMO = "demo", _("the demo's questions")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    state = models.CharField(max_length=7, choices=State.choices, default=State.QUEUED)
    origin = models.CharField(_("questions"), max_length=4, choices=Origin.choices, default=Origin.LOG)
    limit = models.PositiveIntegerField(_("how many"), default=1000)
    # Only what an editor uploaded; readers' questions stay in the log and are looked up by their key.
    questions = models.JSONField(default=list)
    release_number = models.PositiveIntegerField(default=0)
    progress = models.PositiveSmallIntegerField(_("progress in percent"), default=0)
    reason = models.TextField(_("reason"), blank=True, default="")
    # apps/rules/backtesting.py has the format.
    result = models.JSONField(default=dict)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(_("begun"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        ordering = ("-created_at",)
        verbose_name = _("backtest")
        verbose_name_plural = _("backtests")
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(state="failed") | ~models.Q(reason=""), name="backtest_failed_with_reason"
            )
        ]

    def __str__(self) -> str:
        return str(self.uuid)
