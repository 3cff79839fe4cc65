"""Reads over rules."""

from __future__ import annotations

from typing import Any

from django.db import models


class RuleQuerySet(models.QuerySet[Any]):
    """Rules by what they may do and with what belongs to them."""

    def releasable(self) -> RuleQuerySet:
        """What the next release holds: active rules, and paused ones so that they can come back."""
        return self.filter(status__in=["active", "paused"])

    def tags_in_use(self) -> list[str]:
        """Every tag once, by the alphabet."""
        tags = self.annotate(tag=models.Func(models.F("tags"), function="unnest")).order_by("tag")
        return list(tags.values_list("tag", flat=True).distinct())

    def whole(self) -> RuleQuerySet:
        """With all rows, in a constant number of queries."""
        return self.select_related("parent", "owner").prefetch_related(
            "phrases", "token_lists__slots", "documents", "links__link", "examples"
        )
