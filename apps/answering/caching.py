"""Answers to first questions that others have asked before: found by a keyed hash, made void by what made them.

The key holds everything that an answer depends on: a new release, another state of the sources, other settings,
another day or a rule whose time has come each make another key, so nothing has to be looked for and removed. What a
conversation has put here goes with it (``cache_forget``), everything goes after its time.
"""

from __future__ import annotations

import hmac
import json
import logging
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.db import connection
from django.utils import timezone

from apps.answering.event_json import event_from_json, event_to_json
from apps.answering.models import CachedAnswer, CacheDay
from apps.rag.desk import ExtraSearch
from apps.rag.events import Decided, Done, Event, Failed, Notice, Retrieved
from apps.rag.generation import Grounding
from apps.rag.refusal import CUT_SHORT
from apps.rag.types import AnswerContext, Decision, Outcome, Question
from apps.rules.live import LiveRules, current

logger = logging.getLogger(__name__)

# What a turn's versions name: the key of the answer, and when it was made where it was not made for this turn.
KEY: Final = "cache"
MADE: Final = "cached_at"
_LARGEST: Final = 300_000
_ENDS: Final = re.compile(r"[\s?!.]+$")
_KEPT_DAYS: Final = 90
_UNTIL_WHOLE: Final = 60
_COUNT: Final = (
    "INSERT INTO answering_cacheday (day, asked, hits, stored) VALUES (%s, %s, %s, %s) ON CONFLICT (day) DO UPDATE SET"
    " asked = answering_cacheday.asked + excluded.asked, hits = answering_cacheday.hits + excluded.hits,"
    " stored = answering_cacheday.stored + excluded.stored"
)
_moments: tuple[LiveRules | None, list[datetime]] = (None, [])


def cache_key(question: Question, context: AnswerContext, versions: Mapping[str, str]) -> str:
    """Return the keyed hash of everything that the answer to a first question depends on.

    Upper and lower case differ on purpose: "die Grünen" is a party and "die grünen" need not be.
    """
    rules = current()
    asked = " ".join(unicodedata.normalize("NFKC", question.text).split())
    parts = (
        _ENDS.sub("", asked),
        question.language,
        context.locale,
        context.audience,
        context.includes_desk,
        sorted(context.party_slugs),
        sorted(context.builder_choices),
        list(context.sub_queries),
        context.wants_offers,
        timezone.localdate(context.now).isoformat(),
        str(settings.ELECTION_DAY),
        rules.release if rules else 0,
        bisect_right(_rule_moments(rules), context.now),
        sorted(versions.items()),
    )
    text = json.dumps(parts, ensure_ascii=False)
    return hmac.new(settings.SECRET_KEY.encode(), text.encode("utf-8", "replace"), sha256).hexdigest()


def _rule_moments(rules: LiveRules | None) -> list[datetime]:
    """The moments at which a rule of this release begins or ends to hold, in order."""
    global _moments
    if rules is None:
        return []
    held, moments = _moments
    if held is not rules:
        found = {each for spec in rules.specs.values() for each in (spec.valid_from, spec.valid_until) if each}
        moments = sorted(found)
        _moments = (rules, moments)
    return moments


def cached_events(key: str) -> Sequence[Event] | None:
    """Return the events of a kept answer, marked with when it was made; None where there is none. Counts the question.

    A cache that breaks is an empty one.
    """
    try:
        row = CachedAnswer.objects.filter(key=key, expires_at__gt=timezone.now()).first()
        _count(asked=1, hits=1 if row else 0)
        return [_marked(event_from_json(data), row) for data in row.events] if row else None
    except Exception as error:
        # Without its message: it may quote what is stored.
        logger.error("The cache of answers could not be read: %s", type(error).__name__)
        return None


def _marked(event: Event, row: CachedAnswer) -> Event:
    if isinstance(event, Decided):
        return replace(event, versions={**event.versions, MADE: row.made_at.isoformat(timespec="seconds")})
    return replace(event, timings={}) if isinstance(event, Done) else event


