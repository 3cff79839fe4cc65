"""The version of the index changes with everything that an answer may be made from, and with nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection, transaction
from django.utils import timezone

from apps.answering.index_version import index_version
from apps.answering.models import SourceChange
from apps.documents.models import Chunk, Collection, CuratedLink, Document, DocumentVersion, Party
from tests.documents.builders import ready

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def document() -> Document:
    CuratedLink.objects.create(title="Guide", address="https://example.org/guide")
    party = Party.objects.create(slug="tal", name="Talbund der Länder", short_name="Talbund")
    return ready("# Wohnen\n\nWir bauen neue Wohnungen.", "tal.md", facts={"party": party, "language": "de"})


CHANGES: list[tuple[str, Callable[[], object]]] = [
    ("a document is withdrawn", lambda: Document.objects.all().delete()),
    ("a document expires", lambda: Document.objects.update(valid_until=timezone.localdate())),
    ("a document has another title", lambda: Document.objects.update(title="Anderes")),
    ("a document waits for review", lambda: DocumentVersion.objects.update(needs_review=True)),
    ("another document is read", lambda: ready("# Rente\n\nWir sichern die Rente.", "rente.md")),
    ("a passage is held back", lambda: Chunk.objects.update(review="waiting", suspicions=[[0, 3, ["order"], "k"]])),
    ("a collection goes to the desk", lambda: Collection.objects.update(visibility="desk")),
    ("a party has another name", lambda: Party.objects.update(short_name="Bergbund")),
    ("a party is new", lambda: Party.objects.create(slug="berg", name="Bergbund", short_name="Berg")),
    ("a link leads nowhere", lambda: CuratedLink.objects.update(state="dead", reason="Gone.")),
    ("a link expires", lambda: CuratedLink.objects.update(valid_until=timezone.localdate())),
    ("a link belongs to a party", lambda: CuratedLink.objects.get().parties.add(Party.objects.get())),
    ("a link is removed", lambda: CuratedLink.objects.all().delete()),
]


@pytest.mark.parametrize("change", [each for _, each in CHANGES], ids=[name for name, _ in CHANGES])
def test_another_state_of_the_sources_has_another_version(document: Document, change: Callable[[], object]) -> None:
    before = index_version()
    change()
    assert index_version() != before


@pytest.mark.parametrize(
    "change",
    [
        lambda: Document.objects.update(progress=40),
        lambda: Document.objects.update(status="indexing"),
        lambda: CuratedLink.objects.update(checked_at=timezone.now(), failures=1),
        lambda: Document.objects.filter(title="Nobody's").update(title="Still nobody's"),
        lambda: Party.objects.filter(slug="none").delete(),
    ],
    ids=["progress", "state of reading", "a link was looked at", "no row", "nothing removed"],
)
def test_what_no_answer_shows_leaves_the_version(document: Document, change: Callable[[], object]) -> None:
    before = index_version()
    change()
    assert index_version() == before


def test_the_version_changes_with_the_commit(document: Document) -> None:
    before = index_version()
    with transaction.atomic():
        Party.objects.update(short_name="Bergbund")
        assert index_version() != before
        transaction.set_rollback(True)
    assert index_version() == before


def test_a_transaction_counts_once(document: Document) -> None:
    before = SourceChange.objects.count()
    with transaction.atomic():
        for name in ("Bergbund", "Seebund", "Talbund"):
            Party.objects.update(short_name=name)
    assert SourceChange.objects.count() == before + 1


def test_rows_are_added_up_and_the_version_goes_on(document: Document) -> None:
    before = int(index_version())
    for number in range(260):
        Party.objects.update(short_name=f"Bund {number}")
    assert int(index_version()) == before + 260
    assert SourceChange.objects.count() <= 201


def test_a_word_index_that_is_built_anew_is_another_state(document: Document) -> None:
    before = index_version()
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE documents_posting, documents_indexedchunk")
    assert index_version() != before
