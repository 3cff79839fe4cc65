"""Starts the embedded servers for an entry point when no server is configured. Called by manage.py, ASGI and Celery."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from apps.embedded.servers import ensure


def ensure_servers() -> None:
    """Take a lease on the embedded servers, or do nothing when the operator brings servers of their own."""
    if settings.EMBEDDED:
        ensure(Path(settings.BASE_DIR))
