"""The pages of the bench. The question comes in the body, never in an address, and nothing is stored."""

from __future__ import annotations

from asgiref.sync import async_to_sync
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_http_methods, require_POST

from apps.answering.bench.form import BenchForm, going_on
from apps.answering.bench.running import MOST_SECONDS, has_room
from apps.answering.bench.showing import Result
from apps.answering.bench.streams import bench_events, bench_result
from apps.answering.guarding import for_holders
from apps.core.connections import give_connection_back
from apps.core.streaming import sse_response

for_bench = for_holders("answering.view_bench")
# The run ends by itself before: this is for one that hangs.
_STREAM_SECONDS = MOST_SECONDS + 10


@for_bench
@require_http_methods(["GET", "HEAD", "POST"])
def bench_page(request: HttpRequest) -> HttpResponse:
    """Show the page; on POST with the result, for browsers without scripts."""
    if request.method != "POST":
        return _page(request, BenchForm())
    form = BenchForm(going_on(request.POST))
    if not form.is_valid():
        return _page(request, form, status=422)
    if not has_room():
        return _page(request, form, trouble="full", status=503)
    give_connection_back()
    result = async_to_sync(bench_result)(form.asked())
    return _page(request, form, result=result, trouble="" if result else "broken")


@for_bench
@require_POST
def bench_run(request: HttpRequest) -> HttpResponseBase:
    """Stream progress, answer and result; a form that cannot be run comes back as its errors."""
    form = BenchForm(going_on(request.POST))
    if not form.is_valid():
        return render(request, "admin/answering/bench/_errors.html", {"form": form}, status=422)
    if not has_room():
        return render(request, "admin/answering/bench/_trouble.html", {"trouble": "full"}, status=503)
    asked = form.asked()
    give_connection_back()
    return sse_response(bench_events(asked, get_language() or "de"), longest=_STREAM_SECONDS)


def _page(
    request: HttpRequest, form: BenchForm, *, result: Result | None = None, trouble: str = "", status: int = 200
) -> HttpResponse:
    context = {
        **admin.site.each_context(request),
        "title": gettext("Try a question"),
        "form": form,
        "result": result,
        "trouble": trouble,
    }
    return render(request, "admin/answering/bench/page.html", context, status=status)
