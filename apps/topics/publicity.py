"""What readers may see of what others ask: counted a day late, over whole days, rounded, and never by subtraction."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from django.db.models import Count
from django.utils import timezone

from apps.querylog.counting import berlin_today
from apps.topics.modelling.publicity import Counted, PublicTopic, brake, panel
from apps.topics.models import Asked, StoredChart, Topic

logger = logging.getLogger(__name__)
NAME: Final = "public"
_WINDOW: Final = 7
_HELD_FOR: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Panel:
    """The panel as it was made once for a day: everybody sees the same until the next day."""

    first: date
    last: date
    total: int
    topics: tuple[PublicTopic, ...]


def panel_make(*, today: date | None = None) -> Panel:
    """Count the last seven whole Berlin days, hold back what looks pushed, and store the panel of the day.

    The window ends the day before yesterday's midnight: a day late. It is made once per day, so that no two windows of
    one day can be subtracted; from one day to the next whole tens change or nothing does.
    """
    day = today or berlin_today()
    last = day - timedelta(days=2)
    first = last - timedelta(days=_WINDOW - 1)
    counted = [_counted(topic, first, last) for topic in Topic.objects.public().order_by("pk")]
    held = {each.key: brake(each) for each in counted}
    _hold_back({key: reason for key, reason in held.items() if reason})
    free = set(Topic.objects.public().filter(held_reason="").values_list("pk", flat=True))
    shown = panel([each for each in counted if each.key in free])
    total = Asked.objects.of_days(first, last).filter(is_left_out=False).values("day", "session").distinct().count()
    made = Panel(first, last, round(total, -1), tuple(shown))
    StoredChart.objects.update_or_create(name=NAME, defaults={"data": _stored(made)})
    return made


def panel_read() -> Panel | None:
    """Return the stored panel without what an editor has taken away since; None before the first. Two queries."""
    row = StoredChart.objects.filter(name=NAME).values_list("data", flat=True).first()
    if not row:
        return None
    allowed = Topic.objects.public().filter(held_reason="")
    names = {
        pk: (name, question) for pk, name, question in allowed.values_list("pk", "label_editor", "public_question")
    }
    topics = tuple(
        PublicTopic(item["key"], names[item["key"]][0], names[item["key"]][1], item["bar"], item["movement"])
        for item in row["topics"]
        if item["key"] in names
    )
    return Panel(date.fromisoformat(row["first"]), date.fromisoformat(row["last"]), row["total"], topics)


def _counted(topic: Topic, first: date, last: date) -> Counted:
    """Count a topic's votes: one per session and day."""
    asked = Asked.objects.filter(text__member__topic=topic, is_left_out=False)
    week = asked.of_days(first, last)
    votes = week.values("day", "session").distinct().count()
    earlier = asked.of_days(first - timedelta(days=_WINDOW), first - timedelta(days=1))
    before = earlier.values("day", "session").distinct().count()
    # By the hour of UTC: in October two hours of one night have the same name in Berlin.
    moments = week.values_list("asked_at", flat=True)
    hours = Counter(moment.replace(minute=0, second=0, microsecond=0) for moment in moments)
    texts = week.values("text").annotate(n=Count("session", distinct=True)).order_by("-n")
    return Counted(
        key=topic.pk,
        name=topic.label_editor,
        question=topic.public_question,
        votes=votes,
        before=before,
        days=week.values("day").distinct().count(),
        hours=tuple(sorted(hours.values(), reverse=True)),
        commonest=int(texts[0]["n"]) if texts else 0,
        texts=len(texts),
    )


def _hold_back(reasons: Mapping[int, str]) -> None:
    """Hold topics back for an editor to look at; one that was let go on stays free for a week."""
    for key, reason in reasons.items():
        topic = Topic.objects.get(pk=key)
        if topic.held_until is not None and topic.held_until > timezone.now() and not topic.held_reason:
            continue
        topic.held_reason, topic.held_until = reason, timezone.now() + _HELD_FOR
        topic.save(update_fields=["held_reason", "held_until"])
        logger.warning("Topic %d is held back from readers until an editor looks at it: %s.", key, reason)


def _stored(made: Panel) -> dict[str, Any]:
    topics: Sequence[dict[str, Any]] = [
        {"key": each.key, "bar": each.bar, "movement": each.movement} for each in made.topics
    ]
    return {"first": made.first.isoformat(), "last": made.last.isoformat(), "total": made.total, "topics": list(topics)}
