"""Two workers at once: neither may see half a vocabulary, block the other for ever, or break the other's document."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from apps.documents.models import Chunk, Posting
from apps.documents.search.postings import chunks_index_terms
from tests.documents.search.building import collection, document

pytestmark = pytest.mark.django_db(transaction=True)


def elsewhere(*texts: str) -> None:
    """Store a document on another connection."""
    try:
        with transaction.atomic():
            document(*texts)
    finally:
        connection.close()


def test_a_chunk_that_is_being_deleted_does_not_fail_the_others_document() -> None:
    made = document("Das Rentenniveau bleibt.")
    with ThreadPoolExecutor(1) as other, transaction.atomic():
        Chunk.objects.filter(document=made).delete()
        # The new words cut the compound of the chunk that goes: it must be left alone, without waiting for us.
        other.submit(elsewhere, "Die Renten und ihr Niveau.").result(timeout=20)
    assert list(Posting.objects.values_list("chunk__text", flat=True).distinct()) == ["Die Renten und ihr Niveau."]


def test_two_workers_agree_on_the_vocabulary() -> None:
    collection()
    with ThreadPoolExecutor(1) as other:
        with transaction.atomic():
            document("Das Rentenniveau bleibt.")
            waiting = other.submit(elsewhere, "Die Renten und ihr Niveau.")
            assert not waiting.done()
        waiting.result(timeout=20)
    terms = set(Posting.objects.filter(chunk__text="Das Rentenniveau bleibt.").values_list("term__text", flat=True))
    assert "niveau" in terms


def test_indexing_chunks_that_are_gone_does_nothing() -> None:
    chunks_index_terms([10**9])
    assert not Posting.objects.exists()
