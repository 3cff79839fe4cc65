"""The reader's page."""

from __future__ import annotations

import uuid
from typing import Any

from asgiref.sync import async_to_sync, sync_to_async
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_POST, require_safe

from apps.chat.builder import builder_for, choices_of
from apps.chat.collection import about_collection
from apps.chat.display import shown_turn
from apps.chat.exporting import conversation_export
from apps.chat.forms import QuestionForm
from apps.chat.limits import asked_too_often
from apps.chat.reader import (
    earlier_conversations,
    keep_token,
    own_conversation,
    own_turn,
    page_language,
    reader_token,
    wants_fragment,
)
from apps.chat.running import answer_whole
from apps.chat.runs import turn_events
from apps.chat.viewing import Viewer
from apps.chat.waiting import has_room, may_wait
from apps.core.connections import give_connection_back
from apps.core.streaming import sse_response
from apps.querylog.models import Conversation, Turn
from apps.querylog.retention import conversation_delete
from apps.querylog.services import conversation_open, turn_start


@require_safe
@ensure_csrf_cookie
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """The first screen."""
    context = {"form": QuestionForm(), "earlier": earlier_conversations(request)}
    return render(request, "chat/home.html", home_context(context))


def home_context(context: dict[str, Any], chosen: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return what the first screen shows besides its form."""
    return {"about": about_collection(), "builder": builder_for(page_language(), chosen), **context}


@require_POST
@never_cache
def ask(request: HttpRequest) -> HttpResponse:
    """Take a question: a fragment that streams for htmx, a finished page for everyone else."""
    form, token = QuestionForm(request.POST), reader_token(request)
    if not form.is_valid():
        return _form_again(request, form, status=422)
    if not (may_wait() if wants_fragment(request) else has_room()):
        return _form_again(request, form, status=503)
    wait = asked_too_often(request, token)
    if wait:
        return keep_token(_form_again(request, form, status=429, wait=wait), token)
    key, language = form.cleaned_data["conversation"], page_language()
    try:
        conversation = own_conversation(request, key) if key else conversation_open(token=token, language=language)
        pressed = [choice.slug for choice in choices_of(request.POST.getlist("choice"), language)]
        turn = turn_start(conversation=conversation, words=form.cleaned_data["question"], choices=pressed)
    except (Http404, Conversation.DoesNotExist):
        # Somebody else's, forgotten, or deleted in another tab: the words go into a new one.
        gone = QuestionForm(initial={"question": form.cleaned_data["question"]})
        return _form_again(request, gone, status=404)
    return keep_token(_answered(request, turn), token)


def _answered(request: HttpRequest, turn: Turn) -> HttpResponse:
    language = page_language()
    page = reverse("chat:conversation", args=[turn.conversation.uuid])
    if wants_fragment(request):
        response = render(request, "chat/_turn.html", {"shown": shown_turn(turn, language), "is_new": True})
        response["HX-Push-Url"] = page
        return response
    # The answer needs connections of its own: a few such readers at once would wait for each other.
    give_connection_back()
    async_to_sync(answer_whole)(turn.pk, language)
    return redirect(f"{page}#turn-{turn.number}")


def _form_again(request: HttpRequest, form: QuestionForm, *, status: int, wait: int = 0) -> HttpResponse:
    """Show what is wrong beside the form; the reader's words stay in it."""
    context = {"form": form, "is_full": status == 503, "is_gone": status == 404, "wait": wait}
    if wants_fragment(request):
        response = render(request, "chat/_form_message.html", context, status=status)
    else:
        whole = home_context(context, tuple(request.POST.getlist("choice")))
        response = render(request, "chat/home.html", whole, status=status)
    if wait:
        response["Retry-After"] = str(wait)
    return response


@require_safe
@ensure_csrf_cookie
@never_cache
def conversation(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """A reader's own conversation, complete after a reload."""
    found = own_conversation(request, key)
    rows = found.turns.select_related("handover", "feedback", "share").prefetch_related("sentence_reports")
    turns = [shown_turn(turn, page_language()) for turn in rows]
    form = QuestionForm(initial={"conversation": found.uuid})
    return render(request, "chat/conversation.html", {"form": form, "turns": turns, "conversation": found})


@require_safe
@never_cache
def export(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """A reader's own conversation as a file."""
    found = own_conversation(request, key)
    response = JsonResponse(
        conversation_export(found, request.build_absolute_uri),
        json_dumps_params={"ensure_ascii": False, "indent": 1},
    )
    response["Content-Disposition"] = f'attachment; filename="wegweiser-{found.created_at:%Y-%m-%d}.json"'
    return response


@require_GET
async def turn_stream(request: HttpRequest, key: uuid.UUID) -> HttpResponseBase:
    """A turn as server-sent events; opening it twice never asks twice, and coming back goes on where it broke off."""
    turn = await sync_to_async(_own_turn_and_close)(request, key)
    viewer = Viewer(page_language(), csrf_token=get_token(request))
    return sse_response(turn_events(turn, viewer, events_seen(request)))


def events_seen(request: HttpRequest) -> int:
    """Return how many events the browser says that it has got."""
    seen = request.headers.get("Last-Event-ID", "")
    return int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 6 else 0


def _own_turn_and_close(request: HttpRequest, key: uuid.UUID) -> Turn:
    try:
        return own_turn(request, key)
    finally:
        connection.close()


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
