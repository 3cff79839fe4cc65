"""The pages of "Try a question": beside the rule form and over all rules. Questions come in the body, not in URLs."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from apps.answering.guarding import for_holders
from apps.answering.try_form import TryForm
from apps.answering.try_question import Trial, try_draft, try_live
from apps.rules.forms import posted_rule

for_the_desk = for_holders("rules.view_rule", "rules.change_rule")


@for_the_desk
@require_http_methods(["GET", "HEAD", "POST"])
def try_page(request: HttpRequest) -> HttpResponse:
    """Show the page over all rules; on POST with the outcome, which also serves rule forms without scripts."""
    form = TryForm(request.POST) if request.method == "POST" else TryForm()
    context = {
        **admin.site.each_context(request),
        **(_outcome(request, form) if request.method == "POST" else {}),
        "title": _("Try the rules"),
        "form": form,
        "source": _source(request),
    }
    return render(request, "admin/answering/try_page.html", context)


@for_the_desk
@require_POST
def try_result(request: HttpRequest) -> HttpResponse:
    """Return what becomes of a question, the unsaved rule around it included."""
    return render(request, "admin/answering/_try_result.html", _outcome(request, TryForm(request.POST)))


def _outcome(request: HttpRequest, form: TryForm) -> dict[str, Any]:
    form.is_valid()
    question = form.cleaned_data.get("try_question", "")
    if not question:
        return {"trial": None, "try_errors": form.errors}
    context = form.context()
    trial: Trial | None
    if "rule_id" in request.POST:
        rule_form, rule = posted_rule(request.POST)
        trial = try_draft(question, context, rule)
        return {"trial": trial, "try_errors": form.errors, "asked": context, "rule_errors": bool(rule_form.errors)}
    trial = try_live(question, context) if _source(request) == "live" else try_draft(question, context)
    return {"trial": trial, "try_errors": form.errors, "asked": context, "has_no_release": trial is None}


def _source(request: HttpRequest) -> str:
    return "live" if request.POST.get("try_source") == "live" else "draft"
