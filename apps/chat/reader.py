"""The reader's own cookie: a random token that owns conversations and says nothing else."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db.models import OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import get_language

from apps.querylog.models import Conversation, Turn
from apps.querylog.ownership import new_token, owner_of

COOKIE = "wegweiser_reader"
MOST_LISTED = 10


def reader_token(request: HttpRequest) -> str:
    """Return the reader's token, or a fresh one."""
    token = request.COOKIES.get(COOKIE, "")
    return token if 20 <= len(token) <= 100 else new_token()


def keep_token(response: HttpResponse, token: str) -> HttpResponse:
    """Set the cookie for as long as questions are kept, and return the response."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=settings.QUESTION_RETENTION_DAYS * 86_400,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return response


def own_conversation(request: HttpRequest, key: uuid.UUID) -> Conversation:
    """Return the reader's conversation; a stranger's is answered like one that never was."""
    found = Conversation.objects.owned_by(owner_of(request.COOKIES.get(COOKIE, ""))).filter(uuid=key).first()
    if found is None:
        raise Http404
    return found


def own_turn(request: HttpRequest, key: uuid.UUID) -> Turn:
    """Return the reader's turn; a stranger's is answered like one that never was."""
    owned = Turn.objects.owned_by(owner_of(request.COOKIES.get(COOKIE, "")))
    return get_object_or_404(owned.select_related("conversation", "handover", "feedback", "share"), uuid=key)


def earlier_conversations(request: HttpRequest) -> list[Conversation]:
    """Return the reader's own conversations, the newest first, each with its first question."""
    token = request.COOKIES.get(COOKIE, "")
    if not token:
        return []
    first = Turn.objects.filter(conversation=OuterRef("pk")).order_by("number").values("question")[:1]
    found = Conversation.objects.owned_by(owner_of(token)).annotate(first_question=Subquery(first))
    return list(found.filter(first_question__isnull=False)[:MOST_LISTED])


def page_language() -> str:
    """Return the language that the page is in."""
    return get_language() or "de"


def wants_fragment(request: HttpRequest) -> bool:
    """Say whether htmx asks for a part of a page."""
    return bool(request.htmx and not request.htmx.boosted)  # type: ignore[attr-defined]
