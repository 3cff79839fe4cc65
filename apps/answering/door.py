"""The door that every question comes through before it is stored or answered: cleaned, masked, its language guessed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.conf import settings

from apps.core.cleaning import clean_line
from apps.documents.models import Party
from apps.documents.search.naming import stands_in_sources
from apps.language.guessing import guess_language
from apps.language.masking import Masked, mask
from apps.language.public_people import public_people
from apps.rag.types import Question
from apps.rules.models import ProtectedTerm


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    """A question as the pipeline gets it, and how many personal details of each kind were blacked out."""

    question: Question
    masked_kinds: Mapping[str, int]


def question_read(words: str, *, language: str) -> ReadQuestion:
    """Clean and mask a reader's words; ``language`` is taken where they do not tell. ValueError if nothing is left."""
    cleaned = clean_line(words, limit=settings.QUESTION_MAX_CHARACTERS)
    if not cleaned:
        raise ValueError("An empty question cannot be answered.")
    masked = mask_words(cleaned)
    return ReadQuestion(Question(masked.text, guess_language(masked.text, language)), dict(masked.kinds))


def mask_words(text: str) -> Masked:
    """Hide what would tell who wrote a text; who holds office, is on the editors' list or in the sources stays."""
    return mask(text, known_names=names_to_keep(), is_public=stands_in_sources)


def names_to_keep() -> Collection[str]:
    """Return the names that masking leaves alone: parties as readers call them, politicians, the editors' people."""
    names: set[str] = set(public_people())
    for name, short, aliases in Party.objects.values_list("name", "short_name", "aliases"):
        names.update([name, short, *aliases])
    people = ProtectedTerm.objects.filter(kind=ProtectedTerm.Kind.PERSON)
    for name, aliases in people.values_list("name", "aliases"):
        names.update([name, *aliases])
    return names
