"""What the bot reads: immutable versions of rules, and releases made of them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class RuleVersion(models.Model):
    """A rule with all its rows as it was saved once. Never changes; a database trigger sees to that."""

    uid = models.CharField(_("rule"), max_length=80)
    number = models.PositiveIntegerField(_("version"))
    # apps/rules/serialising.py has the format.
    data = models.JSONField()
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("author")
    )
    # Stays when the account goes.
    author_name = models.CharField(max_length=150, blank=True, default="")
    comment = models.CharField(_("comment"), max_length=300, blank=True, default="")
    created_at = models.DateTimeField(_("saved"), auto_now_add=True)

    class Meta:
        ordering = ("uid", "-number")
        verbose_name = _("rule version")
        verbose_name_plural = _("rule versions")
        constraints = [models.UniqueConstraint(fields=["uid", "number"], name="rule_version_unique")]

    def __str__(self) -> str:
        return f"{self.uid} {self.number}"


class Release(models.Model):
    """A published set of rule versions. The one with the highest number is live."""

    class Kind(models.TextChoices):
        PUBLISH = "publish", _("published")
        PAUSE = "pause", _("paused at once")
        ROLLBACK = "rollback", _("rolled back")

    number = models.PositiveIntegerField(_("number"), unique=True)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices, default=Kind.PUBLISH)
    comment = models.CharField(_("comment"), max_length=300)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("author")
    )
    author_name = models.CharField(max_length=150, blank=True, default="")
    restored_from = models.ForeignKey("self", models.PROTECT, null=True, related_name="+")
    versions = models.ManyToManyField(RuleVersion, related_name="releases", through="ReleaseRule")
    # [[key, [alias, ...]], ...]: protected names as they were.
    names = models.JSONField(default=list)
    threshold = models.PositiveSmallIntegerField()
    token_budget = models.PositiveIntegerField()
    created_at = models.DateTimeField(_("published"), auto_now_add=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("release")
        verbose_name_plural = _("releases")
        constraints = [models.CheckConstraint(condition=~models.Q(comment=""), name="release_has_comment")]

    def __str__(self) -> str:
        return str(self.number)


class ReleaseRule(models.Model):
    """That a release holds a version."""

    release = models.ForeignKey(Release, models.CASCADE, related_name="entries")
    version = models.ForeignKey(RuleVersion, models.PROTECT, related_name="entries")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "version"], name="release_version_once")]

    def __str__(self) -> str:
        return f"{self.release_id}: {self.version_id}"
