"""Celery tasks of the reader's page."""

from __future__ import annotations

import logging

from celery import shared_task

logger = logging.getLogger(__name__)


@shared_task(name="chat.builder_pairs_check", soft_time_limit=1_500, time_limit=1_560)
def builder_pairs_check() -> int:
    """Ask every pair of the question builder, so that those without sources are switched off. Runs nightly."""
    from apps.chat.combinations import builder_pairs_check as check

    asked, sourced = check()
    logger.info("Of %d combinations of the question builder %d have an answer.", asked, sourced)
    return asked


@shared_task(name="chat.forget_counts", soft_time_limit=60, time_limit=90)
def forget_counts() -> None:
    """Forget who asked how often in windows that are over. Runs every ten minutes."""
    from apps.chat.limits import counts_forget

    counts_forget()
