"""Orders runs and stops them: light enough for the web process."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import Final

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from apps.topics.models import QueryText, Topic, TopicRun

_PAUSE: Final = timedelta(hours=1)
_MUCH_UNPLACED: Final = 200
_LEAST_FOR_TOPICS: Final = 30
_LOCK: Final = 7_006
# The percent at which a run stores its topics: from there on nothing takes them back.
CANCELLABLE_UNTIL: Final = 80


def run_order(*, kind: str = TopicRun.Kind.NIGHT, author: User | None = None) -> TopicRun:
    """Order a run, or return the one that waits already: two clicks make one run."""
    with transaction.atomic(), connection.cursor() as cursor:
        # Where none waits there is no row to hold.
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        waiting = TopicRun.objects.select_for_update().filter(state=TopicRun.State.QUEUED).first()
        return waiting or TopicRun.objects.create(kind=kind, author=author)


def run_due() -> int | None:
    """Order a run by day where much has come that fits nowhere, or where topics could be found for the first time.

    At most one in an hour: what nobody has asked for must not keep the machine busy. Returns its key, None for none.
    """
    recent = TopicRun.objects.filter(created_at__gte=timezone.now() - _PAUSE).exclude(state=TopicRun.State.CANCELLED)
    if recent.exists():
        return None
    texts = QueryText.objects.filter(kind=QueryText.Kind.TEXT).exclude(embedder="")
    if Topic.objects.living().exists():
        last = TopicRun.objects.filter(state=TopicRun.State.ACCEPTED).order_by("-created_at").first()
        since = last.created_at if last else timezone.now()
        is_due = texts.filter(member__isnull=True, taken_in__gte=since).count() >= _MUCH_UNPLACED
    else:
        # Counted as the run counts: of wordings with one gist it would take one, and be in vain each hour.
        is_due = texts.different() >= _LEAST_FOR_TOPICS
    return run_order().pk if is_due else None


class Cancelling(StrEnum):
    """What became of the wish to stop a run."""

    STOPPED = "stopped"
    STOPS = "stops"
    TOO_LATE = "too_late"


def run_cancel(*, run: TopicRun) -> Cancelling:
    """Ask an open run to stop at its next step: one that waits stops at once, one that stores its topics no more."""
    same = TopicRun.objects.filter(pk=run.pk)
    waiting = same.filter(state=TopicRun.State.QUEUED)
    if waiting.update(state=TopicRun.State.CANCELLED, reason="by_hand", finished_at=timezone.now()):
        return Cancelling.STOPPED
    running = same.filter(state=TopicRun.State.RUNNING, progress__lt=CANCELLABLE_UNTIL)
    return Cancelling.STOPS if running.update(is_cancel_wanted=True) else Cancelling.TOO_LATE
