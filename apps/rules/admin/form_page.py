"""The page of one rule: show the form, save what it says, and tell what happened. Rows are written by services only."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from apps.rules.admin.conflict_panel import conflict_panel, taken_over
from apps.rules.admin.form_errors import add_findings, rule_findings
from apps.rules.budget import budget_of
from apps.rules.forms import RuleForm, initial_from, named, posted_rule, spec_from, stored_rule
from apps.rules.loading import rule_spec
from apps.rules.models import Rule
from apps.rules.reading import read_lists, read_phrases
from apps.rules.services import ChecksFailedError, OvertakenError, next_position, rule_save
from apps.rules.summaries import summaries
from apps.rules.types import RuleSpec, Status


def rule_page(desk: Any, request: HttpRequest, object_id: str | None) -> HttpResponse:
    """Show the form of a rule or of a new one; on POST save it, or show it again with everything that was typed."""
    rule = _rule(object_id)
    base = rule_spec(rule) if rule else None
    may_save = desk.has_change_permission(request) if rule else desk.has_add_permission(request)
    if not (may_save or (rule and request.method != "POST" and desk.has_view_permission(request))):
        raise PermissionDenied
    if request.method != "POST":
        started = base or _new(request)
        form = RuleForm(**initial_from(started), base=base)
        return _page(desk, request, form, rule, started, may_save)
    form = RuleForm(request.POST, base=base)
    is_valid = form.is_valid()
    spec = _placed(spec_from(form), base)
    panel = None
    if is_valid:
        saved, panel = _save(request, form, spec, base)
        if saved is not None:
            return _after(request, saved, spec)
    return _page(desk, request, form, rule, spec, may_save, panel)


def reading_view(desk: Any, request: HttpRequest) -> HttpResponse:
    """Return how the engine reads what the form says just now, what it costs, and the lines of the folded parts."""
    if not desk.has_view_or_change_permission(request):
        raise PermissionDenied
    form, spec = posted_rule(request.POST)
    return render(request, "admin/rules/form/_reading.html", {**_reading(form, spec), "is_fragment": True})


def checks_view(desk: Any, request: HttpRequest, object_id: int) -> HttpResponse:
    """Return what the checks say about a saved rule; the page asks for it after it has opened."""
    if not desk.has_view_or_change_permission(request):
        raise PermissionDenied
    rule = _rule(str(object_id))
    return render(request, "admin/rules/form/_checks.html", {"findings": rule_findings(rule) if rule else []})


def _rule(object_id: str | None) -> Rule | None:
    if object_id is None:
        return None
    rule = stored_rule(object_id)
    if rule is None:
        raise Http404
    return rule


def _new(request: HttpRequest) -> RuleSpec:
    """A new rule belongs to whoever writes it; the list's "add below" names the rule above it."""
    parent = Rule.objects.filter(uid=request.GET.get("parent", "")[:80]).values_list("uid", flat=True).first()
    return RuleSpec(uid="", status=Status.ACTIVE, parent=parent, owner=request.user.get_username())


def _placed(spec: RuleSpec, base: RuleSpec | None) -> RuleSpec:
    """A new rule, or one that goes below another, stands last there."""
    is_there = base is not None and base.parent == spec.parent
    return spec if is_there else replace(spec, position=next_position(spec.parent))


def _save(
    request: HttpRequest, form: RuleForm, spec: RuleSpec, base: RuleSpec | None
) -> tuple[Rule | None, dict[str, Any] | None]:
    """Return the saved rule, or None with what the page must show beside the form."""
    expected = (form.cleaned_data.get("version") or 0) if base else None
    taken = taken_over(request.POST.get("_mine", ""), spec, expected) if base else None
    if taken is not None:
        spec, expected = taken, taken.version
    try:
        return (
            rule_save(
                spec=spec if base else named(spec),
                author=request.user if request.user.is_authenticated else None,
                expected_version=expected,
                comment=form.cleaned_data.get("comment", ""),
            ),
            None,
        )
    except OvertakenError as error:
        return None, conflict_panel(error, spec, expected or 0)
    except ChecksFailedError as error:
        add_findings(form, error.findings)
        return None, None


def _after(request: HttpRequest, rule: Rule, spec: RuleSpec) -> HttpResponse:
    if rule.version == spec.version:
        messages.info(request, _("Nothing was changed in “%(title)s”.") % {"title": rule.title})
    elif rule.status == Rule.Status.DRAFT:
        said = _("“%(title)s” is saved as a draft. It stays out of releases until you set it to active.")
        messages.success(request, said % {"title": rule.title})
    else:
        said = _("“%(title)s” is saved. Readers get it with the next release.")
        messages.success(request, said % {"title": rule.title})
    for finding in rule_findings(Rule.objects.whole().get(pk=rule.pk)):
        messages.add_message(request, messages.INFO if finding.is_note else messages.WARNING, finding.text)
    if "_addanother" in request.POST:
        return redirect("admin:rules_rule_add")
    if "_continue" in request.POST or "_mine" in request.POST:
        return redirect("admin:rules_rule_change", rule.pk)
    return redirect("admin:rules_rule_changelist")


def _page(
    desk: Any,
    request: HttpRequest,
    form: RuleForm,
    rule: Rule | None,
    spec: RuleSpec,
    may_save: bool,
    panel: dict[str, Any] | None = None,
) -> HttpResponse:
    has_errors = form.is_bound and not form.is_valid()
    context = {
        **desk.admin_site.each_context(request),
        **_reading(form, spec),
        "opts": desk.opts,
        "media": desk.media,
        "title": rule.title if rule else _("Add rule"),
        "form": form,
        "rule": rule,
        "spec": spec,
        "conflict": panel,
        "may_save": may_save,
        "may_add": desk.has_add_permission(request),
        "may_delete": rule is not None and may_save,
        "has_errors": has_errors,
    }
    return render(request, "admin/rules/rule/change_form.html", context)


def _reading(form: RuleForm, spec: RuleSpec) -> dict[str, Any]:
    return {
        "phrases_read": read_phrases(spec.phrases),
        "lists_read": read_lists(spec),
        "budget": budget_of(spec),
        "lines": summaries(spec, str(form["parent_title"].value() or "")[:120]),
    }
