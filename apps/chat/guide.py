"""The page "How it works": what editors wrote, with numbers filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.utils.formats import date_format

from apps.chat.collection import AboutCollection
from apps.chat.guide_words import GuideBlock, guide_blocks
from apps.chat.models import GuideSection


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A section as the page shows it; ``adds`` is what the page fills in below."""

    slug: str
    title: str
    blocks: tuple[GuideBlock, ...]
    adds: str


def guide_sections(language: str, about: AboutCollection) -> list[ShownSection]:
    """Return the sections that are switched on, in a language."""
    values = guide_values(about)
    return [
        ShownSection(
            row.slug, row.shown_title(language), tuple(guide_blocks(row.shown_text(language), values)), row.adds
        )
        for row in GuideSection.objects.filter(is_active=True)
    ]


def guide_values(about: AboutCollection) -> Mapping[str, str]:
    """Return what stands for the placeholders (apps/chat/guide_words.py)."""
    return {
        "programmes": str(about.programmes),
        "articles": str(about.articles),
        "as_of": date_format(about.newest) if about.newest else "–",
        "days": str(settings.QUESTION_RETENTION_DAYS),
        "characters": str(settings.QUESTION_MAX_CHARACTERS),
        "name": settings.SITE["name"],
    }
