"""Backtests: ordered by an editor, run by a worker, safe when delivered twice or killed."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.apps import apps
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from apps.core import ports
from apps.core.cleaning import clean_line
from apps.core.locks import held_alone
from apps.language.guessing import guess_language
from apps.language.masking import mask
from apps.language.public_people import public_people
from apps.rules.backtest_sets import CompiledRules
from apps.rules.backtesting import Asked, Engine, Tally
from apps.rules.loading import draft_set, live_release, protected_names, release_set
from apps.rules.models import Backtest, Rule
from apps.rules.services.previewing import release_proposal

logger = logging.getLogger(__name__)

MOST_QUESTIONS: Final = 10_000
LIST_DAYS: Final = 30
_UNFORESEEN: Final = gettext_noop(
    "The backtest failed for a reason that was not foreseen. The operator finds it in the log."
)
# Between two words to the page; also how soon a cancelled run notices.
_STEP: Final = 100
_STANDSTILL: Final = timedelta(minutes=2)
# Marks our advisory locks among those of others on the same server.
_LOCK_SPACE: Final = 0x5765_4254_0000_0000


class Outcome(StrEnum):
    """How a run ended."""

    DONE = "done"
    FAILED = "failed"
    BUSY = "busy"  # another worker is at work on it
    GONE = "gone"  # cancelled, or finished before


def backtest_start(
    *, author: Any, origin: str, limit: int = 1_000, lines: Sequence[str] = (), uids: Collection[str] | None = None
) -> Backtest:
    """Order a backtest of the draft, or of the chosen rules laid over what is live; a worker takes it from there.

    ``lines`` are the questions of an uploaded list: cleaned and masked like a reader's before they are kept.
    """
    from apps.rules.tasks import backtest_run as task

    backtest = Backtest.objects.create(
        origin=origin,
        limit=min(limit, MOST_QUESTIONS),
        questions=_listed(lines) if origin == Backtest.Origin.LIST else [],
        result={"uids": sorted(uids) if uids is not None else None},
        author=author,
    )
    task.delay_on_commit(backtest.pk)
    return backtest


def backtest_cancel(*, backtest: Backtest) -> bool:
    """Forget a backtest that is not finished; its worker notices and stops. False where it has just finished."""
    deleted, _rows = Backtest.objects.filter(pk=backtest.pk, state__in=["queued", "running"]).delete()
    return bool(deleted)


def backtest_run(*, pk: int) -> Outcome:
    """Ask all questions and keep the result. Raises only what may pass by itself: the database being away."""
    with held_alone(_LOCK_SPACE + pk) as is_alone:
        if not is_alone:
            return Outcome.BUSY
        backtest = Backtest.objects.filter(pk=pk, state__in=["queued", "running"]).first()
        if backtest is None:
            return Outcome.GONE
        try:
            return _run(backtest)
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            logger.exception("Backtest %d failed.", pk)
            _finish(pk, state=Backtest.State.FAILED, reason=_UNFORESEEN)
            return Outcome.FAILED


def backtests_resume() -> int:
    """Queue again what no worker is at work on; return how many. A run that is alive holds its lock and goes on."""
    from apps.rules.tasks import backtest_run as task

    waiting = Backtest.objects.filter(
        state__in=["queued", "running"], created_at__lt=timezone.now() - _STANDSTILL
    ).values_list("pk", flat=True)
    ids = [pk for pk in waiting if _is_idle(pk)]
    for pk in ids:
        task.delay_on_commit(pk)
    return len(ids)


def backtests_expire() -> int:
    """Forget the questions of uploaded lists after thirty days; the counts stay. Returns how many lists."""
    old = Backtest.objects.filter(created_at__lt=timezone.now() - timedelta(days=LIST_DAYS)).filter(~Q(questions=[]))
    return int(old.update(questions=[]))


def draft_state() -> str:
    """Return a short text that changes whenever the draft does: a backtest tells by it whether it still counts."""
    rules = Rule.objects.releasable().order_by("uid").values_list("uid", "version", "status", "parent__uid", "position")
    limits = (settings.RULE_FUZZY_THRESHOLD, settings.RULE_TOKEN_BUDGET)
    return hashlib.sha256(repr((list(rules), protected_names(), limits)).encode()).hexdigest()[:32]


def question_texts(backtest: Backtest, keys: Collection[str]) -> dict[str, Asked]:
    """Return the questions behind these keys that are still there; readers' ones may have expired."""
    if backtest.origin == Backtest.Origin.LOG:
        return {past.key: _asked(past) for past in ports.past_questions_by_key(list(keys))}
    return {asked.key: asked for asked in _kept_questions(backtest) if asked.key in set(keys)}


