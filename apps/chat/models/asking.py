"""How often somebody has asked within a time, under a hash that means nothing the day after."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class AskCount(models.Model):
    """Questions of one session or one network within one window. Gone when the day's key goes."""

    # Keyed hash under the day's key (apps/querylog/ownership.py) of a session's token or a network's address.
    who = models.CharField(max_length=64)
    window = models.DateTimeField(_("from"))
    count = models.PositiveIntegerField(_("questions"), default=0)

    class Meta:
        ordering: ClassVar = ["-window"]
        verbose_name = _("questions within a time")
        verbose_name_plural = _("questions within a time")
        constraints: ClassVar = [models.UniqueConstraint(fields=["who", "window"], name="ask_count_once")]
        indexes: ClassVar = [
            # The job that forgets.
            models.Index(fields=["window"], name="ask_count_window")
        ]

    def __str__(self) -> str:
        return f"{self.window:%H:%M}: {self.count}"
