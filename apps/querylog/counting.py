"""Counts of the log by day: kept for past days, which outlive the questions, and made on the spot for today."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from apps.querylog.models import LogDay, Turn

# Days that are counted anew every night: a turn may end, or be deleted by its reader, after midnight.
_COUNTED_AGAIN: Final = 2
# Everything that is counted, from the turns of one span. Blocked input and what says nothing names nobody.
_COUNTS: Final = """
WITH asked AS (
    SELECT turn.id, conversation.session_day AS reader, conversation.is_demo,
        turn.kind, turn.outcome, turn.parties, turn.people
    FROM querylog_turn AS turn JOIN querylog_conversation AS conversation ON conversation.id = turn.conversation_id
    WHERE turn.created_at >= %(start)s AND turn.created_at < %(end)s
), counted AS (
    SELECT 'all' AS counted, '' AS value, id, reader, is_demo FROM asked
    UNION ALL SELECT 'kind', kind, id, reader, is_demo FROM asked
    UNION ALL SELECT 'outcome', outcome, id, reader, is_demo FROM asked WHERE kind = 'text' AND outcome <> ''
    UNION ALL SELECT 'party', unnest(parties), id, reader, is_demo FROM asked WHERE kind = 'text'
    UNION ALL SELECT 'person', unnest(people), id, reader, is_demo FROM asked WHERE kind = 'text'
)
SELECT counted, value, count(*), count(DISTINCT reader), is_demo
FROM counted GROUP BY counted, value, is_demo ORDER BY counted, value, is_demo
"""


@dataclass(frozen=True, slots=True)
class DayCount:
    """So many questions and readers of one day; see LogDay."""

    day: date
    counted: str
    value: str
    turns: int
    sessions: int
    is_demo: bool = False


def berlin_span(day: date) -> tuple[datetime, datetime]:
    """Return a day's first moment and the next day's, in the house's time zone: 23 to 25 hours."""
    zone = timezone.get_default_timezone()
    first = datetime.combine(day, datetime.min.time(), tzinfo=zone)
    return first, datetime.combine(day + timedelta(days=1), datetime.min.time(), tzinfo=zone)


def berlin_today() -> date:
    """Return the house's day, whatever zone a request has."""
    return timezone.localdate(timezone=timezone.get_default_timezone())


def day_counted(day: date) -> list[DayCount]:
    """Count one day from its questions. One query."""
    start, end = berlin_span(day)
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, {"start": start, "end": end})
        return [DayCount(day, *row) for row in cursor.fetchall()]


def days_roll_up() -> int:
    """Keep the counts of past days that are not kept yet, and of the last ones anew; return how many days.

    A day whose questions may be gone in part is left as it was counted before.
    """
    today = berlin_today()
    # The last of its questions go tonight: until then it is whole.
    oldest = today - timedelta(days=settings.QUESTION_RETENTION_DAYS)
    kept = set(LogDay.objects.filter(counted=LogDay.Counted.ALL, day__gte=oldest).values_list("day", flat=True))
    asked = _days_with_questions(oldest, today)
    again = {today - timedelta(days=back) for back in range(1, _COUNTED_AGAIN + 1)}
    # Where nothing is left of a day that could still be whole, its readers have deleted everything.
    emptied = {day for day in (again & kept) - asked if day > oldest}
    wanted = sorted((asked - kept) | (again & asked) | emptied)
    for day in wanted:
        day_keep(day)
    return len(wanted)


def _days_with_questions(first: date, today: date) -> set[date]:
    """The past days on which something was asked."""
    turns = Turn.objects.filter(created_at__gte=berlin_span(first)[0], created_at__lt=berlin_span(today)[0])
    moments = turns.datetimes("created_at", "day", tzinfo=timezone.get_default_timezone())
    return {moment.date() for moment in moments}


def day_keep(day: date) -> None:
    """Write the counts of one day in place of those that are kept of it. Twice, or two at once, leave the same rows."""
    rows = [LogDay(**asdict(count)) for count in day_counted(day)]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('querylog.days'))")
        LogDay.objects.filter(day=day).delete()
        LogDay.objects.bulk_create(rows)


def counts_between(first: date, last: date, *counted: str) -> list[DayCount]:
    """Return kept counts of past days, and today's made on the spot, oldest first. Two queries at most."""
    kept = LogDay.objects.filter(day__gte=first, day__lte=last, counted__in=counted).order_by("day", "counted", "value")
    found = [DayCount(row.day, row.counted, row.value, row.turns, row.sessions, row.is_demo) for row in kept]
    today = berlin_today()
    if first <= today <= last:
        found = [count for count in found if count.day != today]
        found += [count for count in day_counted(today) if count.counted in counted]
    return found
