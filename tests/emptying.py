"""Empties the database after a test that commits, quickly: only what has rows, and not what migrations made."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db import connections, transaction
from django.test import TransactionTestCase

# Made by migrations and by what follows them; no test changes it.
KEPT = frozenset(
    {"django_migrations", "django_content_type", "auth_permission", "auth_group", "auth_group_permissions"}
)


def empty_quickly() -> None:
    """Replace Django's way, which makes a new file for every table and index and writes all permissions again."""
    TransactionTestCase._fixture_teardown = _fixture_teardown  # type: ignore[assignment]


def _fixture_teardown(case: Any) -> None:
    for name in case._databases_names(include_mirrors=False):
        empty_database(name)


def empty_database(name: str = "default") -> None:
    """Delete every row of the models but those of `KEPT`."""
    connection = connections[name]
    with transaction.atomic(using=name), connection.cursor() as cursor:
        cursor.execute(
            " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table})" for table in _tables(name))
        )
        filled = [table for (table,) in cursor.fetchall()]
        # Without triggers: those that keep releases as they are, and those of foreign keys.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for table in filled:
            cursor.execute(f"DELETE FROM {table}")


@cache
def _tables(name: str) -> tuple[str, ...]:
    """Return all tables of the models; the tests' role owns the database, so it may go past their triggers."""
    tables = connections[name].introspection.django_table_names(only_existing=True, include_views=False)
    return tuple(sorted(table for table in tables if table not in KEPT))
