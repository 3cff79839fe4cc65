"""Nightly work on the log."""

from __future__ import annotations

import logging
from typing import Any

from celery import Task, shared_task

from apps.querylog import services
from apps.querylog.access import access_trim
from apps.querylog.counting import days_roll_up
from apps.querylog.retention import keys_destroy, turns_expire

# Times fifteen seconds: an hour, in which the demo's documents are read on a slow and busy machine too.
_PATIENCE = 240
logger = logging.getLogger(__name__)


@shared_task(name="querylog.expire", soft_time_limit=600, time_limit=660)
def expire() -> None:
    """Keep the counts of past days, then forget old questions and past days' keys; the log line counts them."""
    days = days_roll_up()
    counts = {**turns_expire(), "days": days, "accesses": access_trim()}
    logger.info(
        "Forgotten: %(turns)d turns, %(conversations)d conversations, %(source_reports)d reports on sources, "
        "%(keys)d daily keys. Counted: %(days)d days. "
        "Trimmed: %(accesses)d lines of the access log.",
        counts,
    )


@shared_task(name="querylog.abandon", soft_time_limit=60, time_limit=90)
def abandon() -> None:
    """End the turns whose process died."""
    count = services.turns_abandon()
    if count:
        logger.warning("%d turns were left unfinished by a process that died.", count)


@shared_task(name="querylog.keys_destroy", soft_time_limit=60, time_limit=90)
def destroy_keys() -> None:
    """Destroy yesterday's key soon after midnight."""
    keys_destroy()


@shared_task(
    name="querylog.demo_load",
    bind=True,
    max_retries=_PATIENCE,
    soft_time_limit=600,
    time_limit=660,
)
def demo_load(self: Task[..., Any]) -> int:
    """Load one subject of the demo's log and queue the next: what else waits comes in between."""
    from apps.querylog.demo.loading import demo_load_next, sources_are_read

    if not sources_are_read() and self.request.retries < _PATIENCE:
        raise self.retry(countdown=15)
    loaded = demo_load_next()
    if loaded.has_more:
        demo_load.delay()
    return loaded.turns
