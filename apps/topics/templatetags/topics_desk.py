"""``{% topic_of_turn pk as topic %}``: for the page of a question in the back office."""

from __future__ import annotations

from django import template

from apps.topics import log_topics
from apps.topics.models import Topic

register = template.Library()


@register.simple_tag
def topic_of_turn(turn: int) -> Topic | None:
    """Return the topic that a question of the log is on."""
    return log_topics.topic_of_turn(turn)
