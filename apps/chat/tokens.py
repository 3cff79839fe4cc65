"""The colours of static/css/tokens.css as values, for checks: what a name stands for in the light and in the dark."""

from __future__ import annotations

import re
from typing import Final

from django.conf import settings

_DARK: Final = "@media (prefers-color-scheme: dark)"
_NAMED: Final = re.compile(r"--([\w-]+): (#[0-9a-f]{6}|var\(--[\w-]+\));")
_VARIABLE: Final = re.compile(r"var\(--([\w-]+)\)")


def token_colours(*, is_dark: bool) -> dict[str, str]:
    """Return each colour by its name, as #rrggbb."""
    css = (settings.BASE_DIR / "static/css/tokens.css").read_text(encoding="utf-8")
    light, _, rest = css.partition(_DARK)
    named = dict(_NAMED.findall(light))
    if is_dark:
        named |= _NAMED.findall(rest.partition("@media")[0])
    return {name: _resolved(value, named) for name, value in named.items()}


def _resolved(value: str, named: dict[str, str]) -> str:
    found = _VARIABLE.fullmatch(value)
    return _resolved(named[found[1]], named) if found else value
