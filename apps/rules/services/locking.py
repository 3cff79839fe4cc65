"""One writer at a time: rules are a tree and a set, so two half changes could each be right and both together wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection

# The triggers of migration 0003 take the same lock, so that a direct save waits too.
RULES_LOCK: Final = 6_410_003
_TRIGGERS: Final = ("rule_parent_new", "rule_parent_moved", "phrase_taken", "rule_phrases_changed")


def rules_lock() -> None:
    """Wait until no other transaction writes rules or releases; held until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [RULES_LOCK])


@contextmanager
def rules_later() -> Iterator[None]:
    """Let the database look at phrases and parents at the end of the block only, so that they may change hands in it.

    Inside a transaction; what is wrong is refused when the block ends.
    """
    names = ", ".join(_TRIGGERS)
    with connection.cursor() as cursor:
        cursor.execute(f"SET CONSTRAINTS {names} DEFERRED")
        yield
        cursor.execute(f"SET CONSTRAINTS {names} IMMEDIATE")
