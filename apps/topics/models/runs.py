"""Runs over the log, what became of each topic in them, and how stable they were."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class TopicRun(models.Model):
    """One computation over the log: queued -> running -> accepted, rejected, skipped, cancelled or failed."""

    class Kind(models.TextChoices):
        NIGHT = "night", _("night")
        FULL = "full", _("everything anew")

    class State(models.TextChoices):
        QUEUED = "queued", _("waits")
        RUNNING = "running", _("runs")
        ACCEPTED = "accepted", _("accepted")
        REJECTED = "rejected", _("rejected")
        SKIPPED = "skipped", _("skipped")
        CANCELLED = "cancelled", _("cancelled")
        FAILED = "failed", _("failed")

    kind = models.CharField(_("kind"), max_length=6, choices=Kind.choices, default=Kind.NIGHT)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.QUEUED)
    # A code; the page has the sentence.
    reason = models.CharField(_("reason"), max_length=40, blank=True, default="")
    progress = models.PositiveSmallIntegerField(_("progress in percent"), default=0)
    # More than once where a worker was killed or the database went away.
    starts = models.PositiveSmallIntegerField(default=0)
    is_cancel_wanted = models.BooleanField(default=False)
    # Of the keys of all texts, in order: the same log gives the same topics.
    input_hash = models.CharField(max_length=64, blank=True, default="")
    method = models.CharField(_("method"), max_length=14, blank=True, default="")
    parameters = models.JSONField(default=dict)
    texts = models.PositiveIntegerField(_("texts"), default=0)
    topics = models.PositiveIntegerField(_("topics"), default=0)
    born = models.PositiveIntegerField(_("new"), default=0)
    unplaced_share = models.FloatField(_("unplaced"), null=True)
    largest_share = models.FloatField(_("largest topic"), null=True)
    survival = models.FloatField(_("topics that went on"), null=True)
    moved_share = models.FloatField(_("texts that moved"), null=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("started by")
    )
    created_at = models.DateTimeField(_("ordered"), auto_now_add=True)
    started_at = models.DateTimeField(_("begun"), null=True)
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        ordering = ("-created_at", "-id")
        verbose_name = _("topic run")
        verbose_name_plural = _("topic runs")
        indexes = [
            # The last good run on the overview.
            models.Index(fields=["state", "-created_at"], name="topicrun_state_created")
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.created_at:%Y-%m-%d %H:%M}"

    @property
    def went_on_share(self) -> float | None:
        """Return the share of the topics of before that went on; None where there was none to go on."""
        return None if self.born and self.born == self.topics and self.survival == 1 else self.survival

    @property
    def is_open(self) -> bool:
        return self.state in {self.State.QUEUED, self.State.RUNNING}


class TopicLineage(models.Model):
    """What became of a topic in one run."""

    class Kind(models.TextChoices):
        CONTINUE = "continue", _("went on")
        BIRTH = "birth", _("is new")
        SPLIT = "split", _("split off")
        MERGE = "merge", _("went into another")
        DEATH = "death", _("dissolved")

    run = models.ForeignKey(TopicRun, models.CASCADE, related_name="lineage")
    kind = models.CharField(_("what"), max_length=8, choices=Kind.choices)
    old = models.ForeignKey("topics.Topic", models.CASCADE, null=True, related_name="lineage_from")
    new = models.ForeignKey("topics.Topic", models.CASCADE, null=True, related_name="lineage_to")
    # Jaccard overlap, weighted by sessions.
    overlap = models.FloatField(default=0.0)

    class Meta:
        ordering = ("run", "id")
        verbose_name = _("lineage")
        verbose_name_plural = _("lineages")

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.old_id} {self.new_id}"
