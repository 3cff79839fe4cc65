"""What beat orders and when; settings read it."""

from __future__ import annotations

from typing import Final

from celery.schedules import crontab

SCHEDULE: Final[dict[str, dict[str, object]]] = {
    "forget old questions": {"task": "querylog.expire", "schedule": crontab(hour=3, minute=20)},
    "destroy yesterday's key": {"task": "querylog.keys_destroy", "schedule": crontab(hour=0, minute=1)},
    "end abandoned turns": {"task": "querylog.abandon", "schedule": 300.0},
    "fetch feeds": {"task": "documents.feeds_refresh", "schedule": crontab(hour=4, minute=10)},
    "go on reading documents": {"task": "documents.resume", "schedule": 300.0},
    "check the question builder": {"task": "chat.builder_pairs_check", "schedule": crontab(hour=4, minute=50)},
    "check curated links": {"task": "documents.links_check", "schedule": crontab(hour=4, minute=40)},
    "go on with backtests": {"task": "rules.backtests_resume", "schedule": 120.0},
    "tidy the cache of answers": {"task": "answering.cache_tidy", "schedule": 300.0},
    "forget who asked how often": {"task": "chat.forget_counts", "schedule": 600.0},
    "forget uploaded questions": {"task": "rules.backtests_expire", "schedule": crontab(hour=3, minute=30)},
    "go on with evaluation runs": {"task": "evaluation.runs_resume", "schedule": 120.0},
    "place new questions in topics": {"task": "topics.place", "schedule": 60.0},
    "find topics": {"task": "topics.night", "schedule": crontab(hour=2, minute=10)},
    "go on with topic runs": {"task": "topics.resume", "schedule": 300.0},
    "look for gaps": {"task": "topics.gaps", "schedule": crontab(minute=25)},
    "tell the desk of more gaps": {"task": "topics.digest", "schedule": crontab(hour=7, minute=0)},
    "ask weak questions again": {"task": "topics.replay", "schedule": 60.0},
    "make the panel of what others ask": {"task": "topics.panel", "schedule": crontab(hour=3, minute=5)},
    "judge a sample of questions": {"task": "topics.judge", "schedule": crontab(hour=2, minute=50)},
}
