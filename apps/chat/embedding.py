"""The page inside a foreign one: no cookies; a signed token that expires says who asks, and in which language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core import signing

from apps.core.middleware import PUBLIC_POLICY
from apps.querylog.ownership import new_token

_SALT: Final = "chat.embed"
_COLOURS: Final = ("accent", "paper", "ink")
_COLOUR: Final = re.compile(r"#?([0-9a-fA-F]{6})")
LANGUAGES: Final = ("de", "en")


@dataclass(frozen=True, slots=True)
class EmbedReader:
    """Who asks through an embedded page; ``token`` owns conversations as the cookie does on our own pages."""

    token: str
    language: str


class EmbedTokenError(Exception):
    """The token is not ours, or it is too old."""


def embed_token_new(language: str) -> str:
    """Return a token for a reader whom nobody knows yet."""
    return signing.dumps({"reader": new_token(), "language": language}, salt=_SALT)


def embed_reader(token: str) -> EmbedReader:
    """Return who a token belongs to. Raises EmbedTokenError."""
    try:
        told = signing.loads(token[:500], salt=_SALT, max_age=settings.EMBED_TOKEN_SECONDS)
    except signing.BadSignature as error:
        raise EmbedTokenError from error
    return EmbedReader(told["reader"], told["language"])


def embed_policy() -> str:
    """Return the content security policy of embedded pages: as everywhere, but those sites may frame them."""
    return PUBLIC_POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {' '.join(settings.EMBED_ORIGINS)}")


def embed_theme(told: dict[str, str]) -> str:
    """Return a style sheet of the colours that the foreign page names; what is no colour is left out."""
    found = {name: _COLOUR.fullmatch(told.get(name, "")) for name in _COLOURS}
    rules = [f"--{name}: #{match[1].lower()};" for name, match in found.items() if match]
    scheme = told.get("scheme", "")
    if scheme in ("light", "dark"):
        rules.append(f"color-scheme: {scheme};")
    return f":root {{ {' '.join(rules)} }}\n" if rules else ""
