"""Reads rollups for the dashboards: a handful of queries per page, however many questions there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.db.models import QuerySet, Sum
from django.http import QueryDict

from apps.documents.models import Party
from apps.querylog.counting import berlin_today
from apps.topics.models import TopicDay

SPANS: Final = (7, 28, 90)


@dataclass(frozen=True, slots=True)
class Filters:
    """What the address asks for: a period that ends today, and a party ("" for all)."""

    days: int
    party: str
    today: date

    @property
    def first(self) -> date:
        return self.today - timedelta(days=self.days - 1)

    @property
    def all_days(self) -> list[date]:
        return [self.first + timedelta(days=number) for number in range(self.days)]

    @property
    def query(self) -> str:
        """Return the address's part that asks for the same again."""
        found = QueryDict(mutable=True)
        found["days"] = str(self.days)
        if self.party:
            found["party"] = self.party
        return found.urlencode()


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over a period. Sessions are session-days: who comes on two days counts twice."""

    sessions: int = 0
    messages: int = 0
    answered: int = 0
    refused: int = 0
    clarified: int = 0
    left_out: int = 0
    small_talk: int = 0
    without_text: int = 0
    judged: int = 0
    clarity: float | None = None

    @property
    def answered_share(self) -> float | None:
        decided = self.answered + self.refused
        return self.answered / decided if decided else None

    @property
    def decided(self) -> int:
        """Return how many questions ended in one of the three ways: answered, refused, asked back."""
        return self.answered + self.refused + self.clarified

    def share(self, count: int) -> float | None:
        """Return a share of all that ended in one of the three ways."""
        return count / self.decided if self.decided else None


def filters_of(query: QueryDict, today: date | None = None) -> Filters:
    """Read the address; what is no choice of ours counts as none."""
    days = query.get("days", "")
    slug = query.get("party", "")[:50]
    is_known = bool(slug) and Party.objects.filter(slug=slug).exists()
    return Filters(
        int(days) if days.isdecimal() and int(days) in SPANS else SPANS[1],
        slug if is_known else "",
        today or berlin_today(),
    )


_COLUMNS: Final = (
    "sessions", "messages", "answered", "refused", "clarified", "left_out", "small_talk", "without_text", "judged",
)  # fmt: skip


def sums_by_topic(filters: Filters) -> dict[int, Sums]:
    """Return the sums of each topic; 0 is what is unplaced."""
    rows = _days(filters).exclude(scope=TopicDay.Scope.ALL).values("topic")
    return {row["topic"] or 0: _sums(row) for row in rows.annotate(**_sums_wanted()).order_by()}


def sums_of_all(filters: Filters) -> Sums:
    """Return the sums of everything."""
    return _sums(_days(filters).filter(scope=TopicDay.Scope.ALL).aggregate(**_sums_wanted()))


def sums_by_party(filters: Filters, topic: int | None = None) -> dict[str, Sums]:
    """Return the sums of each party named, of one topic or of everything."""
    scope = TopicDay.Scope.ALL if topic is None else TopicDay.Scope.TOPIC
    rows = TopicDay.objects.filter(day__range=(filters.first, filters.today), scope=scope).exclude(party="")
    if topic is not None:
        rows = rows.filter(topic=topic)
    return {row["party"]: _sums(row) for row in rows.values("party").annotate(**_sums_wanted()).order_by()}


def matrix(filters: Filters) -> dict[tuple[int, str], int]:
    """Return session-days by topic and party."""
    rows = TopicDay.objects.filter(day__range=(filters.first, filters.today), scope=TopicDay.Scope.TOPIC)
    found = rows.exclude(party="").values_list("topic", "party").annotate(total=Sum("sessions")).order_by()
    return {(topic, party): total for topic, party, total in found}


def by_day(filters: Filters, topic: int | None = None) -> dict[date, Sums]:
    """Return the sums of each day, of one topic or of everything."""
    rows = _days(filters)
    rows = rows.filter(topic=topic) if topic is not None else rows.filter(scope=TopicDay.Scope.ALL)
    return {row["day"]: _sums(row) for row in rows.values("day").annotate(**_sums_wanted()).order_by()}


def sessions_by_day(filters: Filters) -> dict[int, dict[date, int]]:
    """Return each topic's session-days by day; 0 is what is unplaced."""
    found: dict[int, dict[date, int]] = {}
    rows = _days(filters).exclude(scope=TopicDay.Scope.ALL).values_list("topic", "day", "sessions")
    for topic, day, sessions in rows:
        found.setdefault(topic or 0, {})[day] = sessions
    return found


def _days(filters: Filters) -> QuerySet[TopicDay]:
    return TopicDay.objects.filter(day__range=(filters.first, filters.today), party=filters.party)


def _sums_wanted() -> dict[str, Sum]:
    return {f"{name}_sum": Sum(name) for name in (*_COLUMNS, "clarity_sum")}


def _sums(row: Mapping[str, object]) -> Sums:
    values = {name: int(str(row[f"{name}_sum"] or 0)) for name in _COLUMNS}
    total = float(str(row["clarity_sum_sum"] or 0))
    return Sums(**values, clarity=total / values["judged"] if values["judged"] else None)
