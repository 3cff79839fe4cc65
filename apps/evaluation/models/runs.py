"""Runs: the questions of some sets asked at one time, and what came of each."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.answering.models import AnswerSettings
from apps.evaluation.models.sets import Question, QuestionSet
from apps.evaluation.querysets import EvaluationResultQuerySet, EvaluationRunQuerySet


class EvaluationRun(models.Model):
    """All questions of some sets, asked as readers ask. queued -> running -> done, failed or cancelled."""

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.QUEUED)
    sets = models.ManyToManyField(QuestionSet, related_name="runs", verbose_name=_("question sets"))
    # The sets as they were called: a set may be renamed or deleted, the run stays.
    title = models.CharField(_("question sets"), max_length=300, blank=True)
    note = models.CharField(
        _("note"), max_length=200, blank=True, help_text=_("What is tried out, for example a new prompt.")
    )
    answer_settings = models.ForeignKey(
        AnswerSettings,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("answer settings"),
        help_text=_("Empty: those in force."),
    )
    most = models.PositiveIntegerField(_("at most"), null=True)
    total = models.PositiveIntegerField(default=0)
    asked = models.PositiveIntegerField(default=0)
    reason = models.TextField(_("reason"), blank=True, default="")
    # apps/evaluation/metrics.py has the format.
    figures = models.JSONField(default=list)
    versions = models.JSONField(default=dict)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("author")
    )
    created_at = models.DateTimeField(_("ordered"), auto_now_add=True)
    # When a worker last said that it is at it.
    seen_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(_("finished"), null=True)

    objects = EvaluationRunQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at",)
        verbose_name = _("evaluation run")
        verbose_name_plural = _("evaluation runs")
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(state="failed") | ~models.Q(reason=""), name="evaluation_run_failed_with_reason"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["queued", "running"], finished_at__isnull=True)
                | models.Q(state__in=["done", "failed", "cancelled"], finished_at__isnull=False),
                name="evaluation_run_finished_with_time",
            ),
        ]

    def __str__(self) -> str:
        return self.title or str(self.uuid)

    @property
    def is_over(self) -> bool:
        return self.state in {self.State.DONE, self.State.FAILED, self.State.CANCELLED}

    @property
    def percent(self) -> int:
        return 100 * self.asked // self.total if self.total else 0


class EvaluationResult(models.Model):
    """What came of one question in one run. It keeps the question as it was asked: sets change."""

    run = models.ForeignKey(EvaluationRun, models.CASCADE, related_name="results", verbose_name=_("evaluation run"))
    question = models.ForeignKey(Question, models.SET_NULL, null=True, related_name="+", verbose_name=_("question"))
    position = models.PositiveIntegerField()
    set_slug = models.CharField(_("question set"), max_length=60)
    key = models.CharField(_("key"), max_length=80)
    number = models.PositiveSmallIntegerField(_("turn"), default=1)
    kind = models.CharField(_("kind"), max_length=12, choices=Question.Kind.choices)
    subkind = models.CharField(_("more exactly"), max_length=40, blank=True)
    language = models.CharField(_("language"), max_length=8, default="de")
    text = models.CharField(_("question"), max_length=500)
    # The question with all that was expected: apps/evaluation/serialising.py has the format.
    spec = models.JSONField(default=dict)
    decision = models.CharField(_("decision"), max_length=16, blank=True)
    outcome = models.CharField(_("outcome"), max_length=12)
    # Everything the pipeline said: apps/evaluation/traces.py has the format.
    trace = models.JSONField(default=list)
    # What was right: apps/evaluation/judging.py has the format.
    verdict = models.JSONField(default=dict)
    # None where nothing was expected.
    is_right = models.BooleanField(_("right"), null=True)
    first_ms = models.FloatField(_("first words after"), null=True)
    whole_ms = models.FloatField(_("whole answer after"))
    created_at = models.DateTimeField(_("asked"), auto_now_add=True)

    objects = EvaluationResultQuerySet.as_manager()

    class Meta:
        ordering = ("run", "position")
        verbose_name = _("result")
        verbose_name_plural = _("results")
        constraints = [
            # A task that is delivered twice asks no question twice.
            models.UniqueConstraint(fields=["run", "set_slug", "key", "number"], name="evaluation_result_unique"),
        ]
        indexes = [
            # The run's page, page by page.
            models.Index(fields=["run", "position"], name="evaluation_result_order"),
        ]

    def __str__(self) -> str:
        return f"{self.set_slug} {self.key}/{self.number}"
