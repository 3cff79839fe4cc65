"""The backtests' pages: order one, watch it run, see where the draft answers otherwise than what is live."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import F, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe
from unfold.decorators import display

from apps.core import ports
from apps.core.admin import ReadOnlyAdmin, StateColours
from apps.rules.backtest_words import difference_word
from apps.rules.backtesting import Asked, Case, Difference, Result, RuleCount, read_result
from apps.rules.forms.backtests import BacktestForm
from apps.rules.models import Backtest, Rule
from apps.rules.services.backtests import backtest_cancel, backtest_start, draft_state, question_texts

CASES_PER_PAGE = 50
_MOST_RULES = 200
_MOST_UIDS = 10_000


@dataclass(frozen=True, slots=True)
class Named:
    """A rule as a page names it; ``pk`` is None where the desk does not have it any more. Empty without a rule."""

    uid: str = ""
    title: str = ""
    pk: int | None = None


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One line of the table of differences. ``asked`` is None where the question may not be seen or has expired."""

    case: Case
    before: Named
    after: Named
    asked: Asked | None


@dataclass(frozen=True, slots=True)
class CountRow:
    """One rule with how many questions it answers."""

    rule: Named
    count: RuleCount


@admin.register(Backtest)
class BacktestAdmin(ReadOnlyAdmin):
    """The backtests of all editors. Nobody changes one; who may add one may cancel one."""

    list_display = ("created_at", "origin", "shown_state", "shown_questions", "shown_answered", "author")
    list_select_related = ("author",)
    list_disable_select_all = True
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Backtest]:
        """Without the results, which are large; a list needs two numbers of each."""
        backtests: QuerySet[Backtest] = super().get_queryset(request)
        return backtests.defer("result", "questions").annotate(
            asked=F("result__questions"), answered=F("result__answered")
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("rules.add_backtest"))

    def get_urls(self) -> list[URLPattern]:
        def at(route: str, view: Any, name: str, guard: Any) -> URLPattern:
            def bound(request: HttpRequest, pk: int) -> HttpResponse:
                response: HttpResponse = view(self, request, pk)
                return response

            return path(route, self.admin_site.admin_view(guard(bound)), name=f"rules_backtest_{name}")

        return [
            at("<int:pk>/progress/", progress_view, "progress", require_safe),
            at("<int:pk>/cancel/", cancel_view, "cancel", require_POST),
            *super().get_urls(),
        ]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        return start_view(self, request)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return result_view(self, request, object_id)

    @display(description=gettext_lazy("state"), label=StateColours(done="success", failed="danger"))
    def shown_state(self, backtest: Backtest) -> tuple[str, str]:
        return backtest.state, str(backtest.get_state_display())

    @display(description=gettext_lazy("questions"))
    def shown_questions(self, backtest: Any) -> int | str:
        return "–" if backtest.asked is None else int(backtest.asked)

    @display(description=gettext_lazy("answered by rules, before and after"))
    def shown_answered(self, backtest: Any) -> str:
        return render_to_string("admin/rules/backtest/_shares.html", {"result": _shares(backtest)})


def start_view(desk: BacktestAdmin, request: HttpRequest) -> HttpResponse:
    """Order a backtest; a page that reviews a release sends the rules it has chosen along."""
    if not desk.has_add_permission(request):
        raise PermissionDenied
    uids = _chosen(request)
    is_asked = request.method == "POST" and "origin" in request.POST
    form = BacktestForm(request.POST, request.FILES) if is_asked else BacktestForm()
    if is_asked and form.is_valid():
        given = form.cleaned_data
        backtest = backtest_start(
            author=request.user,
            origin=given["origin"],
            limit=given["limit"],
            lines=given["lines"],
            uids=uids or None,
        )
        return redirect("admin:rules_backtest_change", backtest.pk)
    context = {"form": form, "uids": uids, "title": _("New backtest")}
    return render(request, "admin/rules/backtest/start.html", _context(desk, request, context))


