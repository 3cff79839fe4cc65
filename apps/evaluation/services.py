"""Evaluation runs: ordered by a person, advanced by a worker in slices, safe when delivered twice or killed."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Sequence
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from apps.answering.live_settings import settings_of
from apps.answering.models import AnswerSettings
from apps.answering.settings_versions import AnswerSettingsVersion
from apps.core.locks import held_alone
from apps.evaluation.metrics import figure_record, figures_of
from apps.evaluation.models import EvaluationResult, EvaluationRun, Question, QuestionSet
from apps.evaluation.running import Asker, Conversation, judged_of, sampled, versions_now
from apps.evaluation.serialising import question_spec
from apps.evaluation.specs import conversations
from apps.rag.types import Outcome

logger = logging.getLogger(__name__)

NO_QUESTIONS: Final = gettext_noop("The chosen sets hold no questions.")
SETS_GONE: Final = gettext_noop(
    "The question sets were deleted or emptied while their questions were asked. What was asked before is kept. For "
    "the rest, order a new run over other sets."
)
NO_ANSWERS: Final = gettext_noop(
    "Ten questions in a row got no answer at all: search or the database does not work. The operator finds it in the "
    "log. What was asked before is kept."
)
_UNFORESEEN: Final = gettext_noop(
    "The run failed for a reason that was not foreseen. The operator finds it in the log. What was asked is kept."
)
# One task works so long; then it makes room for other work and goes on later.
SLICE_SECONDS: Final = 60.0
_MOST_FAILED: Final = 10
_STANDSTILL: Final = timedelta(minutes=4)
# Marks our advisory locks among those of others on the same server.
LOCK_SPACE: Final = 0x5765_4556_0000_0000


class Progress(StrEnum):
    """How one slice of a run ended."""

    DONE = "done"
    FAILED = "failed"
    AGAIN = "again"  # there is more to ask
    BUSY = "busy"  # another worker is at it
    GONE = "gone"  # cancelled, deleted, or finished before


def run_order(
    *,
    author: Any,
    sets: Collection[QuestionSet],
    note: str = "",
    most: int | None = None,
    answer_settings: AnswerSettings | None = None,
) -> EvaluationRun:
    """Order a run over these sets, with other answer settings than those in force if some are given.

    A worker takes it from there. The same order of the same person, while the first is not over, is the first.
    """
    from apps.evaluation.tasks import run_advance as task

    with transaction.atomic():
        # A double click sends two requests at once: the second one waits here.
        held = list(QuestionSet.objects.select_for_update(no_key=True).filter(pk__in=[each.pk for each in sets]))
        alike = EvaluationRun.objects.unfinished().filter(
            author=author, note=note, most=most, answer_settings=answer_settings
        )
        for known in alike.prefetch_related("sets"):
            if set(known.sets.all()) == set(held):
                return known
        run = EvaluationRun.objects.create(
            author=author,
            note=note,
            most=most,
            answer_settings=answer_settings,
            title=", ".join(each.name for each in sets)[:300],
        )
        run.sets.set(sets)
        task.delay_on_commit(run.pk)
    return run


def run_cancel(*, run: EvaluationRun) -> bool:
    """Stop a run; what was asked stays with its figures. False where it is over already."""
    with transaction.atomic():
        # The worker keeps results under the same lock: what comes later is dropped.
        if not EvaluationRun.objects.unfinished().select_for_update().filter(pk=run.pk).exists():
            return False
        return _finish(run.pk, state="cancelled")


def run_advance(*, pk: int, asker: Asker | None = None, seconds: float = SLICE_SECONDS) -> Progress:
    """Ask on for a while. Raises only what may pass by itself: the database being away."""
    with held_alone(LOCK_SPACE + pk) as is_alone:
        if not is_alone:
            return Progress.BUSY
        run = EvaluationRun.objects.unfinished().select_related("answer_settings").filter(pk=pk).first()
        if run is None:
            return Progress.GONE
        try:
            chosen = settings_of(run.answer_settings) if run.answer_settings else None
            with asker or Asker(settings=chosen) as open_asker:
                return _advance(run, open_asker, chosen, time.monotonic() + seconds)
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            logger.exception("Evaluation run %d failed.", pk)
            return _fail(pk, _UNFORESEEN)


def runs_resume() -> int:
    """Queue again what no worker is at; return how many. A run that is alive holds its lock and goes on."""
    from apps.evaluation.tasks import run_advance as task

    waiting = EvaluationRun.objects.unfinished().filter(created_at__lt=timezone.now() - _STANDSTILL)
    ids = [pk for pk in waiting.values_list("pk", flat=True) if _is_idle(pk)]
    for pk in ids:
        task.delay_on_commit(pk)
    return len(ids)


def set_questions(question_set: QuestionSet) -> list[tuple[str, Conversation]]:
    """Return a set's conversations with the set's short name."""
    rows = question_set.questions.order_by("position", "key", "number")
    return [(question_set.slug, turns) for turns in conversations(map(question_spec, rows))]


def _advance(run: EvaluationRun, asker: Asker, chosen: AnswerSettingsVersion | None, until: float) -> Progress:
    wanted = sampled([each for one in run.sets.order_by("name") for each in set_questions(one)], run.most)
    asked = set(run.results.values_list("set_slug", "key"))
    if not wanted:
        return _fail(run.pk, SETS_GONE if asked else NO_QUESTIONS)
    left = _left(wanted, asked, run.most)
    position, failed = run.results.count(), 0
    total = position + sum(len(turns) for _, turns in left)
    versions = _versions(run, chosen, is_other=run.total not in (0, total))
    if not _update(run.pk, state="running", total=total, versions=versions):
        return Progress.GONE
    for slug, turns in left:
        if time.monotonic() > until:
            return Progress.AGAIN
        if not _update(run.pk, asked=position):
            return Progress.GONE
        results = asker.results(slug, turns)
        if not _keep(run, results, position):
            return Progress.GONE
        position += len(results)
        for each in results:
            failed = failed + 1 if each.outcome == Outcome.FAILED else 0
        if failed >= _MOST_FAILED:
            return _fail(run.pk, NO_ANSWERS)
    return Progress.DONE if _finish(run.pk, state="done") else Progress.GONE


def _left(
    wanted: Sequence[tuple[str, Conversation]], asked: Collection[tuple[str, str]], most: int | None
) -> list[tuple[str, Conversation]]:
    """Return what is still to be asked; never more than was ordered, though a set grows meanwhile."""
    left = [(slug, turns) for slug, turns in wanted if (slug, turns[0].key) not in asked]
    return left if most is None else left[: max(0, most - len(asked))]


def _versions(run: EvaluationRun, chosen: AnswerSettingsVersion | None, *, is_other: bool) -> dict[str, Any]:
    """Return what the run began with, and the names of what has changed since: its figures then mix both.

    ``is_other``: the sets have lost or gained questions.
    """
    now = versions_now(chosen)
    if not run.versions:
        return dict(now)
    changed = {name for name, value in now.items() if run.versions.get(name) != value}
    if is_other:
        changed.add("questions")
    return {**run.versions, "changed": sorted(changed | set(run.versions.get("changed", ())))}


def _keep(run: EvaluationRun, results: Sequence[EvaluationResult], position: int) -> bool:
    """Save a conversation's results together: a killed worker leaves none of it, and it is asked anew.

    False where the run was cancelled or deleted while the questions were asked.
    """
    keys = {(each.set_slug, each.key, each.number) for each in results}
    rows = Question.objects.filter(
        question_set__slug__in={slug for slug, _key, _number in keys}, key__in={key for _slug, key, _number in keys}
    ).values_list("question_set__slug", "key", "number", "pk")
    with transaction.atomic():
        is_wanted = EvaluationRun.objects.unfinished().select_for_update().filter(pk=run.pk).exists()
        if is_wanted:
            # Held until the results stand: a set that is deleted in between would leave them without their question.
            held = rows.select_for_update(of=("self",), no_key=True)
            ids = {(slug, key, number): pk for slug, key, number, pk in held}
            for place, each in enumerate(results):
                each.run, each.position = run, position + place
                each.question_id = ids.get((each.set_slug, each.key, each.number))
            EvaluationResult.objects.bulk_create(results, ignore_conflicts=True)
    return is_wanted


def _fail(pk: int, reason: str) -> Progress:
    return Progress.FAILED if _finish(pk, state="failed", reason=reason) else Progress.GONE


def _finish(pk: int, **changes: Any) -> bool:
    """End a run together with its figures: no page shows one without the other."""
    results = EvaluationResult.objects.filter(run=pk).order_by("position").defer("trace")
    figures = [figure_record(figure) for figure in figures_of(judged_of(results))]
    return _update(pk, finished_at=timezone.now(), figures=figures, asked=len(results), **changes)


def _update(pk: int, **changes: Any) -> bool:
    return bool(EvaluationRun.objects.unfinished().filter(pk=pk).update(seen_at=timezone.now(), **changes))


def _is_idle(pk: int) -> bool:
    with held_alone(LOCK_SPACE + pk) as is_alone:
        return is_alone
