"""Celery tasks of answers."""

from __future__ import annotations

from celery import shared_task


@shared_task(name="answering.cache_tidy", soft_time_limit=120, time_limit=180)
def cache_tidy() -> int:
    """Remove what the cache of answers keeps no longer."""
    from apps.answering.caching import cache_tidy as tidy

    return tidy()
