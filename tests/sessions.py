"""A second session at the database, as another process has one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep

import psycopg
from django.db import connection


@contextmanager
def other_session() -> Iterator[psycopg.Connection]:
    """Yield a session of its own; behind the block it is gone, as a killed worker's is, with all its locks."""
    settings = connection.get_connection_params()
    names = ("host", "port", "user", "password", "dbname")
    with psycopg.connect(**{name: settings[name] for name in names if settings.get(name)}, autocommit=True) as other:
        pid = other.info.backend_pid
        yield other
    # The server ends a session a moment after its client has left.
    while _is_there(pid):
        sleep(0.02)


def _is_there(pid: int) -> bool:
    with connection.cursor() as cursor:
        # Within a transaction the server shows what it showed before.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute("SELECT count(*) FROM pg_locks WHERE pid = %s", [pid])
        [locks] = cursor.fetchone() or [0]
    return bool(locks)
