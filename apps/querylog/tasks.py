"""Nightly work on the log."""

from __future__ import annotations

import logging

from celery import shared_task

from apps.querylog import services
from apps.querylog.counting import days_roll_up
from apps.querylog.retention import keys_destroy, turns_expire

logger = logging.getLogger(__name__)


@shared_task(name="querylog.expire", soft_time_limit=600, time_limit=660)
def expire() -> None:
    """Keep the counts of past days, then forget old questions and past days' keys; the log line counts them."""
    days = days_roll_up()
    counts = {**turns_expire(), "days": days}
    logger.info(
        "Forgotten: %(turns)d turns, %(conversations)d conversations, %(source_reports)d reports on sources, "
        "%(keys)d daily keys. Counted: %(days)d days.",
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