@dataclass(slots=True)
class Recording:
    """Takes down one answer for others. ``seconds`` is how long it may serve."""

    key: str
    seconds: int
    events: list[Event] = field(default_factory=list)

    def take(self, event: Event) -> Event:
        """Note an event and return it; the decision names the key, so that the answer can be forgotten."""
        if isinstance(event, Decided):
            event = replace(event, versions={**event.versions, KEY: self.key})
        self.events.append(event)
        return event

    @property
    def is_worth_keeping(self) -> bool:
        """Say whether the answer came about as it should: nothing broke, nothing was late, nothing was held back."""
        decided = next((event for event in self.events if isinstance(event, Decided)), None)
        done = self.events[-1] if self.events else None
        if decided is None or not isinstance(done, Done) or any(isinstance(event, Failed) for event in self.events):
            return False
        if decided.decision in (Decision.CHAT, Decision.CLARIFY) or decided.rule is None:
            return False
        if done.outcome not in (Outcome.ANSWERED, Outcome.REFUSED) or not _was_written_well(done):
            return False
        if any(isinstance(event, Notice) and event.code == CUT_SHORT for event in self.events):
            return False
        retrieved = next((event for event in self.events if isinstance(event, Retrieved)), None)
        return retrieved is not None and _was_searched_well(decided, retrieved)

    @property
    def _serves(self) -> int:
        """For how many seconds: an answer without all its follow-ups bridges a rush, then gives way to a whole one."""
        is_whole = all(event.is_whole for event in self.events if isinstance(event, Done))
        return self.seconds if is_whole else min(self.seconds, _UNTIL_WHOLE)

    def store(self) -> None:
        """Keep the answer, unless there is no room: what is old goes by itself."""
        try:
            events = [event_to_json(event) for event in self.events]
            if len(json.dumps(events)) > _LARGEST or CachedAnswer.objects.count() >= settings.ANSWER_CACHE_ENTRIES:
                return
            row = CachedAnswer(
                key=self.key,
                events=events,
                expires_at=timezone.now() + timedelta(seconds=self._serves),
            )
            CachedAnswer.objects.bulk_create(
                [row], update_conflicts=True, unique_fields=["key"], update_fields=["events", "made_at", "expires_at"]
            )
            _count(stored=1)
        except Exception as error:
            logger.error("An answer could not be kept for others: %s", type(error).__name__)


def _was_written_well(done: Done) -> bool:
    """No model was asked, or it has answered, or it has said that the sources do not."""
    if not done.writing:
        return True
    fine = {Grounding.GROUNDED.value, Grounding.DECLARED_UNSUPPORTED.value}
    return done.writing.get("grounding") in fine and not done.writing.get("failure")


def _was_searched_well(decided: Decided, retrieved: Retrieved) -> bool:
    """Passages came, and by meaning too; a search beside a rule that was wanted has answered."""
    by_meaning = any(passage.scores.cosine is not None for passage in retrieved.passages)
    is_alone = decided.rule is not None and decided.rule.winner and decided.rule.extra is ExtraSearch.OFF
    broke = retrieved.use is not None and retrieved.use.search_broke
    return bool(retrieved.passages) and (by_meaning or bool(is_alone)) and not broke


def cache_forget(*, keys: Iterable[str]) -> int:
    """Remove the answers that these conversations have made or got; return how many there were."""
    gone, _ = CachedAnswer.objects.filter(key__in=set(keys)).delete()
    return gone


def cache_tidy() -> int:
    """Remove what has expired, and counts that nobody looks at any more; return how many answers went."""
    gone, _ = CachedAnswer.objects.filter(expires_at__lte=timezone.now()).delete()
    CacheDay.objects.filter(day__lt=timezone.localdate() - timedelta(days=_KEPT_DAYS)).delete()
    return gone


def hit_days(days: int = 14) -> list[CacheDay]:
    """Return what the cache did on the last days, newest first."""
    return list(CacheDay.objects.filter(day__gt=timezone.localdate() - timedelta(days=days)))


def _count(*, asked: int = 0, hits: int = 0, stored: int = 0) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [timezone.localdate(), asked, hits, stored])
