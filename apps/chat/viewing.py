"""Who looks at an answer while it is made: what its pieces of HTML need to know."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Viewer:
    """The page's language, and what its forms are authorised by: a CSRF token, or an embed's own token."""

    locale: str
    csrf_token: str = ""
    embed_token: str = ""
