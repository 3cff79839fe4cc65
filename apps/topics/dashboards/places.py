"""Map, hierarchy, and parties by topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.documents.models import Party
from apps.topics.dashboards import reading
from apps.topics.dashboards.figures import PALETTE, UNPLACED_COLOUR, Cell, Chart, layout, number, percent, ranked_bars
from apps.topics.dashboards.overview import Page
from apps.topics.dashboards.reading import Filters, Sums
from apps.topics.dashboards.waiting import why_empty
from apps.topics.models import StoredChart, Topic

_MOST_COLUMNS = 12


def map_page(filters: Filters) -> Page:
    """Return map and tree. Distances on a map only hint; the list beside it is the way through."""
    topics = [topic for topic in Topic.objects.shown() if topic.map_x is not None]
    stored = dict(StoredChart.objects.filter(name__in=["map", "tree"]).values_list("name", "data"))
    if not topics or "map" not in stored:
        none = _("There is no map yet: it is drawn by the first run over at least 30 different questions.")
        return Page(why_empty() or none, ())
    sums = reading.sums_by_topic(filters)
    finding = _("%(topics)d topics of %(texts)d questions. What lies close is often similar, not always.") % {
        "topics": len(topics),
        "texts": stored["map"]["texts"],
    }
    return Page(finding, (_tree_chart(topics, stored.get("tree", {}), sums), _map_chart(topics, stored["map"])))


def _tree_chart(topics: list[Topic], tree: dict[str, Any], sums: dict[int, Sums]) -> Chart:
    branch_of = tree.get("branch", {})
    branches: dict[int, list[Topic]] = {}
    for topic in topics:
        branches.setdefault(int(branch_of.get(str(topic.pk), 0)), []).append(topic)
    ids: list[str] = []
    labels: list[str] = []
    parents: list[str] = []
    values: list[int] = []
    rows: list[tuple[Cell, ...]] = []
    for branch, members in sorted(branches.items()):
        members.sort(key=lambda topic: -sums.get(topic.pk, Sums()).sessions)
        name = _branch_name(members)
        ids, labels = [*ids, f"b{branch}"], [*labels, name]
        parents, values = [*parents, ""], [*values, 0]
        for topic in members:
            sessions = sums.get(topic.pk, Sums()).sessions
            ids, labels, parents = [*ids, f"t{topic.pk}"], [*labels, topic.name], [*parents, f"b{branch}"]
            values = [*values, sessions]
            address = reverse("admin:topics_topic_change", args=[topic.pk])
            rows.append((Cell(name), Cell(topic.name, address), number(sessions), Cell(", ".join(topic.keywords[:5]))))
    figure = {
        "data": [
            {
                "type": "treemap",
                "ids": ids,
                "labels": labels,
                "parents": parents,
                "values": values,
                "textfont": {"color": "#ffffff"},
                "tiling": {"pad": 2},
            }
        ],
        "layout": layout(height=420, margin={"l": 4, "r": 4, "t": 4, "b": 4}, treemapcolorway=list(PALETTE)),
    }
    columns = (_("Branch"), _("Topic"), _("Readers by day"), _("Keywords"))
    return Chart("tree", _("All topics by kinship"), _("Topics that speak of similar things share a branch."), columns,
                 tuple(rows), figure)  # fmt: skip


def _branch_name(members: Sequence[Topic]) -> str:
    others = len(members) - 1
    if not others:
        return members[0].name
    words = ngettext("%(topic)s and %(number)d more", "%(topic)s and %(number)d more", others)
    return words % {"topic": members[0].name, "number": others}


def _map_chart(topics: list[Topic], stored: dict[str, Any]) -> Chart:
    colour = {topic.pk: PALETTE[place % (len(PALETTE) - 1)] for place, topic in enumerate(topics)}
    points = {
        "type": "scattergl",
        "mode": "markers",
        "x": stored["x"],
        "y": stored["y"],
        "hoverinfo": "skip",
        "showlegend": False,
        "marker": {
            "size": 4,
            "opacity": 0.6,
            "color": [colour.get(key, UNPLACED_COLOUR) for key in stored["topic"]],
        },
    }
    names = {
        "type": "scatter",
        "mode": "text",
        "x": [topic.map_x for topic in topics[:40]],
        "y": [topic.map_y for topic in topics[:40]],
        "text": [topic.name for topic in topics[:40]],
        "cliponaxis": False,
        "showlegend": False,
    }
    axis = {"visible": False}
    figure = {"data": [points, names], "layout": layout(height=560, xaxis=axis, yaxis=axis)}
    rows = tuple(
        (Cell(topic.name, reverse("admin:topics_topic_change", args=[topic.pk])), number(topic.map_x, 2),
         number(topic.map_y, 2))
        for topic in topics
    )  # fmt: skip
    columns = (_("Topic"), _("from left to right"), _("from below to above"))
    return Chart("map", _("Map of the questions"), _("Each point is a question, in the colour of its topic."), columns,
                 rows, figure)  # fmt: skip


def parties_page(filters: Filters) -> Page:
    """Return how often readers name each party, and with which topic."""
    parties = {party.slug: party for party in Party.objects.all()}
    named = {slug: sums for slug, sums in reading.sums_by_party(filters).items() if slug in parties}
    if not named:
        return Page(why_empty() or _("No reader has named a party in this period."), ())
    total = sum(sums.sessions for sums in named.values())
    charts = (_share_chart(parties, named, total), _matrix_chart(filters, parties, named))
    return Page(_parties_finding(parties, named, total), tuple(chart for chart in charts if chart.rows))


def _parties_finding(parties: dict[str, Party], named: dict[str, Sums], total: int) -> str:
    """Name the party that is named most; all of them where several are: none is put before its equals."""
    most = max(sums.sessions for sums in named.values())
    equals = [slug for slug in named if named[slug].sessions == most]
    first = sorted(equals, key=lambda slug: (parties[slug].order, slug))
    share = round(100 * most / max(1, total))
    if len(first) > 1:
        names = ", ".join(parties[slug].short_name for slug in first)
        return _("Named most often, and equally often: %(parties)s, each %(share)d %% of all mentions.") % {
            "parties": names,
            "share": share,
        }
    return _("Readers name %(party)s most often: %(share)d %% of all mentions.") % {
        "party": parties[first[0]].short_name,
        "share": share,
    }


def _share_chart(parties: dict[str, Party], named: dict[str, Sums], total: int) -> Chart:
    order = sorted(named, key=lambda slug: (-named[slug].sessions, parties[slug].order))
    rows = tuple(
        (Cell(parties[slug].short_name), number(named[slug].sessions), percent(named[slug].sessions / max(1, total)),
         percent(named[slug].answered_share))
        for slug in order
    )  # fmt: skip
    shares = [named[slug].answered_share for slug in order]
    # Of the percents that are shown: whoever subtracts them finds the same.
    known = [round(100 * share) for share in shares if share is not None]
    summary = _("How often readers name each party, and how often they were answered.")
    if len(known) > 1:
        summary = ngettext(
            "Between the party answered most often and the one answered least lies %(points)d point.",
            "Between the party answered most often and the one answered least lie %(points)d points.",
            max(known) - min(known),
        ) % {"points": max(known) - min(known)}
    columns = (_("Party"), _("Readers by day"), _("Share of mentions"), _("Answered"))
    figure = ranked_bars([parties[slug].short_name for slug in order], [named[slug].sessions for slug in order])
    return Chart("parties", _("Parties named"), summary, columns, rows, figure)


def _matrix_chart(filters: Filters, parties: dict[str, Party], named: dict[str, Sums]) -> Chart:
    counted = reading.matrix(filters)
    slugs = sorted(named, key=lambda slug: (parties[slug].order, slug))[:_MOST_COLUMNS]
    weight: dict[int, int] = {}
    for (topic, slug), sessions in counted.items():
        if slug in slugs:
            weight[topic] = weight.get(topic, 0) + sessions
    topics = Topic.objects.shown().in_bulk(list(weight))
    order = sorted(topics, key=lambda topic: -weight[topic])[:30]
    rows = tuple(
        (Cell(topics[topic].name, reverse("admin:topics_topic_change", args=[topic])),
         *(number(counted.get((topic, slug), 0)) for slug in slugs))
        for topic in order
    )  # fmt: skip
    names = [parties[slug].short_name for slug in slugs]
    figure = {
        "data": [
            {
                "type": "heatmap",
                # From zero: the smallest of similar counts is not nothing.
                "zmin": 0,
                "x": names,
                "y": [topics[topic].name for topic in order][::-1],
                "z": [[counted.get((topic, slug), 0) for slug in slugs] for topic in order][::-1],
                "colorscale": [[0, "#fbf3ee"], [1, "#8a3b12"]],
            }
        ],
        "layout": layout(height=130 + 26 * max(3, len(order)), margin={"l": 220, "r": 12, "t": 12, "b": 110}),
    }
    summary = _("Readers' days by topic and party named.")
    return Chart("matrix", _("Party and topic"), summary, (_("Topic"), *names), rows, figure if rows else {})
