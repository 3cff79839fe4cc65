"""The question builder: what the pressed buttons become, for the script and for pages without one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from apps.chat.builder import builder_for, choices_of, composed, problem_text, unsourced_among, unsourced_text
from apps.chat.collection import about_collection
from apps.chat.composing import Choice, Composed
from apps.chat.forms import QuestionForm


@require_safe
@never_cache
def compose_json(request: HttpRequest) -> JsonResponse:
    """Return the question of a combination, and what is to be said about it. Only names of buttons are sent."""
    choices, becomes = _combination(request.GET.getlist("choice"))
    return JsonResponse({"question": becomes.question, "said": _said(choices, becomes)})


@require_POST
@ensure_csrf_cookie
@never_cache
def compose_page(request: HttpRequest) -> HttpResponse:
    """Show the first screen with the combination's question in the field, to be changed and sent."""
    language = get_language() or "de"
    choices, becomes = _combination(request.POST.getlist("choice"))
    typed = request.POST.get("question", "")[:2000]
    form = QuestionForm(initial={"question": becomes.question or typed})
    context = {
        "form": form,
        "about": about_collection(),
        "builder": builder_for(language, {choice.slug for choice in choices}),
        "builder_said": _said(choices, becomes),
        "builder_is_open": True,
    }
    return render(request, "chat/home.html", context)


def _combination(slugs: list[str]) -> tuple[tuple[Choice, ...], Composed]:
    language = get_language() or "de"
    choices = choices_of(slugs, language)
    return choices, composed(choices, language)


def _said(choices: tuple[Choice, ...], becomes: Composed) -> str:
    if becomes.problem is not None:
        return problem_text(becomes.problem)
    return " ".join(unsourced_text(topic, other) for topic, other in unsourced_among(choices))
