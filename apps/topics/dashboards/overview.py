"""The overview: what readers ask, what is growing, what is answered, how stable the topics are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.topics.dashboards import reading
from apps.topics.dashboards.figures import (
    PALETTE,
    UNPLACED_COLOUR,
    Cell,
    Chart,
    bars,
    day_cell,
    day_word,
    lines,
    number,
    percent,
)
from apps.topics.dashboards.reading import Filters, Sums
from apps.topics.dashboards.waiting import nobody_asked, why_empty
from apps.topics.modelling.discovery import LEAST_FOR_TOPICS
from apps.topics.models import QueryText, Topic, TopicRun
from apps.topics.wording import MOVEMENTS

_SHOWN: Final = 8
_RUNS: Final = 30


@dataclass(frozen=True, slots=True)
class Page:
    """What a dashboard shows: one finding, and at most four charts."""

    finding: str
    charts: tuple[Chart, ...]


def overview(filters: Filters) -> Page:
    """Return the overview of a period."""
    topics = list(Topic.objects.shown())
    by_topic, total = reading.sums_by_topic(filters), reading.sums_of_all(filters)
    charts = [_topics_chart(filters, topics, by_topic, total), _days_chart(filters, topics, by_topic)]
    charts += [_answers_chart(filters), _stability_chart()]
    return Page(_finding(filters, topics, by_topic, total), tuple(chart for chart in charts if chart.rows))


def _finding(filters: Filters, topics: Sequence[Topic], by_topic: dict[int, Sums], total: Sums) -> str:
    """Say the one thing that the desk should know first."""
    if not total.messages:
        return why_empty() or nobody_asked(filters)
    growing = [topic for topic in topics if topic.movement == "growing"]
    if growing:
        best = max(growing, key=lambda topic: topic.trend_z)
        return _("“%(topic)s” is growing: %(now)d readers in seven days, %(before)d in a usual week.") % {
            "topic": best.name,
            "now": best.sessions_week,
            "before": round(best.sessions_before),
        }
    placed = [topic for topic in topics if by_topic.get(topic.pk, Sums()).sessions]
    if not placed:
        return f"{_asked(total.messages)} {_why_not_placed()}"
    best = max(placed, key=lambda topic: by_topic[topic.pk].sessions)
    # True of one among equals, too.
    return _("No topic is asked about more than “%(topic)s”: on %(share)d %% of the readers' days.") % {
        "topic": best.name,
        "share": round(100 * by_topic[best.pk].sessions / max(1, total.sessions)),
    }


def _asked(number: int) -> str:
    return ngettext("%(number)d question in this period.", "%(number)d questions in this period.", number) % {
        "number": number
    }


def _why_not_placed() -> str:
    """Say why what was asked is in no topic: there are none yet, or it fits none of them."""
    if Topic.objects.living().exists():
        return _("None of them is in a topic that is shown.")
    if QueryText.objects.different() < LEAST_FOR_TOPICS:
        return _("From 30 different ones on they are grouped into topics.")
    return _("There are enough questions for topics: the next run groups them.")


def _topics_chart(filters: Filters, topics: Sequence[Topic], by_topic: dict[int, Sums], total: Sums) -> Chart:
    asked = [topic for topic in topics if topic.pk in by_topic]
    asked.sort(key=lambda topic: (not topic.is_pinned, -by_topic[topic.pk].sessions, topic.pk))
    rows = [_topic_row(topic, by_topic[topic.pk], total) for topic in asked]
    rest = by_topic.get(0)
    if rest is not None:
        rows.append(_plain_row(_("unplaced: fits no topic"), rest, total))
    talk = total.small_talk + total.without_text
    if talk:
        rows.append((Cell(_("small talk and what has no words")), number(talk), *(Cell("–", is_number=True),) * 5))
    unplaced = rest.sessions / max(1, total.sessions) if rest else 0.0
    summary = (
        _("There are no topics yet.")
        if not Topic.objects.living().exists()
        else ngettext(
            "%(number)d topic; %(unplaced)d %% of the readers' days fit none.",
            "%(number)d topics; %(unplaced)d %% of the readers' days fit none.",
            len(asked),
        )
        % {"number": len(asked), "unplaced": round(100 * unplaced)}
    )
    columns = (_("Topic"), _("Readers by day"), _("Share"), _("Trend"), _("Answered"), _("Clarity (1–3)"), _("Gap"))
    return Chart("topics", _("Topics"), summary, columns, tuple(rows))


def _topic_row(topic: Topic, sums: Sums, total: Sums) -> tuple[Cell, ...]:
    address = reverse("admin:topics_topic_change", args=[topic.pk])
    return (
        Cell(topic.name, address),
        number(sums.sessions),
        percent(sums.sessions / max(1, total.sessions)),
        Cell(str(MOVEMENTS.get(topic.movement, "–"))),
        percent(sums.answered_share),
        Cell(_("not measured"), is_number=True) if sums.clarity is None else number(sums.clarity, 1),
        number(topic.gap_score) if topic.gap_score else Cell("–", is_number=True),
    )


def _plain_row(name: str, sums: Sums, total: Sums) -> tuple[Cell, ...]:
    dash = Cell("–", is_number=True)
    share = percent(sums.sessions / max(1, total.sessions))
    return (Cell(name), number(sums.sessions), share, Cell("–"), percent(sums.answered_share), dash, dash)


def _days_chart(filters: Filters, topics: Sequence[Topic], by_topic: dict[int, Sums]) -> Chart:
    days, counted = filters.all_days, reading.sessions_by_day(filters)
    order = sorted((topic for topic in topics if topic.pk in by_topic), key=lambda topic: -by_topic[topic.pk].sessions)
    first, rest = order[:_SHOWN], order[_SHOWN:]
    series: list[tuple[str, list[float], str]] = [
        (topic.name, [float(counted.get(topic.pk, {}).get(day, 0)) for day in days], PALETTE[place])
        for place, topic in enumerate(first)
    ]
    if rest:
        others = [float(sum(counted.get(topic.pk, {}).get(day, 0) for topic in rest)) for day in days]
        series.append((_("other topics"), others, PALETTE[-1]))
    series.append((_("unplaced"), [float(counted.get(0, {}).get(day, 0)) for day in days], UNPLACED_COLOUR))
    rows = [
        (
            day_cell(day, filters.today),
            *(number(values[place]) for _name, values, _colour in series),
        )
        for place, day in enumerate(days)
    ]
    if not any(any(values) for _name, values, _colour in series):
        return Chart("days", _("Day by day"), "", (), ())
    busiest = max(range(len(days)), key=lambda place: sum(values[place] for _name, values, _colour in series))
    summary = _("Readers per day by topic; most on %(day)s.") % {"day": day_word(days[busiest])}
    columns = (_("Day"), *(name for name, _values, _colour in series))
    return Chart("days", _("Day by day"), summary, columns, tuple(rows), bars(days, series, today=filters.today))


def _answers_chart(filters: Filters) -> Chart:
    days, counted = filters.all_days, reading.by_day(filters)
    found = [counted.get(day, Sums()) for day in days]
    answered, refused = [float(sums.answered) for sums in found], [float(sums.refused) for sums in found]
    clarified = [float(sums.clarified) for sums in found]
    total = sum(answered) + sum(refused)
    if not total:
        return Chart("answers", _("Answers"), "", (), ())
    rows = [
        (day_cell(day, filters.today), number(sums.answered), number(sums.refused),
         number(sums.clarified), percent(sums.answered_share))
        for day, sums in zip(days, found, strict=True)
    ]  # fmt: skip
    summary = _("%(share)d %% of the questions that could be answered were answered.") % {
        "share": round(100 * sum(answered) / total)
    }
    series = [(_("answered"), answered, PALETTE[2]), (_("refused"), refused, PALETTE[0])]
    series.append((_("asked back"), clarified, PALETTE[4]))
    columns = (_("Day"), _("answered"), _("refused"), _("asked back"), _("Share answered"))
    return Chart("answers", _("Answers"), summary, columns, tuple(rows), bars(days, series, today=filters.today))


def _stability_chart() -> Chart:
    runs = list(TopicRun.objects.filter(state=TopicRun.State.ACCEPTED).order_by("-created_at")[:_RUNS])[::-1]
    if not runs:
        return Chart("stability", _("Stability"), "", (), ())
    rows = [
        (
            Cell(day_word(localtime(run.created_at).date()), reverse("admin:topics_topicrun_change", args=[run.pk])),
            Cell(run.get_kind_display()),
            number(run.topics),
            number(run.born),
            percent(run.went_on_share),
            percent(run.unplaced_share),
        )
        for run in runs[::-1]
    ]
    last = runs[-1]
    summary = _("The first run found %(born)d topics.") % {"born": last.born}
    if len(runs) > 1:
        summary = _("Last run: %(share)d %% of the topics went on, %(born)d are new.") % {
            "share": round(100 * (last.survival or 0)),
            "born": last.born,
        }
    x = [localtime(run.created_at).replace(tzinfo=None).isoformat(timespec="minutes") for run in runs]
    series = [
        (_("topics that went on"), [run.went_on_share for run in runs], PALETTE[1]),
        (_("unplaced"), [run.unplaced_share for run in runs], PALETTE[4]),
    ]
    # One run is no line.
    figure = lines(x, series, yaxis={"range": [0, 1.02], "tickformat": ".0%"}) if len(runs) > 1 else {}
    columns = (_("Day of the run"), _("Kind"), _("Topics"), _("New"), _("Went on"), _("Unplaced"))
    return Chart("stability", _("Stability"), summary, columns, tuple(rows), figure)
