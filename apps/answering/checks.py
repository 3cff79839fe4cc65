"""System check: what the settings say of the language model makes sense."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured

from apps.answering.language_models import configured_model


@register()
def check_language_model(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """Say at the start, and not to the first reader, that a model cannot be asked. No server is asked here."""
    try:
        configured_model()
    except ImproperlyConfigured as error:
        return [Error(str(error), hint="README.md lists the variables.", id="answering.E001")]
    return []