def result_view(desk: BacktestAdmin, request: HttpRequest, object_id: str) -> HttpResponse:
    """Show how far a backtest is, or what it has found."""
    backtest = _backtest(desk, request, object_id)
    result, data = read_result(backtest.result), backtest.result
    kind = request.GET.get("kind", "")
    cases = [case for case in result.cases if not kind or case.kind == kind]
    page = Paginator(cases, CASES_PER_PAGE).get_page(request.GET.get("page"))
    shown = list(page.object_list)
    named = _named(data.get("titles", {}), shown, result.rules[:_MOST_RULES])
    texts = _texts(request, backtest, [case.key for case in shown])
    nobody = Named()
    context = {
        "backtest": backtest,
        "result": result,
        "rows": [
            CaseRow(case, named.get(case.before, nobody), named.get(case.after, nobody), texts.get(case.key))
            for case in shown
        ],
        "page": page,
        "kind": kind,
        "tabs": [(each.value, difference_word(each), result.count(each)) for each in Difference],
        "counts": [CountRow(named[count.uid], count) for count in result.rules[:_MOST_RULES]],
        "more_rules": max(0, len(result.rules) - _MOST_RULES),
        "may_read": _may_read(request, backtest),
        "is_outdated": bool(data.get("draft")) and data["draft"] != draft_state(),
        "uids": data.get("uids"),
        "reason": _(backtest.reason) if backtest.reason else "",
        "title": _("Backtest"),
    }
    return render(request, "admin/rules/backtest/result.html", _context(desk, request, context))


def progress_view(desk: BacktestAdmin, request: HttpRequest, pk: int) -> HttpResponse:
    """Return how far a backtest is; the page loads anew when it is finished or gone."""
    if not desk.has_view_permission(request):
        raise PermissionDenied
    backtest = Backtest.objects.filter(pk=pk).defer("result", "questions").first()
    answer = render(request, "admin/rules/backtest/_progress.html", {"backtest": backtest, "is_fragment": True})
    if backtest is None:
        answer["HX-Redirect"] = redirect("admin:rules_backtest_changelist")["Location"]
    elif backtest.state in (Backtest.State.DONE, Backtest.State.FAILED):
        answer["HX-Refresh"] = "true"
    return answer


def cancel_view(desk: BacktestAdmin, request: HttpRequest, pk: int) -> HttpResponse:
    """Stop a backtest; nothing of it stays."""
    if not desk.has_add_permission(request):
        raise PermissionDenied
    backtest = _backtest(desk, request, str(pk))
    if backtest_cancel(backtest=backtest):
        messages.success(request, _("The backtest is cancelled."))
        return redirect("admin:rules_backtest_changelist")
    messages.info(request, _("The backtest had just finished."))
    return redirect("admin:rules_backtest_change", pk)


def _chosen(request: HttpRequest) -> list[str]:
    """Return the rules that the form names, or that are ticked on the review; none stands for the whole draft."""
    ticked, shown = request.POST.getlist("rule"), request.POST.getlist("shown")
    uids = request.POST.getlist("uid") + (ticked if set(ticked) != set(shown) else [])
    return [*dict.fromkeys(uids)][:_MOST_UIDS]


def _backtest(desk: BacktestAdmin, request: HttpRequest, object_id: str) -> Backtest:
    if not desk.has_view_permission(request):
        raise PermissionDenied
    found = Backtest.objects.filter(pk=object_id) if object_id.isdecimal() and len(object_id) < 16 else None
    backtest = found.select_related("author").first() if found else None
    if backtest is None:
        raise Http404
    return backtest


def _may_read(request: HttpRequest, backtest: Backtest) -> bool:
    """Readers' words are for those who may read them; an editor's list and the demo are no readers' words."""
    return backtest.origin != Backtest.Origin.LOG or bool(request.user.has_perm("querylog.view_question"))


def _texts(request: HttpRequest, backtest: Backtest, keys: list[str]) -> dict[str, Asked]:
    texts = question_texts(backtest, keys) if keys and _may_read(request, backtest) else {}
    if backtest.origin == Backtest.Origin.LOG:
        ports.words_read(request.user, list(texts), f"Backtest {backtest.pk}")
    return texts


def _named(titles: dict[str, str], cases: list[Case], counts: tuple[RuleCount, ...]) -> dict[str, Named]:
    uids = {uid for case in cases for uid in (case.before, case.after) if uid} | {count.uid for count in counts}
    numbers = dict(Rule.objects.filter(uid__in=uids).values_list("uid", "pk"))
    return {uid: Named(uid, titles.get(uid) or uid, numbers.get(uid)) for uid in uids}


def _shares(backtest: Any) -> Result | None:
    if backtest.asked is None or backtest.answered is None:
        return None
    before, after = backtest.answered
    return Result(int(backtest.asked), int(before), int(after))


def _context(desk: BacktestAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    shared = {"opts": desk.opts, "may_order": desk.has_add_permission(request)}
    return {**desk.admin_site.each_context(request), **shared, **context}
