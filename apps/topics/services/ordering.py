"""Orders runs and stops them: light enough for the web process."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from apps.topics.models import TopicRun


def run_order(*, kind: str = TopicRun.Kind.NIGHT, author: User | None = None) -> TopicRun:
    """Order a run, or return the one that waits already: two clicks make one run."""
    with transaction.atomic():
        waiting = TopicRun.objects.select_for_update().filter(state=TopicRun.State.QUEUED).first()
        return waiting or TopicRun.objects.create(kind=kind, author=author)


def run_cancel(*, run: TopicRun) -> None:
    """Ask an open run to stop at its next step; one that waits stops at once."""
    TopicRun.objects.filter(pk=run.pk, state=TopicRun.State.RUNNING).update(is_cancel_wanted=True)
    TopicRun.objects.filter(pk=run.pk, state=TopicRun.State.QUEUED).update(
        state=TopicRun.State.CANCELLED, finished_at=timezone.now()
    )
