"""Whose page this is: name, logo, colour and words of the operator, from settings. A context processor of all pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language

from apps.answering.live_settings import active_settings
from apps.answering.settings_versions import ModelChoice

WHITE: Final = "#ffffff"
BLACK: Final = "#1c1b19"


@dataclass(frozen=True, slots=True)
class Site:
    """What pages show of their operator. Empty words are replaced by the product's own."""

    name: str
    operator: str
    contact: str
    heading: str
    lead: str
    has_logo: bool
    has_colours: bool

    @property
    def contact_href(self) -> str:
        """Return what the contact links to: a mail address or a page."""
        return f"mailto:{self.contact}" if "@" in self.contact and "/" not in self.contact else self.contact

    @property
    def model_writes(self) -> bool:
        """Say whether a language model writes the answers; otherwise they are quotations."""
        return bool(settings.ANSWER_MODEL) and active_settings().model is not ModelChoice.NONE


def current_site() -> Site:
    """Return the site in the language of the page."""
    english = get_language() == "en"
    told = settings.SITE
    return Site(
        name=told["name"],
        operator=told["operator_en" if english else "operator"] or told["operator"],
        contact=told["contact"],
        heading=told["heading_en" if english else "heading"],
        lead=told["lead_en" if english else "lead"],
        has_logo=settings.SITE_LOGO is not None,
        has_colours=bool(told["accent"]),
    )


def site(request: HttpRequest) -> dict[str, Site]:
    """Give every template the site."""
    return {"site": current_site()}


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour such as #8a3b12, 0 to 1, as WCAG 2.2 defines it."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21, as WCAG 2.2 defines it."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def ink_on(colour: str) -> str:
    """Return white or black, whichever can be read better on a colour."""
    return max((WHITE, BLACK), key=lambda ink: contrast(ink, colour))


def theme_css() -> str:
    """Return the operator's accent colour as a style sheet over static/css/tokens.css; empty where it has none."""
    light, dark = settings.SITE["accent"], settings.SITE["accent_dark"]
    if not light:
        return ""
    css = f":root {{ --accent: {light}; --accent-ink: {ink_on(light)}; }}\n"
    if dark:
        css += (
            f"@media (prefers-color-scheme: dark) {{ :root {{ --accent: {dark}; --accent-ink: {ink_on(dark)}; }} }}\n"
        )
    return css
