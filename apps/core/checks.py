"""System checks that tell the operator what is missing. Run by manage.py check and at every start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.utils.module_loading import import_string

from apps.core.ports import NAMES


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


@register
def check_ports(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """Refuse a port that nobody asks, and a path that leads to nothing: both would be silent until somebody asks."""
    problems: list[CheckMessage] = []
    for name, path in settings.PORTS.items():
        if name not in NAMES:
            known = ", ".join(sorted(NAMES))
            problems.append(Error(f"PORTS names {name!r}, which nobody asks.", hint=f"Known: {known}.", id="core.E002"))
            continue
        try:
            is_function = not path or callable(import_string(path))
        except ImportError:
            is_function = False
        if not is_function:
            problems.append(Error(f"The port {name!r} leads to {path!r}, which is no function.", id="core.E003"))
    return problems
