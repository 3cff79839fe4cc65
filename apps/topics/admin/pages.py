"""What all dashboards share: filters in the address, charts as JSON beside their tables, CSV of any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.documents.models import Party
from apps.querylog.access import access_note, reading_of
from apps.querylog.models import AccessEntry
from apps.topics.dashboards.overview import Page, overview
from apps.topics.dashboards.places import map_page, parties_page
from apps.topics.dashboards.quality import quality_page
from apps.topics.dashboards.reading import SPANS, Filters, filters_of
from apps.topics.dashboards.waiting import under_way
from apps.topics.models import Asked, QueryText, Topic, TopicRun
from apps.topics.wording import REASONS

Maker = Callable[[Filters], Page]
PAGES: dict[str, tuple[Any, Maker]] = {
    "overview": (gettext_lazy("What readers ask"), overview),
    "map": (gettext_lazy("Map of the topics"), map_page),
    "parties": (gettext_lazy("Parties and topics"), parties_page),
    "quality": (gettext_lazy("Quality of questions"), quality_page),
}


def dashboard(request: HttpRequest, name: str) -> HttpResponse:
    """Show one dashboard."""
    _guard(request)
    title, make = PAGES[name]
    filters = filters_of(request.GET)
    context = {
        **page_context(request, str(title)),
        "page": make(filters),
        "name": name,
        "filters": filters,
        "spans": SPANS,
        "parties": Party.objects.all(),
        "has_party_filter": name != "parties",
        "run_note": run_note(),
        "under_way": under_way(),
        "listed": listed(request) if name == "overview" else None,
        "reading": reading_of(request),
    }
    return render(request, "admin/topics/dashboard.html", context)


def dashboard_csv(request: HttpRequest, name: str, chart: str) -> HttpResponse:
    """Return the table of one chart of a dashboard."""
    _guard(request)
    if name not in PAGES:
        raise Http404
    found = next((each for each in PAGES[name][1](filters_of(request.GET)).charts if each.name == chart), None)
    if found is None:
        raise Http404
    return csv_response(found.csv(), f"{name}-{chart}")


def csv_response(text: str, name: str) -> HttpResponse:
    # The mark at the beginning tells spreadsheets that it is UTF-8.
    response = HttpResponse("\ufeff" + text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def page_context(request: HttpRequest, title: str) -> dict[str, Any]:
    """Return what every page of the back office needs."""
    return {**admin.site.each_context(request), "title": title}


def run_note() -> str:
    """Say in a sentence why there are no newer topics, where the last run was not taken."""
    last = TopicRun.objects.exclude(state__in=["queued", "running"]).order_by("-created_at").first()
    if last is None or last.state == TopicRun.State.ACCEPTED:
        return ""
    if last.reason not in REASONS:
        return _("The last run was not taken.")
    return _("The last run: %(why)s") % {"why": REASONS[last.reason]}


def listed(request: HttpRequest) -> Any:
    """Return the list of questions that stands in for topics as long as there are too few for any."""
    from apps.topics.dashboards.listing import question_groups

    if Topic.objects.living().exists():
        return None
    reading = reading_of(request)
    if reading.is_open:
        words_note(request, QueryText.objects.values_list("pk", flat=True))
    return question_groups(may_read=reading.is_open)


def words_note(request: HttpRequest, texts: Iterable[int]) -> None:
    """Write into the access log whose words a page shows: every turn that had one of these texts, given by key."""
    asked = Asked.objects.filter(text__in=texts).order_by("pk").values_list("turn__uuid", flat=True)
    access_note(request=request, what=AccessEntry.What.LIST, turns=asked, reason=reading_of(request).reason)


def _guard(request: HttpRequest) -> None:
    if not request.user.has_perm("topics.view_topic"):
        raise PermissionDenied
