"""Reads over texts, topics, members and gaps."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db import models
from django.db.models.functions import Coalesce, NullIf

LIVING = ("candidate", "active", "dormant")
# Of so many wordings each, the typical questions of a topic are looked for.
_WORDINGS = 20
OPEN = ("open", "taken", "reopened")


class QueryTextQuerySet(models.QuerySet[Any]):
    """Texts by what they are ready for."""

    def different(self) -> int:
        """Return how many different things are asked: wordings with one gist are one, as a run counts them."""
        questions = self.filter(kind="text")
        about = Coalesce(NullIf("gist_key", models.Value("")), "key")
        return int(questions.aggregate(number=models.Count(about, distinct=True))["number"])

    def without_vector(self) -> QueryTextQuerySet:
        """Questions that wait to be embedded, the oldest first."""
        return self.filter(kind="text", embedder="").order_by("pk")

    def of_other_embedders(self, embedder: str) -> QueryTextQuerySet:
        """Questions whose vectors another embedder made: they cannot be compared with this one's."""
        return self.filter(kind="text").exclude(embedder__in=("", embedder))

    def embedded(self, embedder: str) -> QueryTextQuerySet:
        """Questions in the space of one embedder, in the order of what they are about."""
        return self.filter(kind="text", embedder=embedder).order_by("gist_key", "key")


class AskedQuerySet(models.QuerySet[Any]):
    """Questions as topics count them."""

    def of_days(self, first: date, last: date) -> AskedQuerySet:
        """From the first to the last Berlin day, both included."""
        return self.filter(day__gte=first, day__lte=last)


class TopicQuerySet(models.QuerySet[Any]):
    """Topics by what may be done with them."""

    def living(self) -> TopicQuerySet:
        """Those that texts are placed in: neither retired nor merged away."""
        return self.filter(state__in=LIVING)

    def placeable(self) -> TopicQuerySet:
        """All centres that a text may be nearest to: merged topics go on taking texts for the one they are part of."""
        return self.filter(models.Q(state__in=LIVING) | models.Q(state="merged")).exclude(centre=b"")

    def shown(self) -> TopicQuerySet:
        """What lists and charts show."""
        return self.living().filter(is_hidden=False)

    def public(self) -> TopicQuerySet:
        """What may be shown to readers at all: approved by a person, alive, neither hidden nor held back."""
        return self.filter(state="active", is_public=True, is_hidden=False).exclude(label_editor="")


class MemberQuerySet(models.QuerySet[Any]):
    """Members of topics."""

    def typical(self, topic_id: int, most: int) -> list[Any]:
        """Return the texts in the middle of a topic, one of those that are about the same."""
        rows = self.filter(topic_id=topic_id).select_related("text").order_by("-similarity", "text_id")
        found: dict[str, Any] = {}
        for row in rows[: _WORDINGS * most]:
            found.setdefault(row.text.gist_key or row.text.key, row.text)
        return list(found.values())[:most]


class GapQuerySet(models.QuerySet[Any]):
    """Gaps by where they stand."""

    def open(self) -> GapQuerySet:
        """Those that somebody still has to close."""
        return self.filter(state__in=OPEN)
