"""The rule list: a tree that opens level by level, or what is left of it after a search."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.core.admin import DeskAdmin
from apps.rules.admin.arranging import Outcome, arrange, pause_now_view
from apps.rules.admin.history import history_page, restore_view
from apps.rules.draft_findings import draft_findings
from apps.rules.listing import MOST_SHOWN, RuleRow, changed_since, listed, rows_of, tree_rows, visible
from apps.rules.loading import live_release
from apps.rules.models import Release, Rule
from apps.rules.tree_filters import SLUG, TreeState

_GUARDS: Final[dict[str, Callable[[Any], Any]]] = {
    "children": require_safe,
    "findings": require_safe,
    "arrange": require_POST,
    "restore": require_POST,
}


class TreeMixin(DeskAdmin):
    """The list of rules as a tree, moving and pausing in it, and each rule's history."""

    def get_urls(self) -> list[URLPattern]:
        def at(route: str, view: Any, name: str) -> URLPattern:
            def bound(request: HttpRequest, **arguments: Any) -> HttpResponse:
                response: HttpResponse = view(self, request, **arguments)
                return response

            guarded = _GUARDS[name](bound) if name in _GUARDS else bound
            return path(route, self.admin_site.admin_view(guarded), name=f"rules_rule_{name}")

        return [
            at("children/", children_view, "children"),
            at("findings/", findings_view, "findings"),
            at("arrange/", arrange_view, "arrange"),
            at("<slug:uid>/pause-now/", pause_now_view, "pause_now"),
            at("<int:rule_id>/restore/<int:number>/", restore_view, "restore"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        _require(self.has_view_or_change_permission(request))
        state = TreeState.read(request.GET)
        if request.headers.get("HX-Target") == "rules-tree":
            return render(request, "admin/rules/rule/_tree.html", tree_context(self, request, state, is_fragment=True))
        context = {
            **self.admin_site.each_context(request),
            **tree_context(self, request, state),
            **_choices(),
            "opts": self.opts,
            "title": _("Rules"),
            "has_add_permission": self.has_add_permission(request),
            "media": self.media,
            **(extra_context or {}),
        }
        return render(request, "admin/rules/rule/change_list.html", context)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        return history_page(self, request, object_id, extra_context)


def children_view(desk: TreeMixin, request: HttpRequest) -> HttpResponse:
    """Return the rules below one rule, as a list that takes the place of the closed one."""
    _require(desk.has_view_or_change_permission(request))
    uid = request.GET.get("of", "")
    parent = Rule.objects.filter(uid=uid).first() if SLUG.fullmatch(uid) else None
    if parent is None:
        raise Http404
    state = TreeState.read(request.GET)
    live = live_release()
    rows = tree_rows(top=parent, opened=(), offset=0, live=live)
    context = {
        **row_context(desk, request, state, rows),
        "rows": rows,
        "is_batch": True,
        "parent_id": parent.pk,
        "parent": parent,
        "more": max(0, _count_below(parent) - len(rows)),
    }
    return render(request, "admin/rules/rule/_rows.html", context)


def findings_view(desk: TreeMixin, request: HttpRequest) -> HttpResponse:
    """Check the draft, which may take a moment, and return the warnings of the rules that a page asks for."""
    _require(desk.has_view_or_change_permission(request))
    numbers = [int(text) for text in request.GET.getlist("of")[: 10 * MOST_SHOWN] if re.fullmatch("[0-9]{1,15}", text)]
    rules = list(Rule.objects.filter(pk__in=numbers).only("pk", "uid"))
    findings = draft_findings(may_check=True)
    cells = [(rule.pk, findings.of(rule.uid), findings.below.get(rule.uid, 0)) for rule in rules]
    return render(request, "admin/rules/rule/_checked.html", {"cells": cells, "key": request.GET.get("key", "")[:20]})


def arrange_view(desk: TreeMixin, request: HttpRequest) -> HttpResponse:
    """Do what a button in the list or a drop asks for, and show the list anew with a sentence on what happened."""
    _require(desk.has_change_permission(request))
    return arrange(desk, request, _shown_again)


def _shown_again(desk: TreeMixin, request: HttpRequest, outcome: Outcome) -> HttpResponse:
    state = TreeState.read(request.GET, opened=request.POST).showing(outcome.opens)
    context = tree_context(desk, request, state, is_fragment=True)
    told = {"said": outcome.said, "is_refused": outcome.is_refused}
    return render(request, "admin/rules/rule/_tree.html", {**context, **told})


def tree_context(
    desk: TreeMixin, request: HttpRequest, state: TreeState, *, is_fragment: bool = False
) -> dict[str, Any]:
    """Return what the list shows. The number of queries does not depend on the number of rules."""
    live = live_release()
    top = Rule.objects.filter(uid=state.below).select_related("parent").first() if state.below else None
    if state.filter:
        rows, total = _found(state, live)
    else:
        rows = tree_rows(top=top, opened=state.opened, offset=state.offset, live=live)
        total = _count_below(top)
    waiting = changed_since(Rule.objects.all(), live).count()
    return {
        **row_context(desk, request, state, rows),
        "rows": rows,
        "is_flat": bool(state.filter),
        "is_fragment": is_fragment,
        "is_batch": True,
        "previous_page": state.page - 1,
        "next_page": state.page + 1,
        "top": top,
        "total": total,
        "has_next": state.offset + len(rows) < total,
        "live": live,
        "waiting": waiting,
        "has_rules": bool(rows) or Rule.objects.exists(),
        "statuses": Rule.Status.choices,
    }


def row_context(desk: TreeMixin, request: HttpRequest, state: TreeState, rows: list[RuleRow]) -> dict[str, Any]:
    """Return what every row needs beside itself."""
    shown = list(_flattened(rows))
    return {
        "state": state,
        "findings": draft_findings(),
        "shown_ids": [row.rule.pk for row in shown],
        "may_change": desk.has_change_permission(request),
        "may_publish": request.user.has_perm("rules.publish_rule"),
    }


def _flattened(rows: list[RuleRow]) -> Any:
    for row in rows:
        yield row
        yield from _flattened(row.children)


def _found(state: TreeState, live: Release | None) -> tuple[list[RuleRow], int]:
    """Return one page of what the filter leaves, as a flat list by title."""
    rules = state.filter.apply(Rule.objects.all(), now=timezone.now(), live=live)
    if state.filter.only == "warning":
        rules = rules.filter(uid__in=draft_findings(may_check=True).uids)
    if state.filter.status != Rule.Status.ARCHIVED:
        rules = rules.exclude(status=Rule.Status.ARCHIVED)
    total = rules.count()
    page = listed(rules, live).order_by("title", "uid")[state.offset : state.offset + MOST_SHOWN]
    return rows_of(page), total


def _count_below(parent: Rule | None) -> int:
    return visible(Rule.objects.filter(parent=parent)).count()


def _choices() -> dict[str, Any]:
    """Return what can be chosen in the filters: tags in use and owners."""
    tags = Rule.objects.tags_in_use()
    owners = get_user_model().objects.filter(rules__isnull=False).distinct().order_by("username")
    return {"tags": tags, "owners": list(owners.values_list("username", flat=True))}


def _require(is_allowed: bool) -> None:
    if not is_allowed:
        raise PermissionDenied
