"""Celery tasks of the rules' desk: fetch by id, call one work function."""

from __future__ import annotations

import logging
import random
from typing import Any

from celery import Task, shared_task
from django.db import InterfaceError, OperationalError

from apps.documents.tasks import PatientTask

logger = logging.getLogger(__name__)

_ATTEMPTS = 6


@shared_task(
    name="rules.backtest_run",
    base=PatientTask,
    bind=True,
    max_retries=_ATTEMPTS,
    soft_time_limit=900,
    time_limit=960,
)
def backtest_run(self: Task[..., Any], pk: int) -> str:
    """Run one backtest; ask again later when the database is away."""
    from apps.rules.services.backtests import backtest_run as run

    try:
        return run(pk=pk).value
    except (OperationalError, InterfaceError) as error:
        # What still stands after the last attempt is found by backtests_resume.
        raise self.retry(exc=error, countdown=random.uniform(1, 5 * 2**self.request.retries)) from error


@shared_task(name="rules.backtests_resume", soft_time_limit=60, time_limit=90)
def backtests_resume() -> int:
    """Queue again the backtests whose worker was killed or whose message was lost. Runs every few minutes."""
    from apps.rules.services.backtests import backtests_resume as resume

    return resume()


@shared_task(name="rules.backtests_expire", soft_time_limit=60, time_limit=90)
def backtests_expire() -> int:
    """Forget uploaded lists after their time. Runs nightly."""
    from apps.rules.services.backtests import backtests_expire as expire

    count = expire()
    if count:
        logger.info("The questions of %d uploaded lists were forgotten.", count)
    return count
