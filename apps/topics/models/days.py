"""Counts by day: what dashboards read. They stay when the questions are forgotten."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class TopicDay(models.Model):
    """One Berlin day of one topic, of all unplaced questions, or of everything; of one party, or of all ("")."""

    class Scope(models.TextChoices):
        ALL = "all", _("all questions")
        TOPIC = "topic", _("one topic")
        UNPLACED = "unplaced", _("unplaced")

    day = models.DateField()
    scope = models.CharField(max_length=8, choices=Scope.choices)
    topic = models.ForeignKey("topics.Topic", models.CASCADE, null=True, related_name="days")
    party = models.CharField(max_length=50, blank=True, default="")
    # Distinct ones; those of two topics may be the same people, so they are never added up.
    sessions = models.PositiveIntegerField(default=0)
    messages = models.PositiveIntegerField(default=0)
    answered = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    clarified = models.PositiveIntegerField(default=0)
    disliked = models.PositiveIntegerField(default=0)
    left_out = models.PositiveIntegerField(default=0)
    small_talk = models.PositiveIntegerField(default=0)
    without_text = models.PositiveIntegerField(default=0)
    weak = models.FloatField(default=0.0)
    judged = models.PositiveIntegerField(default=0)
    clarity_sum = models.FloatField(default=0.0)

    class Meta:
        verbose_name = _("day")
        verbose_name_plural = _("days")
        constraints = [
            models.UniqueConstraint(
                fields=["day", "scope", "topic", "party"], nulls_distinct=False, name="topicday_once"
            ),
            models.CheckConstraint(
                condition=Q(scope="topic", topic__isnull=False) | (~Q(scope="topic") & Q(topic__isnull=True)),
                name="topicday_scope_has_topic",
            ),
        ]
        indexes = [
            # One topic's series.
            models.Index(fields=["topic", "day"], name="topicday_topic_day"),
            # The overview: everything of a period.
            models.Index(fields=["scope", "party", "day"], name="topicday_scope_party_day"),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.scope} {self.topic_id} {self.party}"


class StoredChart(models.Model):
    """A chart that only the worker can make: map and hierarchy, as plain figures."""

    name = models.CharField(max_length=40, unique=True)
    data = models.JSONField(default=dict)
    made_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("chart")
        verbose_name_plural = _("charts")

    def __str__(self) -> str:
        return self.name
