"""Who sits at the desk."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest


def author_of(request: HttpRequest) -> User | None:
    """Return whose name a write goes under."""
    return request.user if request.user.is_authenticated else None
