"""What the first screen says about the sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.conf import settings
from django.db.models import Count, Max, Q
from django.utils import timezone
from django.utils.translation import get_language

from apps.chat.models import Suggestion
from apps.documents.models import Document

_MOST_EXAMPLES: Final = 6


@dataclass(frozen=True, slots=True)
class AboutCollection:
    """How many documents can be quoted, how many are being read, and as of when."""

    programmes: int
    articles: int
    others: int
    waiting: int
    newest: date | None
    examples: Sequence[str]

    @property
    def total(self) -> int:
        return self.programmes + self.articles + self.others


def about_collection() -> AboutCollection:
    """Count the collection in one query, and read what the desk suggests in another."""
    answerable = Document.objects.answerable(timezone.localdate())
    kinds = Document.Kind
    counts = answerable.aggregate(
        programmes=Count("id", filter=Q(kind=kinds.PROGRAMME)),
        articles=Count("id", filter=Q(kind__in=[kinds.NEWS, kinds.OPINION])),
        others=Count("id", filter=~Q(kind__in=[kinds.PROGRAMME, kinds.NEWS, kinds.OPINION])),
        newest=Max("published", filter=Q(published__lte=timezone.localdate())),
    )
    working = [Document.Status.QUEUED, Document.Status.PARSING, Document.Status.INDEXING]
    # What the desk keeps to itself is not even counted.
    unread = Document.objects.filter(status__in=working, current_version__isnull=True)
    waiting = unread.filter(collection__visibility="public").count()
    return AboutCollection(**counts, waiting=waiting, examples=_examples((get_language() or "de")[:2]))


def _examples(language: str) -> Sequence[str]:
    """Return what the desk suggests in a language; where it suggests nothing at all, what the settings do."""
    rows = Suggestion.objects.shown(timezone.localdate()).values_list("question", "question_en")[:_MOST_EXAMPLES]
    if rows:
        return [each for each in (english if language == "en" else german for german, english in rows) if each]
    return settings.EXAMPLE_QUESTIONS.get(language, settings.EXAMPLE_QUESTIONS["de"])  # type: ignore[no-any-return]
