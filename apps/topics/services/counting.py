"""Counts days into rollups: one statement per day, so that pages never read questions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from django.db import connection, transaction

from apps.topics.models import Asked, TopicDay

# Whoever names two parties counts under each of them, and once under "". Text without a subject (small talk, blocked,
# without words) belongs to no topic and counts only under "all".
_COUNTS: Final = """
WITH asked AS (
    SELECT a.session, a.outcome, a.is_refused, a.is_disliked, a.is_left_out, t.kind, t.parties, m.topic_id,
           a.judged_by <> '' AS is_judged,
           (coalesce(a.clear_intent, 0) + coalesce(a.clear_subject, 0) + coalesce(a.clear_names, 0)) / 3.0 AS clarity,
           CASE WHEN a.is_left_out OR a.outcome = 'clarified' THEN 0
                WHEN a.is_refused THEN 1 WHEN a.is_disliked THEN 0.8
                WHEN a.closeness IS NULL OR s.tau IS NULL THEN 0
                ELSE 1 / (1 + exp(least(50, greatest(-50, (a.closeness - s.tau) / s.spread)))) END AS weak
    FROM topics_asked AS a
    JOIN topics_querytext AS t ON t.id = a.text_id
    LEFT JOIN topics_topicmember AS m ON m.text_id = a.text_id
    LEFT JOIN topics_vectorspace AS s ON s.embedder = t.embedder
    WHERE a.day = %(day)s
), named AS (
    SELECT asked.*, party FROM asked
    CROSS JOIN LATERAL (SELECT '' AS party UNION SELECT unnest(asked.parties)) AS parties_named
), counted AS (
    SELECT 'all' AS scope, NULL::bigint AS topic, named.* FROM named
    UNION ALL
    SELECT CASE WHEN topic_id IS NULL THEN 'unplaced' ELSE 'topic' END, topic_id, named.* FROM named
    WHERE kind = 'text'
)
INSERT INTO topics_topicday (day, scope, topic_id, party, sessions, messages, answered, refused, clarified, disliked,
    left_out, small_talk, without_text, weak, judged, clarity_sum)
SELECT %(day)s, scope, topic, party, count(DISTINCT session) FILTER (WHERE kind = 'text'),
    count(*) FILTER (WHERE kind = 'text'), count(*) FILTER (WHERE outcome = 'answered' AND NOT is_left_out),
    count(*) FILTER (WHERE is_refused), count(*) FILTER (WHERE outcome = 'clarified' AND NOT is_left_out),
    count(*) FILTER (WHERE is_disliked), count(*) FILTER (WHERE is_left_out AND kind = 'text'),
    count(*) FILTER (WHERE kind = 'small_talk'), count(*) FILTER (WHERE kind IN ('no_text', 'too_short')),
    coalesce(sum(weak), 0), count(*) FILTER (WHERE is_judged), coalesce(sum(clarity) FILTER (WHERE is_judged), 0)
FROM counted GROUP BY scope, topic, party
"""


def days_count(*, days: Iterable[date]) -> int:
    """Count these Berlin days anew from the questions that are kept; return how many.

    A day of which no question is left keeps what was counted: questions are forgotten, counts are not.
    """
    kept = set(Asked.objects.filter(day__in=set(days)).values_list("day", flat=True).distinct())
    for day in sorted(kept):
        with transaction.atomic(), connection.cursor() as cursor:
            # Two workers that count the same day take turns.
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_LOCK, day.toordinal()])
            TopicDay.objects.filter(day=day).delete()
            cursor.execute(_COUNTS, {"day": day})
    return len(kept)


def days_forget(*, days: Iterable[date]) -> None:
    """Take out the counts of those of these days that no question is kept of: what was counted there has moved away."""
    gone = set(days) - set(Asked.objects.filter(day__in=set(days)).values_list("day", flat=True))
    TopicDay.objects.filter(day__in=gone).delete()


_LOCK: Final = 7_004


def days_kept() -> list[date]:
    """Return all days of which questions are kept."""
    return list(Asked.objects.order_by("day").values_list("day", flat=True).distinct())
