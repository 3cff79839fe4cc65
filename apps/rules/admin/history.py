"""The history of one rule: every version with what it changed, who saved it and why, and how often it answered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.rules.admin.people import author_of
from apps.rules.differences import rule_changes
from apps.rules.loading import rule_spec
from apps.rules.models import ReleaseRule, Rule, RuleHitDay, RuleVersion
from apps.rules.serialising import rule_from_json
from apps.rules.services import RuleRefusedError, rule_restore
from apps.rules.texts import change_text
from apps.rules.types import RuleSpec

if TYPE_CHECKING:
    from apps.rules.admin.tree import TreeMixin

_PER_PAGE: Final = 20
_TRAFFIC_DAYS: Final = 30


@dataclass(frozen=True, slots=True)
class VersionEntry:
    """One version: what it changed against the one before, and what bringing it back would change now."""

    version: RuleVersion
    changes: tuple[str, ...]
    undoing: tuple[str, ...]
    is_first: bool
    is_current: bool
    releases: tuple[int, ...]


def history_page(desk: TreeMixin, request: HttpRequest, object_id: str, extra_context: Any) -> HttpResponse:
    """Show the versions of a rule, newest first."""
    if not desk.has_view_or_change_permission(request):
        raise PermissionDenied
    if not re.fullmatch("[0-9]{1,15}", object_id):
        raise Http404
    rule = get_object_or_404(Rule.objects.whole(), pk=object_id)
    given = request.GET.get("page", "")
    page = int(given) if re.fullmatch("[1-9][0-9]{0,5}", given) else 1
    first = (page - 1) * _PER_PAGE
    # One more than is shown: the last one's changes are told against it.
    versions = list(RuleVersion.objects.filter(uid=rule.uid).order_by("-number")[first : first + _PER_PAGE + 1])
    context = {
        **desk.admin_site.each_context(request),
        "opts": desk.opts,
        "object": rule,
        "title": _("History of “%(title)s”") % {"title": rule},
        "entries": _entries(rule, versions),
        "page": page,
        "has_next": len(versions) > _PER_PAGE,
        "traffic": _traffic(rule.uid),
        "traffic_days": _TRAFFIC_DAYS,
        "may_change": desk.has_change_permission(request),
        **(extra_context or {}),
    }
    return render(request, "admin/rules/rule/history.html", context)


def restore_view(desk: TreeMixin, request: HttpRequest, rule_id: int, number: int) -> HttpResponse:
    """Bring an old version back as a draft edit, which itself becomes the newest version."""
    if not desk.has_change_permission(request):
        raise PermissionDenied
    rule = get_object_or_404(Rule, pk=rule_id)
    get_object_or_404(RuleVersion, uid=rule.uid, number=number)
    try:
        rule_restore(uid=rule.uid, version=number, author=author_of(request))
    except RuleRefusedError as error:
        messages.error(request, _("Version %(number)s cannot come back.") % {"number": number} + f" {error}")
    else:
        said = _("Version %(number)s is back as a draft. It goes live with the next release.")
        messages.success(request, said % {"number": number})
    return redirect("admin:rules_rule_history", rule_id)


def _entries(rule: Rule, versions: Sequence[RuleVersion]) -> list[VersionEntry]:
    now = rule_spec(rule)
    specs = [rule_from_json(version.data, version=version.number) for version in versions]
    shown = versions[:_PER_PAGE]
    releases = _releases(shown)
    return [
        VersionEntry(
            version=version,
            changes=_words(specs[place + 1], specs[place]) if place + 1 < len(specs) else (),
            undoing=() if version.number == rule.version else _words(now, specs[place]),
            is_first=place + 1 == len(specs),
            is_current=version.number == rule.version,
            releases=tuple(releases.get(version.pk, ())),
        )
        for place, version in enumerate(shown)
    ]


def _words(old: RuleSpec, new: RuleSpec) -> tuple[str, ...]:
    return tuple(change_text(change) for change in rule_changes(old, new))


def _releases(versions: Sequence[RuleVersion]) -> dict[int, list[int]]:
    """Return which releases hold these versions, newest first."""
    held: dict[int, list[int]] = {}
    entries = ReleaseRule.objects.filter(version__in=[version.pk for version in versions])
    for version, number in entries.order_by("-release__number").values_list("version", "release__number"):
        held.setdefault(version, []).append(number)
    return held


def _traffic(uid: str) -> Any:
    """Return how often each version answered, by day and stage, newest first."""
    since = timezone.localdate() - timedelta(days=_TRAFFIC_DAYS)
    days = RuleHitDay.objects.filter(uid=uid, day__gt=since).values("day", "version", "stage")
    return days.annotate(questions=Sum("count")).order_by("-day", "-version", "stage")
