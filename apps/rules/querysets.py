"""Reads over rules."""

from __future__ import annotations

from typing import Any

from django.db import models


class RuleQuerySet(models.QuerySet[Any]):
    """Rules by what they may do and with what belongs to them."""

    def releasable(self) -> RuleQuerySet:
        """What the next release holds: active rules, and paused ones so that they can come back."""
        return self.filter(status__in=["active", "paused"])

    def whole(self) -> RuleQuerySet:
        """With all rows, in a constant number of queries."""
        return self.select_related("parent", "owner").prefetch_related(
            "phrases", "token_lists__slots", "documents", "links__link", "examples"
        )
