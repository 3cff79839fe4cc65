"""System checks that tell the operator what is missing. Run by manage.py check and at every start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections


@register(Tags.database)
def check_locale(app_configs: Any, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Refuse a database whose locale cannot lower-case umlauts: German stemming would silently fail there."""
    problems: list[CheckMessage] = []
    for alias in databases or []:
        with connections[alias].cursor() as cursor:
            cursor.execute("SELECT lower('Ä') = 'ä'")
            row = cursor.fetchone()
        if not row or not row[0]:
            problems.append(
                Error(
                    f"The database {alias!r} does not know that 'ä' is the small form of 'Ä'.",
                    hint="Create it with the locale provider 'builtin' and the locale C.UTF-8, or with a UTF-8 locale.",
                    id="core.E001",
                )
            )
    return problems
