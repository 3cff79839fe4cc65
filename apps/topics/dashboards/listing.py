"""The honest view of a small log: every question once, near-duplicates in one line."""

from __future__ import annotations

from collections.abc import Sequence
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
    """What there is below 30 different questions. ``groups`` is None for who may not read readers' words.

    ``texts`` counts different questions as a run does, ``wordings`` what was typed; ``shown`` of those are listed.
    """

    texts: int
    needed: int
    wordings: int
    shown: int
    without_words: int
    groups: tuple[Group, ...] | None


def question_groups(*, may_read: bool) -> Listing:
    """Return the list, the commonest first."""
    questions = QueryText.objects.filter(kind=QueryText.Kind.TEXT)
    texts = list(questions.annotate(n=Count("asked__session", distinct=True)).order_by("-n", "key")[:_MOST])
    without = Asked.objects.filter(text__kind=QueryText.Kind.NO_TEXT).count()
    return Listing(
        QueryText.objects.different(), LEAST_FOR_TOPICS, questions.count(), len(texts), without,
        _groups(texts) if may_read else None,
    )  # fmt: skip


def _groups(texts: Sequence[QueryText]) -> tuple[Group, ...]:
    sessions: dict[int, set[str]] = {}
    for text_id, session in Asked.objects.filter(text__in=texts).values_list("text", "session").distinct():
        sessions.setdefault(text_id, set()).add(session)
    members: dict[int, list[QueryText]] = {}
    for text, label in zip(texts, near_duplicates(tuple(text.text for text in texts)), strict=True):
        members.setdefault(int(label), []).append(text)
    groups = [
        Group(
            max(group, key=lambda text: (len(sessions.get(text.pk, ())), text.text)).text,
            # Who has asked it in two wordings is one reader.
            len(set().union(*(sessions.get(text.pk, set()) for text in group))),
            len(group),
            tuple(sorted({party for text in group for party in text.parties})),
        )
        for group in members.values()
    ]
    return tuple(sorted(groups, key=lambda group: (-group.sessions, group.text)))
