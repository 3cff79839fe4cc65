"""Which sections follow one in its chapter."""

from __future__ import annotations

import pytest

from apps.answering.outline import sections_following
from apps.documents.models import Section
from apps.rag.types import Source
from tests.documents.builders import ready

pytestmark = pytest.mark.django_db


def outlined(headings: int) -> Source:
    """A document with one chapter of so many sections."""
    document = ready()
    version = document.current_version
    version.sections.all().delete()
    chapter = Section.objects.create(version=version, order=0, level=1, heading="K", path=["K"], start=0, end=1)
    for at in range(1, headings + 1):
        path = ["K", f"Abschnitt {at}"]
        Section.objects.create(
            version=version, parent=chapter, order=at, level=2, heading=path[-1], path=path, start=0, end=1
        )
    return Source(str(document.uuid), version.number, document.title, document.kind)


def test_the_next_two_sections_of_the_chapter_follow() -> None:
    document = outlined(5)
    assert sections_following(document, ("K", "Abschnitt 2")) == [("K", "Abschnitt 3"), ("K", "Abschnitt 4")]
    assert sections_following(document, ("K", "Abschnitt 5")) == []


def test_a_chapter_itself_and_an_unknown_section_are_followed_by_nothing() -> None:
    document = outlined(3)
    assert sections_following(document, ("K",)) == []
    assert sections_following(document, ("K", "Anderes")) == []


def test_a_long_chapter_leads_from_one_subject_to_the_next() -> None:
    assert sections_following(outlined(9), ("K", "Abschnitt 1")) == []


def test_another_version_of_the_document_is_another_document() -> None:
    document = outlined(3)
    old = Source(document.uuid, document.version + 1, document.title, document.kind)
    assert sections_following(old, ("K", "Abschnitt 1")) == []
