"""Reads over many rows of the evaluation."""

from __future__ import annotations

from typing import Any, Self

from django.contrib.postgres.aggregates import ArrayAgg
from django.db import models
from django.db.models import Count, OuterRef, Q, Subquery

LARGE = ("trace", "spec")


class QuestionSetQuerySet(models.QuerySet[Any]):
    """Sets."""

    def counted(self) -> Self:
        """With what a list shows: questions, conversations, kinds, languages, and the last run that is done."""
        from apps.evaluation.models import EvaluationRun

        last = EvaluationRun.objects.filter(sets=OuterRef("pk"), state="done").order_by("-finished_at")
        return self.annotate(
            question_count=Count("questions", distinct=True),
            conversation_count=Count("questions__key", distinct=True),
            kinds=ArrayAgg("questions__kind", distinct=True, filter=Q(questions__isnull=False), default=[]),
            languages=ArrayAgg("questions__language", distinct=True, filter=Q(questions__isnull=False), default=[]),
            last_run=Subquery(last.values("pk")[:1]),
            last_run_at=Subquery(last.values("finished_at")[:1]),
        )


class EvaluationRunQuerySet(models.QuerySet[Any]):
    """Runs."""

    def unfinished(self) -> Self:
        """Those that somebody still waits for."""
        return self.filter(state__in=["queued", "running"])

    def comparable_with(self, run: Any) -> Self:
        """Other runs that are over and have asked some of the same sets, newest first."""
        sets = run.sets.values("pk")
        return self.filter(finished_at__isnull=False, sets__in=sets).exclude(pk=run.pk).distinct()

    def counted(self) -> Self:
        """With how many results were right and how many were judged."""
        return self.annotate(
            right=Count("results", filter=Q(results__is_right=True)),
            judged=Count("results", filter=Q(results__is_right__isnull=False)),
        )


class EvaluationResultQuerySet(models.QuerySet[Any]):
    """Results."""

    def brief(self) -> Self:
        """Without the traces, which are large."""
        return self.defer(*LARGE)
