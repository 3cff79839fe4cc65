"""The honest view of a small log: every question once, near-duplicates in one line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Count

from apps.topics.modelling.discovery import LEAST_FOR_TOPICS
from apps.topics.modelling.grouping import near_duplicates
from apps.topics.models import Asked, QueryText

_MOST: Final = 60


@dataclass(frozen=True, slots=True)
class Group:
    """One line: a wording, how many sessions asked it, in how many wordings, and which parties it names."""

    text: str
    sessions: int
    wordings: int
    parties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """What there is below 30 different questions. ``groups`` is None for who may not read readers' words."""

    texts: int
    needed: int
    without_words: int
    groups: tuple[Group, ...] | None


def question_groups(*, may_read: bool) -> Listing:
    """Return the list, the commonest first."""
    texts = list(QueryText.objects.filter(kind=QueryText.Kind.TEXT).order_by("key")[:_MOST])
    count = QueryText.objects.filter(kind=QueryText.Kind.TEXT).count()
    without = Asked.objects.filter(text__kind=QueryText.Kind.NO_TEXT).count()
    return Listing(count, LEAST_FOR_TOPICS, without, _groups(texts) if may_read else None)


def _groups(texts: list[QueryText]) -> tuple[Group, ...]:
    counted = Asked.objects.filter(text__in=texts).values("text").annotate(n=Count("session", distinct=True)).order_by()
    sessions = dict(counted.values_list("text", "n"))
    members: dict[int, list[QueryText]] = {}
    for text, label in zip(texts, near_duplicates(tuple(text.text for text in texts)), strict=True):
        members.setdefault(int(label), []).append(text)
    groups = [
        Group(
            max(group, key=lambda text: (sessions.get(text.pk, 0), text.text)).text,
            sum(sessions.get(text.pk, 0) for text in group),
            len(group),
            tuple(sorted({party for text in group for party in text.parties})),
        )
        for group in members.values()
    ]
    return tuple(sorted(groups, key=lambda group: (-group.sessions, group.text)))
