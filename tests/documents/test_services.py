"""Services: one way in, the same file once, nothing lost on the way out."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.utils import timezone, translation

from apps.documents.indexing import index_version
from apps.documents.models import Chunk, Document, DocumentVersion, Party
from apps.documents.page_cache import cached_page
from apps.documents.parsing.limits import Limits
from apps.documents.reasons import REASONS, explain
from apps.documents.services import (
    ReceiptKind,
    RefusedError,
    document_receive,
    document_reindex,
    documents_delete,
    documents_resume,
    version_review,
)
from apps.documents.services import documents as module
from tests.documents.builders import PROGRAMME, ready, receive, shelf

pytestmark = pytest.mark.django_db


@pytest.fixture
def queued(monkeypatch):
    """Note the versions that are handed to the workers."""
    ids: list[int] = []
    monkeypatch.setattr(module.version_index, "delay_on_commit", ids.append)
    return ids


def test_a_new_file_is_stored_by_checksum_and_queued(queued):
    receipt = document_receive(data=b"Text", filename="../../etc/notiz.txt", collection=shelf())
    assert receipt.kind == ReceiptKind.CREATED
    assert queued == [receipt.version.pk]
    assert receipt.version.file.name == f"documents/{receipt.version.checksum[:2]}/{receipt.version.checksum}"
    assert (receipt.document.status, receipt.document.title) == ("queued", "notiz")


def test_the_same_file_twice_changes_nothing_whatever_its_name(queued):
    first = document_receive(data=b"Text", filename="a.txt", collection=shelf())
    second = document_receive(data=b"Text", filename="b.txt", collection=shelf("andere"))
    assert (second.kind, second.document) == (ReceiptKind.UNCHANGED, first.document)
    assert DocumentVersion.objects.count() == 1
    assert len(queued) == 1


def test_a_known_address_makes_a_new_version(queued):
    facts = {"address": "https://example.org/a"}
    first, second = receive(facts=facts), receive("# Anders\n\nGanz.", facts=facts)
    assert (second.kind, second.document) == (ReceiptKind.UPDATED, first.document)
    assert second.version.number == 2


def test_a_page_that_goes_back_to_an_earlier_wording_is_current_in_it_again():
    facts = {"address": "https://example.org/a"}
    document = ready(facts=facts)
    ready("# Anders\n\nGanz.", facts=facts)
    receipt = receive(facts=facts)
    assert (receipt.kind, receipt.version.number) == (ReceiptKind.UPDATED, 1)
    index_version(receipt.version.pk)
    assert Document.objects.get(pk=document.pk).current_version.number == 1


def test_an_explicit_document_gets_the_file_as_its_next_version():
    document = ready()
    receipt = receive("# Neu\n\nGanz neu.", document=document)
    assert (receipt.document, receipt.version.number) == (document, 2)


def test_a_rejected_file_is_read_again_when_it_comes_again(queued):
    receipt = receive("PK\x03\x04", "a.docx")
    index_version(receipt.version.pk)
    again = receive("PK\x03\x04", "a.docx")
    assert again.kind == ReceiptKind.AGAIN
    assert Document.objects.get().status == "queued"


def test_empty_and_too_large_files_are_refused_at_the_door(monkeypatch):
    with pytest.raises(RefusedError, match=r"."):
        document_receive(data=b"", filename="leer.txt", collection=shelf())
    monkeypatch.setattr(module, "Limits", lambda: Limits(max_bytes=3))
    with pytest.raises(RefusedError) as caught:
        document_receive(data=b"1234", filename="gross.txt", collection=shelf())
    assert caught.value.code == "too_large"
    assert not Document.objects.exists()


def test_given_facts_are_remembered_as_a_persons(queued):
    party = Party.objects.create(slug="bp", name="Brückenpartei", short_name="BP")
    document = receive(facts={"title": "Ö-Titel", "party": party, "kind": "programme"}).document
    assert document.edited_fields == ["kind", "party", "title"]
    assert document.sort_key == "oe-titel"


def test_a_half_written_file_is_written_again():
    receipt = receive()
    Path(receipt.version.file.path).write_bytes(b"half")
    Document.objects.all().delete()
    receipt = receive()
    assert Path(receipt.version.file.path).read_bytes() == PROGRAMME.encode()


def test_reindexing_queues_the_current_version(queued):
    document = ready()
    assert document_reindex(document=document) == document.current_version
    assert queued == [document.current_version_id]


def test_reindexing_a_rejected_document_reads_its_latest_file(queued):
    facts = {"address": "https://example.org/a"}
    document = ready(facts=facts)
    ready("PK\x03\x04", "a.docx", facts=facts)
    assert document_reindex(document=document).number == 2


def test_only_a_text_that_waits_can_be_reviewed(queued):
    document = ready()
    version_review(version=document.current_version, is_approved=False)
    assert Document.objects.get(pk=document.pk).status == "ready"


def test_what_stands_still_is_queued_again_and_only_that(queued):
    still, busy, waiting = (receive(f"# {name}\n\nText.").document for name in "abc")
    long_ago = timezone.now() - timedelta(hours=1)
    Document.objects.filter(pk__in=[still.pk, waiting.pk]).update(updated_at=long_ago)
    Document.objects.filter(pk=waiting.pk).update(status="review")
    assert busy.pending_version_id
    assert documents_resume() == 1
    assert queued == [still.pending_version_id]
    assert documents_resume() == 0


def test_deleting_a_document_takes_its_chunks_and_its_file_along(django_capture_on_commit_callbacks):
    document = ready()
    name = document.current_version.file.name
    with django_capture_on_commit_callbacks(execute=True):
        assert documents_delete(documents=Document.objects.all()) == 1
    assert not Chunk.objects.exists()
    assert not default_storage.exists(name)


def test_deleting_a_document_forgets_the_pictures_of_its_pages(django_capture_on_commit_callbacks):
    checksum = ready().current_version.checksum
    cached_page(checksum, 1, lambda: b"old")
    with django_capture_on_commit_callbacks(execute=True):
        documents_delete(documents=Document.objects.all())
    assert cached_page(checksum, 1, lambda: b"drawn anew") == b"drawn anew"


@pytest.mark.django_db(transaction=True)
def test_a_file_that_comes_in_again_while_it_is_deleted_stays():
    ready()
    with transaction.atomic():
        documents = Document.objects.filter(pk__in=list(Document.objects.values_list("pk", flat=True)))
        # Runs first of what runs after the commit: an upload between the rows' end and the file's.
        transaction.on_commit(receive)
        documents_delete(documents=documents)
    version = DocumentVersion.objects.get()
    assert default_storage.exists(version.file.name)


def test_a_file_is_removed_under_the_lock_of_its_uploads(django_capture_on_commit_callbacks, monkeypatch):
    locks: list[int] = []

    def count_locks(name: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
            locks.append(cursor.fetchone()[0])

    DocumentVersion.objects.create(
        document=Document.objects.create(title="A", collection=shelf()), number=1, checksum="c" * 64
    )
    monkeypatch.setattr(module.default_storage, "delete", count_locks)
    with django_capture_on_commit_callbacks(execute=True):
        documents_delete(documents=Document.objects.all())
    assert locks == [1]


def test_a_reason_is_exact_in_english_and_by_its_code_elsewhere():
    exact = "RTF files are not read. Please save the file as DOCX."
    with translation.override("en"):
        assert explain("unsupported", exact) == exact
    with translation.override("de"):
        assert explain("unsupported", exact) == str(REASONS["unsupported"])
        assert explain("brand_new", exact) == exact


def test_a_broker_that_is_away_breaks_no_upload(monkeypatch, django_capture_on_commit_callbacks):
    calls = []

    def away(*arguments):
        calls.append(arguments)
        raise ConnectionError("away")

    monkeypatch.setattr(module.version_index, "delay", away)
    with django_capture_on_commit_callbacks(execute=True):
        receipt = document_receive(data=b"Text", filename="a.txt", collection=shelf())
    assert calls == [(receipt.version.pk,)]
    assert receipt.document.status == "queued"


def test_an_address_that_is_none_of_the_web_is_refused():
    with pytest.raises(RefusedError) as caught:
        receive(facts={"address": "javascript:alert(1)"})
    assert caught.value.code == "bad_address"
    assert not Document.objects.exists()
