"""Makes the demo's topics once its log is there, and takes them out with it."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import date
from pathlib import Path
from typing import Final

from django.db.models import Count, F, Q

from apps.querylog.demo.planning import plan
from apps.querylog.models import Conversation, Turn
from apps.topics.models import Asked, Gap, StoredChart, Topic, TopicDay, TopicEdit, TopicRun, VectorSpace
from apps.topics.services import edits
from apps.topics.services.counting import days_count, days_forget, days_kept
from apps.topics.services.gaps import gaps_update
from apps.topics.services.log_reading import days_follow_the_log, log_read
from apps.topics.services.ordering import run_order
from apps.topics.services.standing_figures import topics_refresh
from apps.topics.text_keys import text_key

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
    if is_untouched():
        _forget_half_a_log()
    run_execute(pk=run_order().pk)
    about = _subjects()
    for wanted in json.loads(_NAMES.read_text(encoding="utf-8")):
        _approve(wanted, about)
    days_count(days=days_follow_the_log())
    # Twice: what is weak in two runs in a row opens a gap with few askers too.
    gaps_update()
    gaps_update()
    return len(panel_make().topics)


def is_untouched() -> bool:
    """Say whether the topics rest on the demo's log alone and nobody has changed any."""
    return not (Conversation.objects.filter(is_demo=False).exists() or TopicEdit.objects.exists())


def _forget_half_a_log() -> None:
    """Begin anew: what ran by day while the log was still coming has seen half of it."""
    _forget_runs()
    Topic.objects.update(merged_into=None, state=Topic.State.ACTIVE)
    Topic.objects.all().delete()


def _subjects() -> dict[str, str]:
    """Return the plan's subject of each text of the demo's log, by the text's key."""
    of = {each.uuid: each.subject for each in plan()}
    turns = Turn.objects.filter(conversation__is_demo=True).values_list("conversation__uuid", "question")
    return {text_key(question): of[uuid] for uuid, question in turns if uuid in of}


def _approve(wanted: dict[str, str], about: Mapping[str, str]) -> None:
    """Make one topic of those that are mostly on a subject, name and approve it; what a person has named stays."""
    if Topic.objects.filter(label_editor=wanted["name"]).exists():
        return
    keys = [key for key, subject in about.items() if subject == wanted["subject"]]
    own = Count("members", filter=Q(members__text__key__in=keys))
    living = Topic.objects.living().filter(label_editor="").annotate(own=own, size=Count("members"))
    found = list(living.filter(own__gt=F("size") / 2).order_by("-own", "pk"))
    if not found:
        return
    if len(found) > 1:
        edits.topics_merge(into=found[0], others=found[1:], editor=None)
    edits.topic_rename(topic=found[0], name=wanted["name"], editor=None)
    edits.topic_set(topic=found[0], kind="public", value=True, editor=None, question=wanted["question"])


def demo_topics_remove(days: Collection[date] = ()) -> int:
    """Take out what only the demo's questions have made: topics, counts, charts; return how many topics went.

    ``days`` are those on which nobody but the demo has asked. What real readers have asked stays, forgotten or not.
    Fills the port ``querylog.demo_removed``.
    """
    days_forget(days=days)
    days_count(days=days_kept())
    asked = Q(members__isnull=False) | Q(part_members__isnull=False) | Q(days__isnull=False)
    real = Topic.objects.filter(asked).values("pk")
    empty = Topic.objects.exclude(pk__in=real).exclude(parts__in=real)
    count = empty.count()
    Topic.objects.filter(merged_into__in=empty).delete()
    empty.delete()
    # The next run and the next morning draw them from what is left.
    StoredChart.objects.all().delete()
    if not (Asked.objects.exists() or TopicDay.objects.exists()):
        _forget_runs()
        VectorSpace.objects.all().delete()
    else:
        topics_refresh()
    return count


def _forget_runs() -> None:
    for model in (TopicDay, StoredChart, TopicRun, Gap):
        model.objects.all().delete()
