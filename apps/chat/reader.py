"""The reader's own cookie: a random token that owns conversations and says nothing else."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from apps.querylog.models import Conversation, Turn
from apps.querylog.ownership import new_token, owner_of

COOKIE = "wegweiser_reader"


def reader_token(request: HttpRequest) -> str:
    """Return the reader's token, or a fresh one."""
    token = request.COOKIES.get(COOKIE, "")
    return token if 20 <= len(token) <= 100 else new_token()


def keep_token(response: HttpResponseBase, token: str) -> None:
    """Set the cookie for as long as questions are kept."""
    response.set_cookie(  # type: ignore[attr-defined]
        COOKIE,
        token,
        max_age=settings.QUESTION_RETENTION_DAYS * 86_400,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def own_conversation(request: HttpRequest, key: uuid.UUID) -> Conversation:
    """Return the reader's conversation; a stranger's is answered like one that never was."""
    found = Conversation.objects.owned_by(owner_of(request.COOKIES.get(COOKIE, ""))).filter(uuid=key).first()
    if found is None:
        raise Http404
    return found


def own_turn(request: HttpRequest, key: uuid.UUID) -> Turn:
    """Return the reader's turn; a stranger's is answered like one that never was."""
    owned = Turn.objects.owned_by(owner_of(request.COOKIES.get(COOKIE, "")))
    found = owned.select_related("conversation", "handover").filter(uuid=key).first()
    if found is None:
        raise Http404
    return found
