"""Curated links: are they still there? Two bad nights in a row make one dead, a good one revives it."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.utils import timezone

from apps.core.connections import give_connection_back
from apps.documents.fetching import FetchError, FetchLimits, fetch
from apps.documents.models import CuratedLink

FAILURES_UNTIL_DEAD: Final = 2
# A message that is delivered twice, or an editor who presses the button again, is no second night.
_ONE_NIGHT: Final = timedelta(hours=12)
_LIMITS: Final = FetchLimits(seconds=15, connect_seconds=5)
# Sites that shut out programs show their pages to readers all the same.
_SHUT_OUT: Final = frozenset({401, 402, 403, 405, 406, 429, 451})
# What says nothing about the page: it lies where only the house's own readers get, or is packed in an odd way.
_SAYS_NOTHING: Final = frozenset({"private", "port", "encoding", "too_large", "bomb"})


def link_check(*, link: CuratedLink) -> CuratedLink.State:
    """Ask the site whether the page is there, store what came of it, and return the new state."""
    give_connection_back()
    error: FetchError | None = None
    try:
        fetch(link.address, allowed_hosts=settings.FETCH_ALLOWED_HOSTS, limits=_LIMITS, is_probe=True)
    except FetchError as failed:
        error = failed
    now = timezone.now()
    state, failures = _judged(link, error, now - link.checked_at >= _ONE_NIGHT if link.checked_at else True)
    # Only where the address is still the one that was asked, and only these columns: an editor may be saving it.
    CuratedLink.objects.filter(pk=link.pk, address=link.address).update(
        state=state,
        failures=failures,
        checked_at=now,
        reason_code=error.code if error else "",
        reason=error.reason if error else "",
    )
    return state


def _judged(link: CuratedLink, error: FetchError | None, is_new_night: bool) -> tuple[CuratedLink.State, int]:
    if error is None:
        return CuratedLink.State.ALIVE, 0
    if error.status in _SHUT_OUT or error.code in _SAYS_NOTHING:
        return CuratedLink.State.UNKNOWN, 0
    failures = link.failures + 1 if is_new_night or not link.failures else link.failures
    is_dead = failures >= FAILURES_UNTIL_DEAD
    return CuratedLink.State.DEAD if is_dead else CuratedLink.State.UNKNOWN, failures


def link_forget_check(*, link: CuratedLink) -> None:
    """Begin anew with a link whose address has changed."""
    link.state, link.failures, link.checked_at = CuratedLink.State.UNKNOWN, 0, None
    link.reason_code = link.reason = ""
