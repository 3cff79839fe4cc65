"""The reader's page."""

from __future__ import annotations

import uuid

from asgiref.sync import async_to_sync, sync_to_async
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_POST, require_safe

from apps.chat.builder import builder_for, choices_of
from apps.chat.collection import about_collection
from apps.chat.display import shown_turn
from apps.chat.forms import QuestionForm
from apps.chat.reader import keep_token, own_conversation, own_turn, reader_token
from apps.chat.running import answer_whole, has_room
from apps.chat.streams import turn_events
from apps.core.connections import give_connection_back
from apps.core.streaming import sse_response
from apps.querylog.handing_over import NotHandedOverError, turn_hand_over
from apps.querylog.models import Conversation, Turn
from apps.querylog.retention import conversation_delete
from apps.querylog.services import conversation_open, turn_start


@require_safe
@ensure_csrf_cookie
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """The first screen."""
    builder = builder_for(get_language() or "de")
    return render(request, "chat/home.html", {"form": QuestionForm(), "about": about_collection(), "builder": builder})


@require_POST
@never_cache
def ask(request: HttpRequest) -> HttpResponse:
    """Take a question: a fragment that streams for htmx, a finished page for everyone else."""
    form = QuestionForm(request.POST)
    if not form.is_valid():
        return _form_again(request, form, status=422)
    if not has_room():
        return _form_again(request, form, status=503)
    token, key = reader_token(request), form.cleaned_data["conversation"]
    language = get_language() or "de"
    try:
        conversation = own_conversation(request, key) if key else conversation_open(token=token, language=language)
        pressed = [choice.slug for choice in choices_of(request.POST.getlist("choice"), language)]
        turn = turn_start(conversation=conversation, words=form.cleaned_data["question"], choices=pressed)
    except (Http404, Conversation.DoesNotExist):
        # Somebody else's, forgotten, or deleted in another tab: the words go into a new one.
        gone = QuestionForm(initial={"question": form.cleaned_data["question"]})
        return _form_again(request, gone, status=404)
    page = reverse("chat:conversation", args=[conversation.uuid])
    if request.htmx and not request.htmx.boosted:  # type: ignore[attr-defined]
        response = render(request, "chat/_turn.html", {"shown": shown_turn(turn, language), "is_new": True})
        response["HX-Push-Url"] = page
    else:
        # The answer needs connections of its own: a few such readers at once would wait for each other.
        give_connection_back()
        async_to_sync(answer_whole)(turn.pk, language)
        response = redirect(f"{page}#turn-{turn.number}")
    keep_token(response, token)
    return response


def _form_again(request: HttpRequest, form: QuestionForm, *, status: int) -> HttpResponse:
    """Show what is wrong beside the form; the reader's words stay in it."""
    is_fragment = request.htmx and not request.htmx.boosted  # type: ignore[attr-defined]
    template = "chat/_form_message.html" if is_fragment else "chat/home.html"
    about = None if is_fragment else about_collection()
    context = {"form": form, "is_full": status == 503, "is_gone": status == 404, "about": about}
    if not is_fragment:
        context["builder"] = builder_for(get_language() or "de", request.POST.getlist("choice"))
    return render(request, template, context, status=status)


@require_safe
@ensure_csrf_cookie
@never_cache
def conversation(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """A reader's own conversation, complete after a reload."""
    found = own_conversation(request, key)
    language = get_language() or "de"
    turns = [shown_turn(turn, language) for turn in found.turns.select_related("handover")]
    form = QuestionForm(initial={"conversation": found.uuid})
    return render(request, "chat/conversation.html", {"form": form, "turns": turns, "conversation": found})


@require_GET
async def turn_stream(request: HttpRequest, key: uuid.UUID) -> HttpResponseBase:
    """A turn as server-sent events; opening it twice never asks twice."""
    turn = await sync_to_async(_own_turn_and_close)(request, key)
    # Asked again here: many questions can be sent before the first of their streams is opened.
    if turn.state == Turn.State.NEW and not has_room():
        return HttpResponse(status=503, headers={"Retry-After": "5"})
    return sse_response(turn_events(turn, get_language() or "de"))


def _own_turn_and_close(request: HttpRequest, key: uuid.UUID) -> Turn:
    try:
        return own_turn(request, key)
    finally:
        connection.close()


@require_POST
def hand_over(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Hand a question to the desk, once: a thank-you in the button's place, the page again without scripts."""
    turn = own_turn(request, key)
    try:
        turn_hand_over(turn=turn)
    except NotHandedOverError:
        raise Http404 from None
    if request.htmx and not request.htmx.boosted:  # type: ignore[attr-defined]
        return render(request, "chat/_hand_over.html", {"turn": turn})
    return redirect(f"{reverse('chat:conversation', args=[turn.conversation.uuid])}#hand-over-{turn.uuid}")


@require_POST
def delete(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Forget a conversation."""
    conversation_delete(conversation=own_conversation(request, key))
    return redirect(reverse("chat:home") + "?deleted=1")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Offer the form again with a fresh token; the words stay where they were."""
    if request.path.startswith(reverse("admin:index")):
        return render(request, "403_csrf.html", status=403)
    words = request.POST.get("suggestion") or request.POST.get("question", "")
    form = QuestionForm(initial={"question": words[:2000], "conversation": request.POST.get("conversation", "")[:36]})
    is_fragment = request.htmx if hasattr(request, "htmx") else False
    template = "chat/_form_message.html" if is_fragment else "chat/home.html"
    context = {"form": form, "is_stale": True, "about": None if is_fragment else about_collection()}
    return render(request, template, context, status=403)
