"""Work beside a test's own transaction: the server's threads see what is done, and nothing stays locked."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection

from apps.rules import live

Found = TypeVar("Found")


def elsewhere(work: Callable[[], Found]) -> Found:
    """Work in a thread with a connection of its own, as a worker does, and return what it found or raise its error."""

    def run() -> Found:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


def rules_forget() -> None:
    """Take every rule and release away: what was saved as a version can be forgotten in no other way."""
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE rules_rule, rules_ruleversion, rules_release, rules_backtest CASCADE")
    live.forget()
