"""Celery tasks of the topics, on a queue of their own: fetch by id, call one work function."""

from __future__ import annotations

import logging
from typing import Any

from celery import Task, shared_task

from apps.documents.tasks import PatientTask

logger = logging.getLogger(__name__)
QUEUE = "topics"
# Read by both workers: a new question is placed within a minute, also while a run takes the topics' worker for longer.
PLACING = "placing"


@shared_task(name="topics.place", base=PatientTask, queue=PLACING, soft_time_limit=300, time_limit=330)
def place() -> int:
    """Read the log on, embed and place new questions. Runs every minute."""
    from apps.core.locks import held_alone
    from apps.topics.services.ordering import run_due
    from apps.topics.services.placing import questions_place

    # The placing of the minute before may not be done.
    with held_alone(7_005) as is_alone:
        placed = questions_place() if is_alone else 0
    due = run_due()
    if due is not None:
        run.delay(due)
    return placed


@shared_task(name="topics.run", base=PatientTask, queue=QUEUE, soft_time_limit=3_300, time_limit=3_600)
def run(pk: int) -> str:
    """Execute one ordered run."""
    from apps.topics.services.running import run_execute

    return run_execute(pk=pk)


@shared_task(name="topics.night", base=PatientTask, queue=QUEUE, soft_time_limit=3_300, time_limit=3_600)
def night() -> str:
    """Order and execute the run of the night, then look for gaps and tell the desk."""
    from apps.topics.services.ordering import run_order
    from apps.topics.services.running import run_execute

    state = run_execute(pk=run_order().pk)
    look_for_gaps()
    return state


@shared_task(name="topics.resume", base=PatientTask, queue=QUEUE, soft_time_limit=60, time_limit=90)
def resume() -> int:
    """Queue again the runs whose message was lost or whose worker was killed. Runs every few minutes."""
    from apps.topics.services.running import runs_waiting

    waiting = runs_waiting()
    for pk in waiting:
        run.delay(pk)
    return len(waiting)


@shared_task(name="topics.gaps", base=PatientTask, queue=QUEUE, soft_time_limit=300, time_limit=330)
def look_for_gaps() -> int:
    """Score all topics, open gaps and tell the desk once. Runs hourly."""
    from apps.topics.services.gaps import gaps_update
    from apps.topics.services.notices import notices_send

    fresh = gaps_update()
    notices_send(fresh=fresh)
    return len(fresh)


@shared_task(name="topics.digest", base=PatientTask, queue=QUEUE, soft_time_limit=300, time_limit=330)
def digest() -> int:
    """Send the desk one mail about what the day's limit held back. Runs each morning."""
    from apps.topics.services.notices import digest_send

    return digest_send()


@shared_task(name="topics.replay", base=PatientTask, queue=QUEUE, soft_time_limit=600, time_limit=660)
def replay() -> int:
    """Ask the weak questions of gaps again after a release, a link or an article. Runs every minute."""
    from apps.topics.services.replaying import gaps_replay

    return gaps_replay()


@shared_task(name="topics.panel", base=PatientTask, queue=QUEUE, soft_time_limit=120, time_limit=150)
def panel() -> int:
    """Make the reader's panel of the day. Runs early in the morning."""
    from apps.topics.publicity import panel_make

    return len(panel_make().topics)


@shared_task(name="topics.judge", base=PatientTask, queue=QUEUE, soft_time_limit=300, time_limit=330)
def judge(left: int | None = None, after: str = "") -> int:
    """Judge a sample of questions by the model, where one is set. Begins nightly; what waits comes in between."""
    from apps.topics.services.judging import SAMPLE, sample_judge

    part = sample_judge(most=SAMPLE if left is None else left, after=after)
    if part.left:
        judge.delay(part.left, part.after)
    return part.judged


@shared_task(
    name="topics.demo_make",
    base=PatientTask,
    queue=QUEUE,
    bind=True,
    max_retries=90,
    soft_time_limit=1_800,
    time_limit=1_860,
)
def demo_make(self: Task[..., Any]) -> int:
    """Make the demo's topics once its log is loaded: until then ask again every twenty seconds."""
    from apps.topics.demo.making import demo_topics_make, log_is_loaded

    if not log_is_loaded():
        raise self.retry(countdown=20)
    return demo_topics_make()
