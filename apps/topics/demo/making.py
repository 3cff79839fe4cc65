"""Makes the demo's topics once its log is there, and takes them out with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from django.db.models import Count, Q

from apps.querylog.demo.planning import plan
from apps.querylog.models import Conversation
from apps.topics.models import Asked, Gap, StoredChart, Topic, TopicDay, TopicRun
from apps.topics.services import edits
from apps.topics.services.counting import days_count
from apps.topics.services.gaps import gaps_update
from apps.topics.services.log_reading import days_follow_the_log, log_read
from apps.topics.services.ordering import run_order

_NAMES: Final = Path(__file__).parent / "names.json"


def log_is_loaded() -> bool:
    """Say whether the demo's log is there as a whole."""
    return Conversation.objects.filter(is_demo=True).count() >= len(plan())


def demo_topics_make() -> int:
    """Date everything as the log does, run the topics, name the large ones; return how many readers may see."""
    from apps.topics.publicity import panel_make
    from apps.topics.services.running import run_execute

    log_read(most=1_000_000)
    days_count(days=days_follow_the_log())
    run_execute(pk=run_order().pk)
    for wanted in json.loads(_NAMES.read_text(encoding="utf-8")):
        _approve(wanted)
    # Twice: what is weak in two runs in a row opens a gap with few askers too.
    gaps_update()
    gaps_update()
    return len(panel_make().topics)


def _approve(wanted: dict[str, Any]) -> None:
    """Name and approve the topic that most questions with these words are in; what a person has named stays."""
    if Topic.objects.filter(label_editor=wanted["name"]).exists():
        return
    has_word = Q()
    for word in wanted["words"]:
        has_word |= Q(members__text__text__icontains=word)
    found = Topic.objects.living().filter(has_word, label_editor="").annotate(n=Count("members")).order_by("-n").first()
    if found is None:
        return
    edits.topic_rename(topic=found, name=wanted["name"], editor=None)
    edits.topic_set(topic=found, kind="public", value=True, editor=None, question=wanted["question"])


def demo_topics_remove() -> int:
    """Take out topics that nobody's questions are left in, with their counts; return how many went."""
    empty = Topic.objects.filter(members__isnull=True, part_members__isnull=True)
    count = empty.count()
    Topic.objects.filter(merged_into__in=empty).delete()
    empty.delete()
    if not Asked.objects.exists():
        for model in (TopicDay, StoredChart, TopicRun, Gap):
            model.objects.all().delete()
    return count
