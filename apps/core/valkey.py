"""Where the processes of one installation find the Valkey that they share: the broker's, where the broker is one."""

from __future__ import annotations

from django.conf import settings


def valkey_url() -> str:
    """Return the address in the client's words, empty where the broker is another program."""
    broker = str(settings.CELERY_BROKER_URL)
    if not broker.startswith(("redis://", "rediss://", "redis+socket://")):
        return ""
    # Celery has its own words for a socket and for the number of the database.
    return broker.replace("redis+socket://", "unix://").replace("?virtual_host=", "?db=")
