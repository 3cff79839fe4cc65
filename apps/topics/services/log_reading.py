"""Takes finished turns of the log into the topics' tables, and forgets them with the log."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import Final

from django.db import transaction
from django.db.models import Max

from apps.querylog.feedback_models import AnswerFeedback
from apps.querylog.marking import NEUTRALITY
from apps.querylog.models import Turn
from apps.rag.types import Outcome
from apps.topics.modelling.trends import berlin_day
from apps.topics.models import Asked, QueryText
from apps.topics.services.counting import days_forget
from apps.topics.text_keys import text_key

_BATCH: Final = 1_000
# A turn that ends after later ones were read must still be found: by number, since a log may be filled in backwards.
_LOOK_BACK: Final = 20_000
_NO_ANSWER: Final = frozenset({Outcome.CHATTED.value, Outcome.FAILED.value, Outcome.INTERRUPTED.value, ""})


def log_read(*, most: int = 20_000) -> set[date]:
    """Take in what has been asked since the last time; return the Berlin days that have changed."""
    days: set[date] = set()
    newest = Asked.objects.aggregate(newest=Max("turn_id"))["newest"]
    waiting = Turn.objects.filter(state=Turn.State.DONE, asked__isnull=True)
    if newest is not None:
        waiting = waiting.filter(pk__gt=newest - _LOOK_BACK)
    for start in range(0, most, _BATCH):
        turns = list(waiting.select_related("conversation", "feedback").order_by("pk")[:_BATCH])
        days |= turns_take_in(turns=turns)
        if len(turns) < _BATCH or start + _BATCH >= most:
            break
    return days


def turns_take_in(*, turns: Sequence[Turn]) -> set[date]:
    """Store these turns' texts and how each was asked. A turn that is known already changes nothing."""
    if not turns:
        return set()
    keys = {turn.pk: text_key(turn.question) for turn in turns}
    with transaction.atomic():
        _texts_store(turns, keys)
        texts = dict(QueryText.objects.filter(key__in=set(keys.values())).values_list("key", "pk"))
        rows = [_asked(turn, texts[keys[turn.pk]]) for turn in turns if keys[turn.pk] in texts]
        Asked.objects.bulk_create(rows, ignore_conflicts=True, batch_size=_BATCH)
    return {row.day for row in rows}


def _texts_store(turns: Sequence[Turn], keys: dict[int, str]) -> None:
    fresh: dict[str, QueryText] = {}
    for turn in turns:
        fresh.setdefault(
            keys[turn.pk],
            QueryText(
                key=keys[turn.pk],
                text=turn.question,
                language=turn.language,
                kind=turn.kind,
                parties=list(turn.parties),
                first_asked=turn.created_at,
            ),
        )
    # In the order of the keys: two workers that store the same texts must not wait for each other in a circle.
    QueryText.objects.bulk_create([fresh[key] for key in sorted(fresh)], ignore_conflicts=True, batch_size=_BATCH)


def _asked(turn: Turn, text_id: int) -> Asked:
    is_neutral = turn.ended_with in NEUTRALITY
    feedback = getattr(turn, "feedback", None)
    return Asked(
        turn=turn,
        text_id=text_id,
        session=turn.conversation.session_day,
        day=berlin_day(turn.created_at),
        asked_at=turn.created_at,
        outcome=turn.outcome,
        is_refused=turn.outcome == Outcome.REFUSED and not is_neutral,
        is_disliked=feedback is not None and feedback.verdict == AnswerFeedback.Verdict.NOT_USEFUL,
        is_left_out=turn.kind != QueryText.Kind.TEXT or is_neutral or turn.outcome in _NO_ANSWER,
    )


def feedback_read() -> set[date]:
    """Note which answers readers have disliked since they were read; return the days that have changed."""
    disliked = Asked.objects.filter(is_disliked=False, turn__feedback__verdict=AnswerFeedback.Verdict.NOT_USEFUL)
    days = set(disliked.values_list("day", flat=True))
    disliked.update(is_disliked=True)
    return days


def turns_forget(turn_ids: Collection[int]) -> None:
    """Forget what was made of turns that are about to be erased: fills the port ``querylog.turns_erasing``.

    A text goes, with its vector and its membership, when nobody else has asked it. Counts by day stay.
    """
    asked = Asked.objects.filter(turn_id__in=turn_ids)
    texts = set(asked.values_list("text_id", flat=True))
    asked.delete()
    QueryText.objects.filter(pk__in=texts, asked__isnull=True).delete()


def days_follow_the_log() -> set[date]:
    """Date everything as the log does now: the demo's log is dated anew. Returns the days that have changed.

    Days that it has left hold nothing any more: counted once, the same questions must not stand on two days.
    """
    moved = []
    days: set[date] = set()
    for asked in Asked.objects.select_related("turn").iterator(chunk_size=_BATCH):
        if asked.asked_at != asked.turn.created_at:
            days |= {asked.day, berlin_day(asked.turn.created_at)}
            asked.asked_at, asked.day = asked.turn.created_at, berlin_day(asked.turn.created_at)
            moved.append(asked)
    Asked.objects.bulk_update(moved, ["asked_at", "day"], batch_size=_BATCH)
    days_forget(days=days)
    return days
