"""The way to readers' words: a permission, a reason, and a line in the access log for every page that shows them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from apps.core.cleaning import clean_line
from apps.querylog.models import AccessEntry
from apps.querylog.past import uuid_of

PERMISSION: Final = "querylog.view_question"
# What readers have said to the desk itself is for the desk, by its own permissions, and for a reason too.
SAID_TO_THE_DESK: Final = ("querylog.view_handover", "querylog.view_answerfeedback", "querylog.view_sourcereport")
EXPORTING: Final = "querylog.export_log"
# After this long somebody has to say again why they read.
_OPEN_FOR: Final = timedelta(hours=1)
_KEPT_FOR: Final = timedelta(days=365)
_MOST_CHARACTERS: Final = 200
_LEAST_CHARACTERS: Final = 5
_KEY: Final = "log_reading"
# An export of thousands is named by its number.
_MOST_NAMED: Final = 200


@dataclass(frozen=True, slots=True)
class Reading:
    """What a person may see of readers' words now: ``may`` they at all, and for which ``reason`` ("" until said)."""

    may: bool
    reason: str

    @property
    def is_open(self) -> bool:
        return self.may and bool(self.reason)


def reading_of(request: HttpRequest, permission: str = PERMISSION) -> Reading:
    """Return whether this person is shown words now; the reason ends with its hour or with the session."""
    if not request.user.has_perm(permission):
        return Reading(may=False, reason="")
    stored = request.session.get(_KEY) or {}
    until = parse_datetime(str(stored.get("until", "")))
    is_running = until is not None and until > timezone.now()
    return Reading(may=True, reason=str(stored.get("reason", "")) if is_running else "")


def reason_read(words: str) -> str:
    """Return a reason as it is kept, "" for what is none."""
    reason = clean_line(words, limit=_MOST_CHARACTERS)
    return reason if len(reason) >= _LEAST_CHARACTERS else ""


def reading_open(request: HttpRequest, words: str) -> bool:
    """Remember why this person reads, for an hour; False when that is no reason."""
    reason = reason_read(words)
    if not reason or not may_say_why(request):
        return False
    request.session[_KEY] = {"reason": reason, "until": (timezone.now() + _OPEN_FOR).isoformat()}
    return True


def may_say_why(request: HttpRequest) -> bool:
    """Say whether there are any words that this person may read for a reason."""
    return any(request.user.has_perm(permission) for permission in (PERMISSION, *SAID_TO_THE_DESK))


def reading_close(request: HttpRequest) -> None:
    request.session.pop(_KEY, None)


def access_note(
    *, request: HttpRequest, what: AccessEntry.What, turns: Iterable[UUID], reason: str, others: int = 0
) -> AccessEntry:
    """Write the line of the access log; whoever shows words calls it before they leave the house.

    ``others`` are texts that belong to no question.
    """
    return _note(request.user, what, list(turns), reason, others)


def _note(user: Any, what: AccessEntry.What, turns: Sequence[UUID], reason: str, others: int = 0) -> AccessEntry:
    return AccessEntry.objects.create(
        user=user if user.is_authenticated else None,
        name=user.get_username() or "?",
        what=what,
        count=len(turns) + others,
        turns=turns[:_MOST_NAMED],
        reason=reason,
    )


def words_read(user: Any, keys: Collection[str], reason: str) -> None:
    """Fill the port ``rules.words_read``: another desk has shown questions of the log, with their public numbers."""
    turns = [found for found in map(uuid_of, keys) if found]
    _note(user, AccessEntry.What.LIST, turns, clean_line(reason, limit=_MOST_CHARACTERS))


def access_trim() -> int:
    """Forget who read what a year ago; return how many lines went."""
    gone, _ = AccessEntry.objects.filter(created_at__lt=timezone.now() - _KEPT_FOR).delete()
    return gone
