"""Gaps: topics that readers ask and the corpus answers badly; who closes them, and whether it helped."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.topics.querysets import GapQuerySet


class Gap(models.Model):
    """One gap of one topic. open -> taken -> resolved or dismissed; reopened when it is weak again."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        TAKEN = "taken", _("taken")
        RESOLVED = "resolved", _("resolved")
        DISMISSED = "dismissed", _("dismissed")
        REOPENED = "reopened", _("open again")

    class Dismissal(models.TextChoices):
        OUT_OF_SCOPE = "out_of_scope", _("not our subject")
        DUPLICATE = "duplicate", _("the same as another gap")
        POLICY = "policy", _("we do not answer this on purpose")

    topic = models.ForeignKey("topics.Topic", models.CASCADE, related_name="gaps", verbose_name=_("topic"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    score = models.FloatField(_("score"), default=0.0)
    # sessions, weak, lower, demand, growth, causes: see modelling/gap_score.py.
    parts = models.JSONField(default=dict)
    editor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("editor")
    )
    dismissal = models.CharField(_("why dismissed"), max_length=12, choices=Dismissal.choices, blank=True, default="")
    rule_uid = models.CharField(_("rule"), max_length=80, blank=True, default="")
    link = models.ForeignKey(
        "documents.CuratedLink", models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("link")
    )
    note = models.TextField(_("note"), blank=True, default="", help_text=_("What an article should say, and to whom."))
    # Shares of weak answers to the same questions, before and after; see replaying.py.
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    # The newest release that the replay has seen.
    replayed_release = models.PositiveIntegerField(null=True, blank=True, editable=False)
    # And which state of the sources.
    replayed_index = models.CharField(max_length=40, blank=True, default="", editable=False)
    replay_wanted = models.BooleanField(default=False, editable=False)
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True)
    changed_at = models.DateTimeField(_("changed"), auto_now=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    objects = GapQuerySet.as_manager()

    class Meta:
        ordering = ("-score", "id")
        verbose_name = _("gap")
        verbose_name_plural = _("gaps")
        constraints = [
            # A topic has one gap at a time; a new one begins when the last was closed.
            models.UniqueConstraint(
                fields=["topic"], condition=Q(state__in=["open", "taken", "reopened"]), name="gap_once_per_topic"
            ),
            models.CheckConstraint(
                condition=(Q(state="dismissed") & ~Q(dismissal="")) | (~Q(state="dismissed") & Q(dismissal="")),
                name="gap_dismissed_with_reason",
            ),
        ]
        indexes = [
            # The board.
            models.Index(fields=["state", "-score"], name="gap_state_score")
        ]

    def __str__(self) -> str:
        return str(self.topic)

    @property
    def is_closed(self) -> bool:
        return self.state in {self.State.RESOLVED, self.State.DISMISSED}


class GapStep(models.Model):
    """What happened to a gap, and who did it."""

    gap = models.ForeignKey(Gap, models.CASCADE, related_name="steps")
    # opened, taken, rule, link, note, replayed, resolved, dismissed, reopened
    kind = models.CharField(max_length=12)
    data = models.JSONField(default=dict)
    editor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("created_at", "id")
        verbose_name = _("step of a gap")
        verbose_name_plural = _("steps of gaps")

    def __str__(self) -> str:
        return f"{self.kind} {self.gap_id}"


class GapNotice(models.Model):
    """A notice to the desk: one per gap, then silence for seven days unless the score doubles."""

    gap = models.ForeignKey(Gap, models.CASCADE, related_name="notices")
    score = models.FloatField()
    # Beyond the day's limit: it stands in the digest only.
    is_digest = models.BooleanField(default=False)
    mailed_at = models.DateTimeField(null=True)
    posted_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created_at", "-id")
        verbose_name = _("notice")
        verbose_name_plural = _("notices")

    def __str__(self) -> str:
        return f"{self.gap_id} {self.created_at:%Y-%m-%d}"
