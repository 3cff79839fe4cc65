"""System checks of the reader's page: an accent colour that cannot be read is refused at the start."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from apps.chat.site import contrast
from apps.chat.tokens import token_colours

_LEAST: Final = 4.5


@register
def check_accent(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """Hold the operator's colours against the paper of static/css/tokens.css, as WCAG 2.2 AA asks of text."""
    problems: list[CheckMessage] = []
    for name, is_dark in (("accent", False), ("accent_dark", True)):
        colour, known = settings.SITE[name], token_colours(is_dark=is_dark)
        if colour and min(contrast(colour, known[paper]) for paper in ("paper", "paper-2")) < _LEAST:
            problems.append(
                Error(
                    f"SITE_{name.upper()}={colour} cannot be read on the page: its contrast is below {_LEAST} to 1.",
                    hint="Take a darker colour for light pages, a lighter one for dark pages.",
                    id="chat.E001",
                )
            )
    if settings.SITE["accent_dark"] and not settings.SITE["accent"]:
        problems.append(Error("SITE_ACCENT_DARK is set without SITE_ACCENT.", hint="Set both.", id="chat.E002"))
    if settings.SITE["accent"] and not settings.SITE["accent_dark"]:
        problems.append(Error("SITE_ACCENT is set without SITE_ACCENT_DARK.", hint="Set both.", id="chat.E002"))
    return problems
