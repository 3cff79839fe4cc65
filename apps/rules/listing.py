"""The rule list as the desk sees it: rows of the tree with their figures, in a constant number of queries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery, Sum, Window
from django.db.models.functions import Coalesce, RowNumber
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.rules.models import Release, Rule, RuleDocument, RuleHitDay, RuleVersion, TokenList, TriggerPhrase
from apps.rules.querysets import RuleQuerySet
from apps.rules.types import Status

# Of one parent's rules, or of what a search found, on one page.
MOST_SHOWN: Final = 50
MOST_OPEN: Final = 50
_ORDER: Final = ("position", "uid")
# A bar is full at so many hits in 30 days; it grows with their logarithm, so that ten and a thousand both show.
_FULL_BAR: Final = 10_000


@dataclass(frozen=True, slots=True)
class Traffic:
    """How often a rule answered, over all its versions."""

    week: int = 0
    month: int = 0
    last_at: datetime | None = None

    @property
    def bar(self) -> int:
        """Return 0 to 100."""
        return min(100, round(100 * math.log1p(self.month) / math.log1p(_FULL_BAR)))


@dataclass(slots=True)
class RuleRow:
    """One line of the list. ``children`` holds what is shown below it; ``change`` is what the next release would do.

    ``held_by`` is the nearest rule above that is not active, so that this one does not count either.
    """

    rule: Any
    traffic: Traffic
    change: str
    validity: str
    path: tuple[str, ...]
    held_by: str
    level: int
    is_open: bool = False
    children: list[RuleRow] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.rule.title or self.rule.uid

    @property
    def status_word(self) -> str:
        """Return the short word of the status, which explains itself after a colon."""
        return str(self.rule.get_status_display()).split(":")[0]

    @property
    def standing(self) -> str:
        """Say what readers get of the rule now, not only what its draft says."""
        if self.change == "removed":
            return _("%(status)s: live until the next release") % {"status": self.status_word}
        if self.rule.status == Status.PAUSED and self.change == "changed":
            return _("paused: from the next release on")
        if self.rule.status != Status.ACTIVE or self.change == "new":
            return str(self.rule.get_status_display())
        if self.held_by:
            return _("active, but the rule above it is not: %(rule)s") % {"rule": self.held_by}
        if self.validity == "expired":
            return _("active, but its time is over")
        if self.validity == "future":
            return _("active, but its time has not come yet")
        if self.change == "changed":
            return _("live; what has changed goes live with the next release")
        return _("live")

    @property
    def more(self) -> int:
        """Return how many rules below are not shown because there are too many."""
        return max(0, self.rule.children_counted - len(self.children)) if self.is_open else 0


def against_release(rules: RuleQuerySet, live: Release | None) -> RuleQuerySet:
    """Rules with whether they are live at all, and live just as they are. An edit that was undone counts as none."""
    # No release has the key 0; None would mean versions that are in none.
    released = RuleVersion.objects.filter(entries__release=live.pk if live else 0, uid=OuterRef("uid"))
    draft = RuleVersion.objects.filter(uid=OuterRef("uid"), number=OuterRef(OuterRef("version"))).values("data")
    as_it_is = released.filter(Q(number=OuterRef("version")) | Q(data=Subquery(draft)))
    return rules.annotate(is_released=Exists(released), is_live_so=Exists(as_it_is))


def changed_since(rules: RuleQuerySet, live: Release | None) -> RuleQuerySet:
    """Return the rules that the next release would add, change or take out."""
    goes_in = Q(status__in=[Status.ACTIVE, Status.PAUSED])
    return against_release(rules, live).filter((goes_in & Q(is_live_so=False)) | (~goes_in & Q(is_released=True)))


def listed(rules: RuleQuerySet, live: Release | None) -> RuleQuerySet:
    """Rules with what a row needs and without long texts."""
    lists = TokenList.objects.filter(rule=OuterRef("pk"), role__in=["core", "anchor"])
    phrases = TriggerPhrase.objects.filter(rule=OuterRef("pk"))
    documents = RuleDocument.objects.filter(rule=OuterRef("pk")).order_by().values("rule")
    children = visible(Rule.objects.all()).filter(parent=OuterRef("pk")).order_by().values("parent")
    # The longest way up that a tree of five levels has.
    return (
        against_release(rules, live)
        .select_related("owner", "parent__parent__parent__parent")
        .defer("answer_text", "reason")
        .annotate(
            has_phrases=Exists(phrases),
            has_similar=Exists(phrases.filter(is_fuzzy=True)),
            has_words=Exists(lists),
            documents_counted=Coalesce(Subquery(documents.annotate(counted=Count("pk")).values("counted")), 0),
            children_counted=Coalesce(Subquery(children.annotate(counted=Count("pk")).values("counted")), 0),
        )
    )


def visible(rules: RuleQuerySet) -> RuleQuerySet:
    """What the tree shows: archived rules only where others still stand below them."""
    below = Rule.objects.filter(parent=OuterRef("pk")).exclude(status=Status.ARCHIVED)
    return rules.filter(~Q(status=Status.ARCHIVED) | Exists(below))


def tree_rows(*, top: Rule | None, opened: Sequence[str], offset: int, live: Release | None) -> list[RuleRow]:
    """Return the rules below ``top`` (None: the roots) from ``offset`` on, and the children of opened ones.

    Two queries, however many are open. Of each parent's rules there are at most ``MOST_SHOWN``.
    """
    # Of the top's own rules only this page is asked for.
    wanted = set(opened[:MOST_OPEN]) - {top.uid if top else ""}
    here = visible(Rule.objects.filter(parent=top)).order_by(*_ORDER).values("pk")[offset : offset + MOST_SHOWN]
    place = Window(RowNumber(), partition_by="parent", order_by=_ORDER)
    below = visible(Rule.objects.filter(parent__uid__in=wanted)).annotate(place=place).filter(place__lte=MOST_SHOWN)
    shown = Rule.objects.filter(Q(pk__in=here) | Q(pk__in=below.values("pk")))
    rows = rows_of(listed(shown, live).order_by(*_ORDER))
    by_parent: dict[int | None, list[RuleRow]] = {}
    for row in rows:
        by_parent.setdefault(row.rule.parent_id, []).append(row)
    for row in rows:
        row.is_open = row.rule.uid in wanted and row.rule.children_counted > 0
        row.children = by_parent.get(row.rule.pk, []) if row.is_open else []
    return by_parent.get(top.pk if top else None, [])


def rows_of(shown: Iterable[Any]) -> list[RuleRow]:
    """Return rows for rules of ``listed``. One query more than the rules'."""
    now, rules = timezone.now(), list(shown)
    uids = [rule.uid for rule in rules]
    traffic = traffic_of(uids, now)
    return [_row(rule, traffic.get(rule.uid, Traffic()), now) for rule in rules]


