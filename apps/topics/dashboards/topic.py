"""The page of one topic: what is asked, when, with which parties, and what answers it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.documents.models import Party
from apps.rules.models import Rule
from apps.topics.dashboards import reading
from apps.topics.dashboards.figures import PALETTE, Cell, Chart, bars, day_cell, day_word, number, percent, ranked_bars
from apps.topics.dashboards.quality import KINDS, Judged, judged_by_topic
from apps.topics.dashboards.reading import Filters, Sums
from apps.topics.models import Asked, Gap, QueryText, Topic, TopicEdit, TopicLineage, TopicMember
from apps.topics.wording import MOVEMENTS

_TYPICAL: Final = 15
_LINEAGE: Final = 20
_NEAR: Final = 60
# A question that few have asked is nobody's business without the permission to read.
_KNOWN_FROM: Final = 3


@dataclass(frozen=True, slots=True)
class Served:
    """A rule that has answered questions of the topic, and how often."""

    title: str
    address: str
    count: int


@dataclass(frozen=True, slots=True)
class TopicFacts:
    """What the page shows beside its charts."""

    finding: str
    charts: tuple[Chart, ...]
    central: str
    typical: tuple[QueryText, ...]
    rules: tuple[Served, ...]
    lineage: tuple[TopicLineage, ...]
    edits: tuple[TopicEdit, ...]
    gap: Gap | None
    others: tuple[Topic, ...]
    parts: tuple[Topic, ...]
    # answered, refused, asked back: whole percent; empty where nothing ended in one of them.
    ends: tuple[tuple[str, int], ...]
    types: tuple[tuple[str, int], ...]
    judged: Judged


def topic_facts(topic: Topic, filters: Filters, *, may_read: bool) -> TopicFacts:
    """Return the page's facts; readers' words only for those who may read them."""
    counted = reading.by_day(filters, topic.pk)
    sums = list(counted.values())
    judged = judged_by_topic(filters, topic.pk).get(topic.pk, Judged())
    return TopicFacts(
        finding=_finding(topic, sums),
        charts=tuple(chart for chart in (_days(topic, filters, counted), _parties(topic, filters)) if chart.rows),
        central=_central(topic, may_read=may_read),
        typical=tuple(TopicMember.objects.typical(topic.pk, _TYPICAL)) if may_read else (),
        rules=_rules(topic, filters),
        lineage=tuple(
            TopicLineage.objects.filter(Q(old=topic) | Q(new=topic)).select_related("run", "old", "new")
            .order_by("-run__created_at", "pk")[:_LINEAGE]
        ),
        edits=tuple(topic.edits.select_related("editor")[:_LINEAGE]),
        gap=topic.gaps.order_by("-opened_at").first(),
        others=tuple(Topic.objects.living().exclude(pk=topic.pk).defer("centre", "named_for")[:_NEAR]),
        parts=tuple(topic.parts.all()),
        ends=_ends(sums),
        types=tuple((str(kind.label), judged.kinds[kind]) for kind in KINDS if judged.kinds.get(kind)),
        judged=judged,
    )  # fmt: skip


def _finding(topic: Topic, sums: Sequence[Sums]) -> str:
    sessions = sum(each.sessions for each in sums)
    if not sessions:
        return _("Nobody has asked about this in the period.")
    answered = sum(each.answered for each in sums)
    decided = answered + sum(each.refused for each in sums)
    said = _("%(sessions)d readers' days; trend: %(trend)s.") % {
        "sessions": sessions,
        "trend": MOVEMENTS.get(topic.movement, "–"),
    }
    if not decided:
        return said
    share = {"share": round(100 * answered / decided)}
    return f"{said} {_('%(share)d %% of the questions that could be answered were answered.') % share}"


def _central(topic: Topic, *, may_read: bool) -> str:
    if topic.central is None:
        return ""
    if may_read:
        return topic.central.text
    sessions = topic.central.asked.values("session").distinct().count()
    return topic.central.text if sessions >= _KNOWN_FROM else ""


def _days(topic: Topic, filters: Filters, counted: dict[Any, Sums]) -> Chart:
    days = filters.all_days
    found = [counted.get(day, Sums()) for day in days]
    if not any(sums.messages for sums in found):
        return Chart("series", _("Day by day"), "", (), ())
    rows = tuple(
        (day_cell(day, filters.today), number(sums.sessions), number(sums.messages), number(sums.answered),
         number(sums.refused), number(sums.clarified), percent(sums.answered_share))
        for day, sums in zip(days, found, strict=True)
    )  # fmt: skip
    best = max(range(len(days)), key=lambda place: found[place].sessions)
    summary = _("Most readers on %(day)s: %(number)d.") % {
        "day": day_word(days[best]),
        "number": found[best].sessions,
    }
    columns = (_("Day"), _("Readers"), _("Questions"), _("answered"), _("refused"), _("asked back"),
               _("Share answered"))  # fmt: skip
    series = [(topic.name, [float(sums.sessions) for sums in found], PALETTE[0])]
    return Chart("series", _("Day by day"), summary, columns, rows, bars(days, series, today=filters.today))


def _parties(topic: Topic, filters: Filters) -> Chart:
    names = dict(Party.objects.values_list("slug", "short_name"))
    found = {slug: sums for slug, sums in reading.sums_by_party(filters, topic.pk).items() if slug in names}
    order = sorted(found, key=lambda slug: (-found[slug].sessions, slug))
    rows = tuple(
        (Cell(names[slug]), number(found[slug].sessions), percent(found[slug].answered_share)) for slug in order
    )
    # All of them where several are: none is put before its equals.
    most = [names[slug] for slug in order if found[slug].sessions == found[order[0]].sessions]
    summary = _("Named most with it: %(party)s.") % {"party": ", ".join(most)}
    figure = ranked_bars([names[slug] for slug in order], [found[slug].sessions for slug in order])
    return Chart("topic-parties", _("Parties named"), summary, (_("Party"), _("Readers by day"), _("Answered")), rows,
                 figure)  # fmt: skip


def _rules(topic: Topic, filters: Filters) -> tuple[Served, ...]:
    first = max(filters.first, filters.today - timedelta(days=28))
    turns = Asked.objects.filter(text__member__topic=topic, day__gte=first).exclude(turn__rule_uid="")
    counts = dict(turns.values_list("turn__rule_uid").annotate(n=Count("pk")).order_by("-n")[:10])
    rules = {rule.uid: rule for rule in Rule.objects.filter(uid__in=counts)}
    return tuple(
        Served(
            rules[uid].title if uid in rules else uid,
            reverse("admin:rules_rule_change", args=[rules[uid].pk]) if uid in rules else "",
            count,
        )
        for uid, count in counts.items()
    )


def _ends(sums: Sequence[Sums]) -> tuple[tuple[str, int], ...]:
    answered, refused = sum(each.answered for each in sums), sum(each.refused for each in sums)
    clarified = sum(each.clarified for each in sums)
    total = answered + refused + clarified
    ends = ((_("answered"), answered), (_("refused"), refused), (_("asked back"), clarified))
    return tuple((word, round(100 * count / total)) for word, count in ends) if total else ()
