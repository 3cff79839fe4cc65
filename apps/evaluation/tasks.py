"""Celery tasks of the evaluation: fetch by id, call one work function."""

from __future__ import annotations

import random
from typing import Any

from celery import Task, shared_task
from django.db import InterfaceError, OperationalError

from apps.documents.tasks import PatientTask

_ATTEMPTS = 6


@shared_task(
    name="evaluation.run_advance",
    base=PatientTask,
    bind=True,
    max_retries=_ATTEMPTS,
    # A slice and the longest question after it, with room.
    soft_time_limit=1200,
    time_limit=1260,
)
def run_advance(self: Task[..., Any], pk: int) -> str:
    """Ask on in one run; queue the rest, or ask again later when the database is away."""
    from apps.evaluation.services import Progress
    from apps.evaluation.services import run_advance as advance

    try:
        progress = advance(pk=pk)
    except (OperationalError, InterfaceError) as error:
        # What still stands after the last attempt is found by runs_resume.
        raise self.retry(exc=error, countdown=random.uniform(1, 5 * 2**self.request.retries)) from error
    if progress is Progress.AGAIN:
        run_advance.delay_on_commit(pk)
    return progress.value


@shared_task(name="evaluation.runs_resume", soft_time_limit=60, time_limit=90)
def runs_resume() -> int:
    """Queue again the runs whose worker was killed or whose message was lost. Runs every few minutes."""
    from apps.evaluation.services import runs_resume as resume

    return resume()
