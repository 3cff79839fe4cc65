"""Who owns a conversation: a random token in a cookie, of which only hashes are stored."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import date

from apps.querylog.models import DailyKey


def new_token() -> str:
    """Return a fresh random token for a reader's cookie."""
    return secrets.token_urlsafe(32)


def owner_of(token: str) -> str:
    """Return the stored form of a token, or an empty text for no token."""
    return hashlib.sha256(token.encode()).hexdigest() if token else ""


def session_day(token: str, day: date) -> str:
    """Return the day's analytics hash of a token. With the day's key gone it leads back to nobody."""
    row, _ = DailyKey.objects.get_or_create(day=day, defaults={"key": secrets.token_bytes(32)})
    return hmac.new(bytes(row.key), token.encode(), hashlib.sha256).hexdigest()
