"""System checks of the reader's page: an accent colour that cannot be read is refused at the start."""

from __future__ import annotations

import re
from typing import Any, Final

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from apps.chat.site import contrast

_LEAST: Final = 4.5
_PAPER: Final = re.compile(r"--paper(?:-2)?: (#[0-9a-f]{6})")


@register
def check_accent(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """Hold the operator's colours against the paper of static/css/tokens.css, as WCAG 2.2 AA asks of text."""
    css = (settings.BASE_DIR / "static/css/tokens.css").read_text(encoding="utf-8")
    light, _rest, dark = css.partition("@media (prefers-color-scheme: dark)")
    pairs = [("accent", light), ("accent_dark", dark)]
    problems: list[CheckMessage] = []
    for name, part in pairs:
        colour = settings.SITE[name]
        if colour and min(contrast(colour, paper) for paper in _PAPER.findall(part)) < _LEAST:
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