def row_of(uid: str, live: Release | None) -> RuleRow | None:
    """Return the line of one rule, None where there is none. Two queries."""
    return next(iter(rows_of(listed(Rule.objects.filter(uid=uid), live))), None)


def traffic_of(uids: Sequence[str], now: datetime) -> dict[str, Traffic]:
    """Return how often these rules answered in the last 7 and 30 days, today included, and when last."""
    today = timezone.localdate(now)
    sums: QuerySet[Any, Any] = (
        RuleHitDay.objects.filter(uid__in=uids)
        .order_by()
        .values("uid")
        .annotate(
            week=Sum("count", filter=Q(day__gt=today - timedelta(days=7)), default=0),
            month=Sum("count", filter=Q(day__gt=today - timedelta(days=30)), default=0),
            last=Max("last_at"),
        )
    )
    return {row["uid"]: Traffic(row["week"], row["month"], row["last"]) for row in sums}


def _row(rule: Any, traffic: Traffic, now: datetime) -> RuleRow:
    above: list[Any] = []
    while (parent := (above[-1] if above else rule).parent) is not None and len(above) < 10:
        above.append(parent)
    held_by = next((each.title or each.uid for each in above if each.status != Status.ACTIVE), "")
    return RuleRow(
        rule=rule,
        traffic=traffic,
        change=_change(rule),
        validity=_validity(rule, now),
        path=tuple(each.title or each.uid for each in reversed(above)),
        held_by=held_by,
        level=len(above) + 1,
    )


def _change(rule: Any) -> str:
    if rule.status not in (Status.ACTIVE, Status.PAUSED):
        return "removed" if rule.is_released else ""
    if not rule.is_released:
        return "new"
    return "" if rule.is_live_so else "changed"


def _validity(rule: Rule, now: datetime) -> str:
    if rule.valid_until is not None and rule.valid_until <= now:
        return "expired"
    if rule.valid_from is not None and rule.valid_from > now:
        return "future"
    return "now" if rule.valid_from or rule.valid_until else ""
