"""The quality of questions and answers by topic: how they end, how clear they are, what thinking they ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from django.db.models import Avg, Count, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.topics.dashboards import reading
from apps.topics.dashboards.figures import PALETTE, Cell, Chart, layout, number, percent
from apps.topics.dashboards.overview import Page
from apps.topics.dashboards.reading import Filters, Sums
from apps.topics.dashboards.waiting import nobody_asked, why_empty
from apps.topics.models import Asked, Topic

_SHOWN: Final = 30
# Of fewer questions a share says nothing.
_ENOUGH: Final = 10
KINDS: Final = tuple(Asked.QuestionType)


@dataclass(frozen=True, slots=True)
class Judged:
    """What a model has judged of one topic's questions that are kept: means from 1 to 3, counts by kind."""

    number: int = 0
    intent: float | None = None
    subject: float | None = None
    names: float | None = None
    kinds: dict[str, int] = field(default_factory=dict)

    @property
    def clarity(self) -> float | None:
        """Return the mean of the three criteria."""
        found = [each for each in (self.intent, self.subject, self.names) if each is not None]
        return sum(found) / len(found) if found else None


def judged_by_topic(filters: Filters, topic: int | None = None) -> dict[int, Judged]:
    """Return what was judged by topic, or of one topic; 0 is what is unplaced."""
    rows = _judged_rows(filters)
    if topic is not None:
        rows = rows.filter(text__member__topic=topic)
    kinds: dict[int, dict[str, int]] = {}
    counted = rows.values_list("text__member__topic", "question_type").annotate(n=Count("pk")).order_by()
    for key, kind, count in counted:
        kinds.setdefault(key or 0, {})[kind] = count
    means = (
        rows.values("text__member__topic")
        .order_by()
        .annotate(
            number=Count("pk"), intent=Avg("clear_intent"), subject=Avg("clear_subject"), names=Avg("clear_names")
        )
    )
    found: dict[int, Judged] = {}
    for row in means:
        key = row["text__member__topic"] or 0
        found[key] = Judged(row["number"], row["intent"], row["subject"], row["names"], kinds.get(key, {}))
    return found


def quality_page(filters: Filters) -> Page:
    """Return how the questions on each topic end, how clear they are and what kind they are."""
    sums = {key: each for key, each in reading.sums_by_topic(filters).items() if each.decided}
    names: dict[int, tuple[str, str]] = {
        topic.pk: (topic.name, reverse("admin:topics_topic_change", args=[topic.pk]))
        for topic in Topic.objects.shown() if topic.pk in sums
    }  # fmt: skip
    if 0 in sums:
        names[0] = (_("unplaced: fits no topic"), "")
    if not names:
        return Page(why_empty() or nobody_asked(filters), ())
    order = sorted(names, key=lambda key: (-sums[key].decided, key))[:_SHOWN]
    judged = judged_by_topic(filters)
    charts = (_outcomes_chart(order, names, sums), _clarity_chart(filters, order, names, judged),
              _kinds_chart(order, names, judged))  # fmt: skip
    return Page(_finding(order, names, sums), charts)


def _judged_rows(filters: Filters) -> QuerySet[Asked]:
    rows = Asked.objects.filter(day__range=(filters.first, filters.today), text__kind="text").exclude(judged_by="")
    return rows.filter(text__parties__contains=[filters.party]) if filters.party else rows


def _finding(order: Sequence[int], names: dict[int, tuple[str, str]], sums: dict[int, Sums]) -> str:
    telling = [key for key in order if key and sums[key].decided >= _ENOUGH]
    if not telling:
        return _("No topic has %(number)d questions in this period yet: shares of fewer say little.") % {
            "number": _ENOUGH
        }
    worst = max(telling, key=lambda key: sums[key].share(sums[key].refused) or 0.0)
    if not sums[worst].refused:
        return _("On no topic with at least %(number)d questions was one refused.") % {"number": _ENOUGH}
    return _("Refused most often: “%(topic)s”, %(share)d %% of %(number)d questions.") % {
        "topic": names[worst][0],
        "share": round(100 * (sums[worst].share(sums[worst].refused) or 0.0)),
        "number": sums[worst].decided,
    }


