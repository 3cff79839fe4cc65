"""The board of gaps: who works on what, one click to a rule, and whether it helped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.core.admin import ReadOnlyAdmin
from apps.core.cleaning import clean_text
from apps.documents.models import CuratedLink
from apps.querylog.access import reading_of
from apps.querylog.counting import berlin_today
from apps.rules.admin.people import author_of
from apps.rules.listing import row_of
from apps.rules.loading import live_release
from apps.rules.services import RuleRefusedError
from apps.topics.admin import pages
from apps.topics.dashboards.replayed import advice, advice_sentence, replayed
from apps.topics.dashboards.waiting import under_way, why_empty
from apps.topics.models import Gap, Topic
from apps.topics.services import gaps
from apps.topics.services.drafting import rule_draft
from apps.topics.services.gaps import GapChangedError, weak_texts
from apps.topics.wording import CAUSES, STEPS, cause_words

_MOST_CLOSED = 30
_MOST_LINKS = 200


@admin.register(Gap)
class GapAdmin(ReadOnlyAdmin):
    """Gaps, as a board."""

    actions = None

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("<int:pk>/change/move/", wrap(require_POST(self.move)), name="topics_gap_move"),
            path("<int:pk>/change/rule/", wrap(require_POST(self.rule)), name="topics_gap_rule"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Show the board."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        found = Gap.objects.select_related("topic", "editor")
        open_gaps = [gap for gap in found.open() if not gap.topic.is_hidden]
        closed = list(found.filter(state__in=["resolved", "dismissed"]).order_by("-closed_at")[:_MOST_CLOSED])
        groups = {state.value: [gap for gap in open_gaps if gap.state == state] for state in Gap.State}
        groups["open"] = sorted(groups["open"] + groups.pop("reopened"), key=lambda gap: -gap.score)
        columns = [
            (_("open"), [_Card(gap) for gap in groups["open"]]),
            (_("somebody works on it"), [_Card(gap) for gap in groups["taken"]]),
            (_("resolved"), [_Card(gap) for gap in closed if gap.state == Gap.State.RESOLVED]),
            (_("dismissed"), [_Card(gap) for gap in closed if gap.state == Gap.State.DISMISSED]),
        ]
        context = {
            **pages.page_context(request, _("Gaps")),
            "opts": self.opts,
            "columns": columns,
            "finding": _finding(open_gaps),
            "under_way": under_way(),
        }
        return render(request, "admin/topics/gaps.html", context)

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> Any:
        """Show one gap with its causes, its questions, and before and after."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        found = Gap.objects.select_related("topic", "editor", "link")
        gap = get_object_or_404(found, pk=object_id) if object_id.isdecimal() and len(object_id) < 16 else None
        if gap is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        reading = reading_of(request)
        weak = weak_texts(gap.topic) if reading.is_open else None
        if weak is not None:
            pages.words_note(request, {*(text.pk for text in weak), *(row[0] for row in gap.after.get("rows", []))})
        context = {
            **pages.page_context(request, _("Gap: %(topic)s") % {"topic": gap.topic.name}),
            "opts": self.opts,
            "gap": gap,
            "card": _Card(gap),
            "causes": [(str(CAUSES[name]), round(100 * share)) for name, share in gap.parts.get("causes", {}).items()],
            "steps": [(str(STEPS.get(step.kind, step.kind)), step) for step in gap.steps.select_related("editor")],
            "reading": reading,
            "weak": weak,
            "replayed": replayed(gap) if reading.is_open else None,
            "still_weak": advice_sentence(gap),
            "advice": advice(gap),
            "rule": row_of(gap.rule_uid, live_release()) if gap.rule_uid else None,
            "links": CuratedLink.objects.shown(berlin_today()).order_by("title")[:_MOST_LINKS],
            "dismissals": Gap.Dismissal.choices,
            "may_change": request.user.has_perm("topics.change_gap"),
            "may_draft": request.user.has_perm("rules.add_rule") and reading.may,
        }
        return render(request, "admin/topics/gap.html", context)

    def move(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Take, dismiss, reopen a gap, note an article or choose a link."""
        gap, editor, said = _gap(request, pk), author_of(request), request.POST
        moves: dict[str, Callable[[], None]] = {
            "take": lambda: gaps.gap_take(gap=gap, editor=editor),
            "dismiss": lambda: gaps.gap_dismiss(gap=gap, editor=editor, why=said.get("why", "")),
            "reopen": lambda: gaps.gap_reopen(gap=gap, editor=editor),
            "note": lambda: gaps.gap_note(
                gap=gap, editor=editor, note=clean_text(said.get("note", ""), limit=4_000).strip()
            ),
            "link": lambda: gaps.gap_link(gap=gap, editor=editor, link=_link(request)),
        }
        wanted = moves.get(request.POST.get("move", ""))
        if wanted is None:
            raise PermissionDenied
        try:
            wanted()
        except GapChangedError:
            messages.warning(request, _("Somebody has changed this gap meanwhile. Please look again."))
        except ValueError:
            messages.error(request, _("Choose why it is dismissed."))
        else:
            messages.success(request, _("Done. Colleagues see it on the board."))
        return redirect("admin:topics_gap_change", pk)

    def rule(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Make a draft rule of the gap and open it."""
        gap = _gap(request, pk)
        if not (request.user.has_perm("rules.add_rule") and request.user.has_perm("querylog.view_question")):
            raise PermissionDenied
        try:
            rule = rule_draft(gap=gap, editor=author_of(request))
        except (RuleRefusedError, GapChangedError) as error:
            said = str(error) or _("Somebody has changed this gap meanwhile. Please look again.")
            messages.error(request, said)
            return redirect("admin:topics_gap_change", pk)
        messages.success(request, _("A draft is ready: add documents or an answer, try it, make it active, publish."))
        return redirect(reverse("admin:rules_rule_change", args=[rule.pk]))


class _Card:
    """One gap as the board shows it."""

    def __init__(self, gap: Gap) -> None:
        parts = gap.parts
        self.gap = gap
        self.sessions = parts.get("sessions", 0)
        self.weak = round(100 * parts.get("weak", 0))
        self.cause = cause_words(parts.get("causes", {}))
        self.before = _share(gap.before)
        self.after = _share(gap.after)


def _share(counted: dict[str, Any]) -> int | None:
    return round(100 * counted["weak"]) if "weak" in counted else None


def _finding(open_gaps: list[Gap]) -> str:
    if not open_gaps:
        return why_empty() or _nothing_open()
    worst = max(open_gaps, key=lambda gap: gap.score)
    return _("The widest gap is “%(topic)s”: %(sessions)d readers in seven days, %(weak)d %% answered badly.") % {
        "topic": worst.topic.name,
        "sessions": worst.parts.get("sessions", 0),
        "weak": round(100 * worst.parts.get("weak", 0)),
    }


def _nothing_open() -> str:
    if not Topic.objects.shown().exists():
        return _("No gap is open: there are no topics yet whose questions could stay without an answer.")
    return _("No gap is open: what many ask is answered, as far as can be told.")


def _link(request: HttpRequest) -> CuratedLink:
    key = request.POST.get("link", "")
    return get_object_or_404(CuratedLink, pk=key if key.isdecimal() and len(key) < 16 else None)


def _gap(request: HttpRequest, pk: int) -> Gap:
    if not request.user.has_perm("topics.change_gap"):
        raise PermissionDenied
    return get_object_or_404(Gap.objects.select_related("topic"), pk=pk)
