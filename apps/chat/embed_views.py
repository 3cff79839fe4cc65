"""The embedded page: what it shows, its POST and its stream. None of them reads or sets a cookie."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import override
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST, require_safe

from apps.chat.builder import choices_of, composed
from apps.chat.collection import about_collection
from apps.chat.display import shown_turn
from apps.chat.embedding import (
    LANGUAGES,
    EmbedReader,
    EmbedTokenError,
    embed_policy,
    embed_reader,
    embed_theme,
    embed_token_new,
)
from apps.chat.forms import QuestionForm
from apps.chat.limits import asked_too_often
from apps.chat.reader import page_language, wants_fragment
from apps.chat.running import answer_whole
from apps.chat.runs import turn_events
from apps.chat.viewing import Viewer
from apps.chat.views import events_seen
from apps.chat.waiting import has_room, may_wait
from apps.core.connections import give_connection_back
from apps.core.streaming import sse_response
from apps.querylog.models import Conversation, Turn
from apps.querylog.ownership import owner_of
from apps.querylog.services import conversation_open, turn_start

_THEME: Final = ("accent", "paper", "ink", "scheme")
View = Callable[..., HttpResponse]


def framed(view: View) -> View:
    """Let the sites on the list frame a page, and nobody else; without a list there is no such page."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.EMBED_ORIGINS:
            raise Http404
        response = view(request, *args, **kwargs)
        response["Content-Security-Policy"] = embed_policy()
        return response

    return xframe_options_exempt(never_cache(wrapped))


@require_safe
@framed
def page(request: HttpRequest) -> HttpResponse:
    """The form with a question put together from the topic and the party that the foreign page names."""
    told = request.GET.get("lang", "")
    language = told if told in LANGUAGES else page_language()
    with override(language):
        choices = choices_of([request.GET.get("topic", ""), request.GET.get("party", "")], language)
        question = composed(choices, language).question if choices else ""
        form = QuestionForm(initial={"question": question})
        return _page(request, form, embed_token_new(language), language)


@csrf_exempt
@require_POST
@framed
def ask(request: HttpRequest) -> HttpResponse:
    """Take a question. The token authorises it, whatever cookies came with it."""
    form, token = QuestionForm(request.POST), request.POST.get("token", "")
    try:
        reader = embed_reader(token)
    except EmbedTokenError:
        language = page_language()
        again = QuestionForm(initial={"question": request.POST.get("question", "")[:2000]})
        return _page(request, again, embed_token_new(language), language, status=403, is_stale=True)
    with override(reader.language):
        if not form.is_valid():
            return _page(request, form, token, reader.language, status=422)
        if not (may_wait() if wants_fragment(request) else has_room()):
            return _page(request, form, token, reader.language, status=503, is_full=True)
        wait = asked_too_often(request, reader.token)
        if wait:
            return _page(request, form, token, reader.language, status=429, wait=wait)
        return _answered(request, _turn(reader, form), token, reader.language)


def _turn(reader: EmbedReader, form: QuestionForm) -> Turn:
    own = Conversation.objects.owned_by(owner_of(reader.token))
    conversation = own.filter(uuid=form.cleaned_data["conversation"]).first()
    if conversation is None:
        conversation = conversation_open(token=reader.token, language=reader.language)
    return turn_start(conversation=conversation, words=form.cleaned_data["question"])


def _answered(request: HttpRequest, turn: Turn, token: str, language: str) -> HttpResponse:
    viewer = Viewer(language, embed_token=token)
    if wants_fragment(request):
        context = {"shown": shown_turn(turn, language), "is_new": True, "viewer": viewer}
        return render(request, "chat/_turn.html", context)
    give_connection_back()
    async_to_sync(answer_whole)(turn.pk, language)
    turns = [shown_turn(each, language) for each in turn.conversation.turns.all()]
    form = QuestionForm(initial={"conversation": turn.conversation.uuid})
    return _page(request, form, token, language, turns=turns)


def _page(
    request: HttpRequest, form: QuestionForm, token: str, language: str, *, status: int = 200, **more: object
) -> HttpResponse:
    theme = {name: request.GET[name] for name in _THEME if name in request.GET}
    context = {
        "form": form,
        "viewer": Viewer(language, embed_token=token),
        "ask_url": reverse("chat:embed-ask"),
        "embed_theme": theme,
        **more,
    }
    if wants_fragment(request):
        return render(request, "chat/_form_message.html", context, status=status)
    return render(request, "chat/embed.html", {"about": about_collection(), **context}, status=status)


@require_safe
@cache_control(public=True, max_age=3_600)
def theme(request: HttpRequest) -> HttpResponse:
    """The foreign page's colours as a style sheet."""
    return HttpResponse(embed_theme(request.GET.dict()), content_type="text/css; charset=utf-8")


@require_GET
async def stream(request: HttpRequest, key: uuid.UUID, token: str) -> HttpResponseBase:
    """A turn as server-sent events, for whoever holds the token that asked it."""
    turn, reader = await sync_to_async(_own_turn)(key, token)
    viewer = Viewer(reader.language, embed_token=token)
    return sse_response(turn_events(turn, viewer, events_seen(request)))


def _own_turn(key: uuid.UUID, token: str) -> tuple[Turn, EmbedReader]:
    try:
        reader = embed_reader(token)
        turn = Turn.objects.owned_by(owner_of(reader.token)).select_related("conversation").filter(uuid=key).first()
    except EmbedTokenError:
        raise Http404 from None
    finally:
        connection.close()
    if turn is None or not settings.EMBED_ORIGINS:
        raise Http404
    return turn, reader
