"""What beat sends out: each task once, and only tasks that a worker knows."""

from __future__ import annotations

from collections import Counter

from django.conf import settings

from apps.config.celery import app


def test_no_task_is_scheduled_twice():
    counted = Counter(str(entry["task"]) for entry in settings.CELERY_BEAT_SCHEDULE.values())
    assert {task: count for task, count in counted.items() if count > 1} == {}


def test_a_worker_knows_every_scheduled_task():
    app.loader.import_default_modules()
    app.autodiscover_tasks(force=True)
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= set(app.tasks)
