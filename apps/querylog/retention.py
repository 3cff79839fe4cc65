"""How the log forgets: a conversation at its reader's wish, all when its time is over, the day's key at night."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from apps.answering.caching import KEY, cache_forget
from apps.core.ports import turns_erasing
from apps.querylog.counting import berlin_span, berlin_today
from apps.querylog.models import Conversation, DailyKey, SourceReport, Turn

logger = logging.getLogger(__name__)
_BATCH: Final = 2_000


def conversation_delete(*, conversation: Conversation) -> None:
    """Forget a conversation with all its turns, what the cache holds of its answers, and what other apps made of it."""
    with transaction.atomic():
        turns_erase(conversation.turns.all())
        conversation.delete()


def turns_expire() -> dict[str, int]:
    """Forget what is older than the retention time, and the keys of past days. Returns how many rows went.

    Whole days of Berlin time go, so that a day's counts are made from all of its questions or not at all.
    """
    before = kept_from()
    turns = sum(_batches_erased(before))
    # Readers' words too, though no conversation holds them.
    _, reports = SourceReport.objects.filter(created_at__lt=before).delete()
    _, conversations = Conversation.objects.filter(created_at__lt=before, turns__isnull=True).delete()
    return {
        "turns": turns,
        "conversations": conversations.get("querylog.Conversation", 0),
        "source_reports": reports.get("querylog.SourceReport", 0),
        "keys": keys_destroy(),
    }


def kept_from() -> datetime:
    """Return the moment from which on questions are kept: today is the last day of their time."""
    return berlin_span(berlin_today() - timedelta(days=settings.QUESTION_RETENTION_DAYS - 1))[0]


def keys_destroy() -> int:
    """Destroy the keys of past days; return how many: from now on their hashes lead back to nobody."""
    _, keys = DailyKey.objects.filter(day__lt=berlin_today()).delete()
    return keys.get("querylog.DailyKey", 0)


def _batches_erased(before: datetime) -> Iterator[int]:
    """Erase old turns in batches, each in a transaction of its own; yield how many went."""
    while True:
        keys = list(Turn.objects.filter(created_at__lt=before).order_by("pk").values_list("pk", flat=True)[:_BATCH])
        if not keys:
            return
        with transaction.atomic():
            yield turns_erase(Turn.objects.filter(pk__in=keys))


def turns_erase(turns: QuerySet[Turn]) -> int:
    """Erase turns with the cached answers that they made or got; other apps are told first, in the same transaction."""
    keys = list(turns.filter(versions__has_key=KEY).values_list(f"versions__{KEY}", flat=True))
    cache_forget(keys=keys)
    turns_erasing(list(turns.values_list("pk", flat=True)))
    _, gone = turns.delete()
    return gone.get("querylog.Turn", 0)