def _run(backtest: Backtest) -> Outcome:
    release = live_release()
    state = draft_state()
    uids = backtest.result.get("uids")
    new = draft_set() if uids is None else release_proposal(uids=uids)
    old = release_set(release) if release else None
    if not _update(backtest.pk, state=Backtest.State.RUNNING, release_number=release.number if release else 0):
        return Outcome.GONE
    before: Engine | None = CompiledRules(old) if old else None
    after = CompiledRules(new)
    questions = _questions(backtest)
    now, tally = timezone.now(), Tally()
    for place, asked in enumerate(questions):
        if place % _STEP == 0 and not _update(backtest.pk, progress=100 * place // len(questions)):
            return Outcome.GONE
        tally.add(asked, before, after, now)
    titles = {rule.uid: rule.title for rules in (old, new) if rules for rule in rules.rules}
    result = tally.to_json()
    named = {*result["rules"], *(uid for case in tally.cases for uid in (case.before, case.after))}
    result |= {
        "uids": uids,
        "draft": state,
        "titles": {uid: title for uid, title in titles.items() if uid in named},
        "wanted": len(questions),
    }
    return Outcome.DONE if _finish(backtest.pk, state="done", result=result, progress=100) else Outcome.GONE


def _questions(backtest: Backtest) -> list[Asked]:
    if backtest.origin == Backtest.Origin.LOG:
        return [_asked(past) for past in ports.past_questions(backtest.limit, None)]
    return _kept_questions(backtest)[: backtest.limit]


def _kept_questions(backtest: Backtest) -> list[Asked]:
    """Return the questions that are not in the log: an editor's list, or the demo's."""
    if backtest.origin == Backtest.Origin.DEMO:
        return list(_demo_questions())
    return [Asked(str(place), text, language) for place, (text, language) in enumerate(backtest.questions, start=1)]


@cache
def _demo_questions() -> tuple[Asked, ...]:
    path = Path(apps.get_app_config("documents").path) / "demo" / "questions.json"
    questions = json.loads(path.read_text(encoding="utf-8"))
    return tuple(Asked(one["id"], one["question"], one["language"]) for one in questions)


def _asked(past: ports.PastQuestion) -> Asked:
    return Asked(past.key, past.text, past.language, frozenset(past.builder_choices))


def _listed(lines: Iterable[str]) -> list[list[str]]:
    """Return questions with their language, as the chat would keep them: one line each, without personal data."""
    names = [*public_people(), *(alias for name in protected_names() for alias in name.aliases)]
    cleaned = (clean_line(line, limit=settings.QUESTION_MAX_CHARACTERS) for line in lines)
    texts = [mask(text, known_names=names).text for text in cleaned if text]
    return [[text, guess_language(text)] for text in texts[:MOST_QUESTIONS]]


def _update(pk: int, **changes: Any) -> bool:
    return bool(Backtest.objects.filter(pk=pk, state__in=["queued", "running"]).update(**changes))


def _finish(pk: int, **changes: Any) -> bool:
    return _update(pk, finished_at=timezone.now(), **changes)


def _is_idle(pk: int) -> bool:
    with held_alone(_LOCK_SPACE + pk) as is_alone:
        return is_alone
