"""That the demo's log is on its way: the desk's pages must not call silence what is being loaded."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import models
from django.utils import timezone

# Whatever has not come by then does not come: a worker was stopped for good.
_PATIENCE: Final = timedelta(hours=2)


class DemoLoadQuerySet(models.QuerySet["DemoLoad"]):
    """Orders to load the demo's log."""

    def on_its_way(self) -> DemoLoadQuerySet:
        """Orders that are not done, and that somebody may still be at work on."""
        return self.filter(ordered_at__gte=timezone.now() - _PATIENCE)


class DemoLoad(models.Model):
    """An order to load the demo's log behind the page; it goes when all is there."""

    ordered_at = models.DateTimeField(auto_now=True)
    # How many there will be: the web process need not plan them to know.
    conversations = models.PositiveIntegerField()

    objects = DemoLoadQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.conversations} {self.ordered_at:%Y-%m-%d %H:%M}"
