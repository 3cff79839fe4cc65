"""A lock that lives as long as the connection that holds it: for work that must not run twice at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def held_alone(key: int) -> Iterator[bool]:
    """Say whether this connection holds the advisory lock ``key`` alone; let go of it at the end.

    A killed worker's lock is gone with its connection. Not a row lock: it would be held for minutes and keep an editor
    from saving the row.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        row = cursor.fetchone()
    is_alone = bool(row and row[0])
    try:
        yield is_alone
    finally:
        if is_alone and connection.connection is not None and not connection.needs_rollback:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [key])
