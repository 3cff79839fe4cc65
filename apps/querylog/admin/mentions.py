"""The page that shows who is asked about: a table of parties and people, and the same as CSV."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from apps.querylog.demo.progress import loading_note
from apps.querylog.mentions import Mentioned, Mentions, mentions
from apps.rules.exchange.formulas import guard

if TYPE_CHECKING:
    from apps.querylog.admin.turns import TurnAdmin


def mentions_view(desk: TurnAdmin, request: HttpRequest) -> HttpResponse:
    """Show the shares of the last seven whole days, and their change; counts only, nobody's words."""
    if not desk.has_view_permission(request):
        raise PermissionDenied
    found = mentions()
    if request.GET.get("format") == "csv":
        return _csv(found)
    context = {
        **desk.admin_site.each_context(request),
        "opts": desk.opts,
        "title": _("Who is asked about"),
        "found": found,
        "finding": _finding(found),
        "loading": loading_note(),
    }
    return render(request, "admin/querylog/turn/mentions.html", context)


def _finding(found: Mentions) -> str:
    """One sentence to begin with."""
    named = [each for each in found.parties if each.now]
    if not named:
        return loading_note() or _("No party was named in the last seven whole days.")
    most = max(named, key=lambda each: each.now)
    risen = max(named, key=lambda each: each.change or 0.0)
    sentence = _("%(party)s is asked about most: by %(share)s %% of readers.") % {
        "party": most.name,
        "share": round(100 * most.share),
    }
    if risen.change and risen.change >= 1:
        sentence += " " + _("%(party)s has grown most, by %(points)s percentage points against the week before.") % {
            "party": risen.name,
            "points": round(risen.change, 1),
        }
    return sentence


def _csv(found: Mentions) -> HttpResponse:
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="mentions.csv"'
    response.write("\ufeff")
    writer = csv.writer(response, delimiter=";", lineterminator="\r\n")
    writer.writerow(["kind", "name", "readers_7_days", "readers_7_days_before", "share", "change_in_points"])
    for kind, rows in (("party", found.parties), ("person", found.people)):
        writer.writerows(_row(kind, each) for each in rows)
    return response


def _row(kind: str, each: Mentioned) -> list[str]:
    change = "" if each.change is None else f"{each.change:.2f}"
    return [kind, guard(each.name), str(each.now), str(each.before), f"{each.share:.4f}", guard(change)]
