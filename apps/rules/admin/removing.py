"""Taking a rule away: deleted if no release ever held it, else archived."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from apps.rules.forms import stored_rule
from apps.rules.models import ReleaseRule, Rule
from apps.rules.services import ChecksFailedError, UnknownRuleError, rule_delete


def remove_page(desk: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    """Ask, and on POST do it. Whoever may write a rule may take it away: its history brings it back."""
    rule = stored_rule(object_id)
    if rule is None:
        raise Http404
    if not desk.has_change_permission(request, rule):
        raise PermissionDenied
    if request.method == "POST":
        return _remove(request, rule)
    context = {
        **desk.admin_site.each_context(request),
        "opts": desk.opts,
        "title": _("Take a rule away"),
        "rule": rule,
        "was_released": ReleaseRule.objects.filter(version__uid=rule.uid).exists(),
        "children": list(rule.children.order_by("position", "uid").values_list("title", flat=True)[:5]),
    }
    return render(request, "admin/rules/rule/remove.html", context)


def _remove(request: HttpRequest, rule: Rule) -> HttpResponse:
    try:
        archived = rule_delete(uid=rule.uid, author=request.user if request.user.is_authenticated else None)
    except (ChecksFailedError, UnknownRuleError) as error:
        messages.error(request, str(error))
        return redirect("admin:rules_rule_changelist")
    if archived:
        said = _("“%(title)s” is archived. Readers are without it after the next release.")
    else:
        said = _("“%(title)s” is deleted. Its history can bring it back.")
    messages.success(request, said % {"title": rule.title})
    return redirect("admin:rules_rule_changelist")