def _outcomes_chart(order: Sequence[int], names: dict[int, tuple[str, str]], sums: dict[int, Sums]) -> Chart:
    rows, shares = [], []
    for key in order:
        each = sums[key]
        ends = [each.share(count) or 0.0 for count in (each.answered, each.refused, each.clarified)]
        shares.append(ends)
        rows.append((Cell(*names[key]), number(each.decided), *map(percent, ends)))
    words = (_("answered"), _("refused"), _("asked back"))
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": word,
            "y": [names[key][0] for key in order][::-1],
            "x": [round(100 * ends[place]) for ends in shares][::-1],
            "marker": {"color": colour},
        }
        for place, (word, colour) in enumerate(zip(words, (PALETTE[2], PALETTE[0], PALETTE[4]), strict=True))
    ]
    total = sum(sums[key].decided for key in order)
    answered = sum(sums[key].answered for key in order)
    summary = ngettext(
        "Of %(number)d question %(share)d %% were answered; the others were refused or asked back.",
        "Of %(number)d questions %(share)d %% were answered; the others were refused or asked back.",
        total,
    ) % {"number": total, "share": round(100 * answered / max(1, total))}
    # The legend above: below so tall a chart nobody would look for it.
    legend = {"orientation": "h", "y": 1, "yanchor": "bottom", "traceorder": "normal"}
    look = layout(barmode="stack", margin={"l": 220, "r": 12, "t": 40, "b": 32}, height=100 + 28 * len(order),
                  legend=legend)  # fmt: skip
    return Chart("outcomes", _("How questions end"), summary, (_("Topic"), _("Questions"), *words), tuple(rows),
                 {"data": data, "layout": look})  # fmt: skip


def _clarity_chart(
    filters: Filters, order: Sequence[int], names: dict[int, tuple[str, str]], judged: dict[int, Judged]
) -> Chart:
    rows = []
    for key in order:
        each = judged.get(key, Judged())
        figures = (each.intent, each.subject, each.names, each.clarity)
        rows.append((Cell(*names[key]), number(each.number), *(_measured(figure) for figure in figures)))
    by = sorted(set(_judged_rows(filters).values_list("judged_by", flat=True).distinct())) if judged else []
    summary = _("Not measured: a model judges a sample each night where one is set.")
    if by:
        summary = _("A sample of %(number)d questions, judged from 1 (no) to 3 (yes) by %(model)s.") % {
            "number": sum(each.number for each in judged.values()),
            "model": ", ".join(by),
        }
    columns = (_("Topic"), _("Judged"), _("It is clear what is wanted"), _("The subject is named"),
               _("Parties, places, times are named"), _("Clarity (1–3)"))  # fmt: skip
    return Chart("clarity", _("How clear questions are"), summary, columns, tuple(rows))


def _kinds_chart(order: Sequence[int], names: dict[int, tuple[str, str]], judged: dict[int, Judged]) -> Chart:
    rows = []
    for key in order:
        each = judged.get(key, Judged())
        found = (number(each.kinds.get(kind, 0)) if each.number else _measured(None) for kind in KINDS)
        rows.append((Cell(*names[key]), *found))
    total = {kind: sum(each.kinds.get(kind, 0) for each in judged.values()) for kind in KINDS}
    summary = _("Not measured: a model judges a sample each night where one is set.")
    if any(total.values()):
        most = max(KINDS, key=lambda kind: total[kind])
        summary = _("Most often: %(kind)s, %(share)d %% of the sample.") % {
            "kind": most.label,
            "share": round(100 * total[most] / sum(total.values())),
        }
    columns = (_("Topic"), *(str(kind.label) for kind in KINDS))
    return Chart("kinds", _("Kinds of questions"), summary, columns, tuple(rows))


def _measured(figure: float | None) -> Cell:
    return Cell(_("not measured"), is_number=True) if figure is None else number(figure, 1)
