"""The log by topics: fills the ports of the list of questions, and says beside a question which topic it is on."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.topics.models import Asked, Topic, TopicMember

UNPLACED: Final = "none"
_MOST: Final = 200


def topic_choices(user: Any) -> list[tuple[str, str]]:
    """Return what is unplaced, then the topics that are asked most."""
    if not user.has_perm("topics.view_topic"):
        return []
    topics = Topic.objects.shown().defer("centre", "named_for")[:_MOST]
    return [(UNPLACED, _("unplaced: fits no topic")), *((str(topic.pk), topic.name) for topic in topics)]


def turns_on_topic(key: str) -> QuerySet[Asked, Any]:
    """Return the keys of the turns on a topic, or of questions on none."""
    if key == UNPLACED:
        asked = Asked.objects.filter(text__kind="text", text__member__isnull=True)
    else:
        asked = Asked.objects.filter(text__member__topic=int(key) if key.isdecimal() and len(key) < 16 else None)
    return asked.values("turn")


def topic_of_turn(turn: int) -> Topic | None:
    """Return the topic of a question of the log; None where it is on none, or not read yet."""
    member = TopicMember.objects.filter(text__asked__turn=turn).select_related("topic").first()
    return member.topic if member else None
