"""Counts of one day that stay when the questions are gone: no words, no readers."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class LogDay(models.Model):
    """So many questions, and readers on that day, of one value of one thing that is counted."""

    class Counted(models.TextChoices):
        ALL = "all", _("all questions")
        KIND = "kind", _("kind of question")
        OUTCOME = "outcome", _("outcome")
        PARTY = "party", _("party")
        PERSON = "person", _("person")

    # A day of Berlin time, from midnight to midnight.
    day = models.DateField()
    counted = models.CharField(max_length=8, choices=Counted.choices)
    # A kind, an outcome, a party's slug or a public person's name; empty for all questions.
    value = models.CharField(max_length=120, blank=True, default="")
    turns = models.PositiveIntegerField()
    # Readers count once a day, by the hash whose key is destroyed when the day is over.
    sessions = models.PositiveIntegerField()
    # Of the demo's log: they go with it.
    is_demo = models.BooleanField(default=False)

    class Meta:
        ordering = ("-day", "counted", "value")
        constraints = [models.UniqueConstraint(fields=["counted", "day", "value", "is_demo"], name="log_day_once")]

    def __str__(self) -> str:
        return f"{self.day} {self.counted} {self.value}: {self.turns}"
