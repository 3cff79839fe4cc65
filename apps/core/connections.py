"""Lets go of the database while something slow goes on."""

from __future__ import annotations

from django.db import connection


def give_connection_back() -> None:
    """Return this thread's connection to the pool; the next query takes one again. Changes nothing in a transaction."""
    if not connection.in_atomic_block:
        connection.close()
