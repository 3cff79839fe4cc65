"""What a reader does with an answer: rates it, reports a sentence, shares it, hands it to the desk."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from apps.chat.display import shown_turn
from apps.chat.forms import QuestionForm
from apps.chat.limits import asked_too_often
from apps.chat.models import SharedAnswer
from apps.chat.reader import own_turn, page_language, reader_token, wants_fragment
from apps.chat.sharing import NotSharedError, answer_share, answer_unshare, changed_sources
from apps.chat.shown import DRAW
from apps.documents.views import visible_version
from apps.querylog.feedback import NoFeedbackError, answer_rate, sentence_report, source_report
from apps.querylog.handing_over import NotHandedOverError, turn_hand_over
from apps.querylog.models import Turn

View = Callable[..., HttpResponse]


@require_POST
def hand_over(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Hand a question to the desk, once: a thank-you in the button's place, the page again without scripts."""
    turn = own_turn(request, key)
    try:
        turn_hand_over(turn=turn)
    except NotHandedOverError:
        raise Http404 from None
    return _back(request, turn, "hand-over", "chat/_hand_over.html", {"turn": turn})


def not_too_often(view: View) -> View:
    """Count what a reader says, and tell who says too much when it may go on."""

    @wraps(view)
    def limited(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        wait = asked_too_often(request, reader_token(request), deed="say")
        if not wait:
            return view(request, *args, **kwargs)
        context = {"wait": wait, "form": QuestionForm()}
        template = "chat/_form_message.html" if wants_fragment(request) else "chat/too_often.html"
        response = render(request, template, context, status=429)
        response["Retry-After"] = str(wait)
        return response

    return limited


@require_POST
@not_too_often
def rate(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Take a verdict on an answer, then the reasons for it."""
    turn = own_turn(request, key)
    try:
        answer_rate(
            turn=turn,
            verdict=request.POST.get("verdict", ""),
            reasons=request.POST.getlist("reason")[:10],
            comment=request.POST.get("comment", ""),
        )
    except NoFeedbackError:
        raise Http404 from None
    return _tools(request, key)


@require_POST
@not_too_often
def report_sentence(request: HttpRequest, key: uuid.UUID, place: int) -> HttpResponse:
    """Take that a sentence does not stand in its source."""
    turn = own_turn(request, key)
    try:
        sentence_report(turn=turn, place=place)
    except NoFeedbackError:
        raise Http404 from None
    return _tools(request, key)


@require_POST
@not_too_often
def share(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Give an answer a link."""
    turn = own_turn(request, key)
    try:
        answer_share(turn=turn)
    except NotSharedError:
        raise Http404 from None
    return _tools(request, key)


@require_POST
def unshare(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Take the link back."""
    answer_unshare(turn=own_turn(request, key))
    return _tools(request, key)


@require_safe
@never_cache
def shared(request: HttpRequest, key: str) -> HttpResponse:
    """A shared answer as it stood, for whoever holds the link."""
    found = SharedAnswer.objects.filter(key=key).select_related("turn").first()
    if found is None:
        raise Http404
    turn = Turn(question=found.question, shown=found.shown, state=Turn.State.DONE, language=found.language)
    turn.versions = {name: value for name, value in found.turn.versions.items() if name == DRAW}
    context = {"shared": found, "shown": shown_turn(turn, page_language()), "changed": changed_sources(found)}
    return render(request, "chat/shared.html", context)


@require_POST
@never_cache
@not_too_often
def report_source(request: HttpRequest, key: uuid.UUID, version: int, start: int, end: int) -> HttpResponse:
    """Take what is wrong on a source's page; anybody may say so."""
    found = visible_version(request, key, version)
    name, places = ("passage", [start, end]) if end > start else ("reading", [start])
    address = reverse(f"documents:{name}", args=[key, version, *places])
    said = "thanks"
    try:
        source_report(version=found, start=start, end=end, comment=request.POST.get("comment", ""))
    except NoFeedbackError:
        said = "nothing"
    return redirect(f"{address}?report={said}#report")


def _tools(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """The line below an answer as it is now."""
    turn = own_turn(request, key)
    return _back(request, turn, "said", "chat/_said.html", {"shown": shown_turn(turn, page_language())})


def _back(request: HttpRequest, turn: Turn, part: str, template: str, context: dict[str, object]) -> HttpResponse:
    if wants_fragment(request):
        return render(request, template, context)
    return redirect(f"{reverse('chat:conversation', args=[turn.conversation.uuid])}#{part}-{turn.uuid}")
