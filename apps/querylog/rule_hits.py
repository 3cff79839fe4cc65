"""Counts how often rules answer: one statement per turn, and never at the cost of an answer."""

from __future__ import annotations

import logging
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from apps.querylog.models import Turn
from apps.rules.models import RuleHitDay

logger = logging.getLogger(__name__)

# Sorted, so that two turns with the same rules never wait for each other in a circle.
_COUNT = f"""
INSERT INTO {RuleHitDay._meta.db_table} AS known (uid, version, stage, day, count, last_at)
SELECT uid, version, stage, %(day)s, 1, %(at)s
FROM unnest(%(uids)s::text[], %(versions)s::int[], %(stages)s::text[]) AS hit (uid, version, stage) ORDER BY uid
ON CONFLICT (uid, day, version, stage)
DO UPDATE SET count = known.count + 1, last_at = greatest(known.last_at, excluded.last_at)
"""


def rule_hits_count(*, turn: Turn) -> None:
    """Count a finished turn for every rule that brought something to it, under its day in the house's time zone."""
    hits = turn.rule.get("hits", [])
    if not hits:
        return
    values: dict[str, Any] = {
        "uids": [hit["uid"] for hit in hits],
        "versions": [hit["version"] for hit in hits],
        "stages": [hit["stage"] for hit in hits],
        "day": timezone.localdate(turn.created_at, timezone.get_default_timezone()),
        "at": turn.created_at,
    }
    try:
        # A savepoint of its own: inside a transaction a refused statement would undo the turn as well.
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_COUNT, values)
    except DatabaseError as error:
        logger.error("The hits of a rule could not be counted: %s", type(error).__name__)
