"""Indexing: what is stored, what is embedded again, and what happens when things go wrong."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from django.db import OperationalError, connection, connections

from apps.documents import embedding
from apps.documents.embedding.endpoint import EmbeddingError
from apps.documents.indexing import Outcome, index_version, reading
from apps.documents.models import Chunk, Document, DocumentVersion, EmbeddedText
from apps.documents.parsing.types import Block, BlockKind, ParsedDocument
from apps.documents.services import document_reindex, documents_delete, version_review
from apps.rag.fakes import HashEmbedder
from tests.documents.builders import PROGRAMME, ready, receive, shelf

pytestmark = pytest.mark.django_db


class CountingEmbedder(HashEmbedder):
    """Notes every text; can fail at a given call."""

    def __init__(self, fail_at: int = 0, error: Exception | None = None) -> None:
        self.texts: list[str] = []
        self.calls = 0
        self.fail_at = fail_at
        self.error = error or RuntimeError("killed")

    def embed_passages(self, texts):
        self.calls += 1
        if self.calls == self.fail_at:
            raise self.error
        self.texts += texts
        return super().embed_passages(texts)


@pytest.fixture
def embedder(monkeypatch):
    counting = CountingEmbedder()
    monkeypatch.setattr(embedding, "_embedder", counting)
    return counting


def _rows(document: Document) -> list[tuple[object, ...]]:
    return [
        (chunk.order, chunk.start, chunk.text, chunk.context, chunk.content_hash, bytes(chunk.sentence_vectors))
        for chunk in document.chunks.order_by("order")
    ]


def test_a_document_becomes_ready_with_chunks_that_are_exact_spans(embedder):
    document = ready()
    assert (document.status, document.progress, document.reason) == ("ready", 100, "")
    assert document.pending_version is None
    version = document.current_version
    chunks = list(document.chunks.order_by("order"))
    assert [chunk.section.heading for chunk in chunks] == ["Rente", "Wohnen"]
    for chunk in chunks:
        assert chunk.text == version.text[chunk.start : chunk.end]
        assert chunk.embedding_model == "fake/hash"
        vectors = np.frombuffer(chunk.sentence_vectors, dtype=np.float16).reshape(len(chunk.sentence_spans), -1)
        assert vectors.shape == (2, 384)
    assert not EmbeddedText.objects.exists()


def test_the_words_of_a_chunk_are_indexed_with_it(embedder):
    document = ready()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(DISTINCT chunk_id) FROM documents_posting")
        assert cursor.fetchone() == (document.chunks.count(),)


def test_facts_come_from_the_file_unless_a_person_gave_them(embedder):
    told = ready("# Rente in Bayern\n\nDie Rente steigt jedes Jahr ein wenig, sagt die Regierung in Bayern.\n")
    assert (told.title, told.language, told.region) == ("Rente in Bayern", "de", "Bayern")
    given = ready(PROGRAMME, facts={"title": "Mein Titel", "language": "en", "aspects": ("Eigenes",)})
    assert (given.title, given.language, given.aspects) == ("Mein Titel", "en", ["Eigenes"])


def test_aspects_are_proposed_from_headings_and_words(embedder):
    assert {"Rente", "Wohnen"} <= set(ready().aspects)


def test_only_what_changed_is_embedded_again(embedder):
    document = ready(facts={"address": "https://example.org/programm"})
    embedder.texts.clear()
    changed = PROGRAMME.replace("6 Prozent steigen", "4 Prozent steigen")
    document = ready(changed, facts={"address": "https://example.org/programm"})
    assert [text.split("\n")[-1] for text in embedder.texts] == [
        "Wir bauen 400.000 Wohnungen im Jahr. Die Mieten dürfen höchstens um 4 Prozent steigen.",
        "Die Mieten dürfen höchstens um 4 Prozent steigen.",
    ]
    assert document.current_version.number == 2
    assert document.versions.get(number=1).text.endswith("6 Prozent steigen.")
    assert set(document.chunks.values_list("version__number", flat=True)) == {2}


def test_indexing_again_embeds_nothing_and_leaves_the_same_rows(embedder):
    document = ready()
    before = _rows(document)
    embedder.texts.clear()
    index_version(document_reindex(document=document, enqueue=False).pk)
    assert embedder.texts == []
    assert _rows(document) == before


def test_another_chunk_size_cuts_the_stored_text_anew(embedder, monkeypatch):
    document = ready()
    document.collection.section_limit = document.collection.window = 9
    document.collection.overlap = 0
    document.collection.save()
    monkeypatch.setattr(reading, "parse_in_child", None)
    index_version(document_reindex(document=document, enqueue=False).pk)
    assert document.chunks.count() == 4


def test_cutting_by_meaning_is_a_choice_of_the_collection(embedder):
    document = ready(collection=shelf("semantic", chunking="semantic"))
    assert document.status == "ready"
    assert "".join(chunk.text for chunk in document.chunks.order_by("order")).count("Wohnungen") == 1


def test_a_second_delivery_finds_nothing_to_do(embedder):
    receipt = receive()
    assert index_version(receipt.version.pk) == Outcome.READY
    calls, rows = embedder.calls, _rows(receipt.document)
    assert index_version(receipt.version.pk) == Outcome.DONE
    assert (embedder.calls, _rows(receipt.document)) == (calls, rows)


def test_a_version_that_is_gone_ends_quietly():
    assert index_version(987_654) == Outcome.DONE


def test_a_rejected_file_has_a_reason(embedder):
    receipt = receive("PK\x03\x04 no archive", "fake.docx")
    assert index_version(receipt.version.pk) == Outcome.REJECTED
    document = Document.objects.get(pk=receipt.document.pk)
    assert document.status == "rejected"
    assert document.reason_code
    assert document.reason.endswith(".")


def test_a_bad_new_version_leaves_the_old_one_searchable(embedder):
    facts = {"address": "https://example.org/a"}
    document = ready(facts=facts)
    before = _rows(document)
    document = ready("PK\x03\x04 no archive", "a.docx", facts=facts)
    assert document.status == "rejected"
    assert document.current_version.number == 1
    assert _rows(document) == before


def test_an_older_version_never_overtakes_a_newer_one(embedder):
    facts = {"address": "https://example.org/a"}
    first = receive(facts=facts)
    second = receive(PROGRAMME + "\nNeu.\n", facts=facts)
    assert index_version(second.version.pk) == Outcome.READY
    assert index_version(first.version.pk) == Outcome.DONE
    assert Document.objects.get(pk=first.document.pk).current_version_id == second.version.pk


def test_a_newer_version_received_meanwhile_stops_the_run(embedder):
    facts = {"address": "https://example.org/a"}
    first = receive(facts=facts)
    newer = []

    def report(status: str, percent: int) -> None:
        if status == "indexing" and not newer:
            newer.append(receive(PROGRAMME + "\nNeu.\n", facts=facts))

    assert index_version(first.version.pk, report=report) == Outcome.DONE
    assert not Chunk.objects.exists()
    assert index_version(newer[0].version.pk) == Outcome.READY


def test_a_killed_run_pays_for_one_call_at_most(monkeypatch):
    long = "\n\n".join(f"## Punkt {number}\n\nSatz {number} sagt etwas. Noch {number} mehr." for number in range(30))
    monkeypatch.setattr(embedding, "_embedder", CountingEmbedder(fail_at=4, error=KeyboardInterrupt()))
    receipt = receive(long)
    with pytest.raises(KeyboardInterrupt):
        index_version(receipt.version.pk)
    paid = EmbeddedText.objects.count()
    assert paid == 48
    again = CountingEmbedder()
    monkeypatch.setattr(embedding, "_embedder", again)
    assert index_version(receipt.version.pk) == Outcome.READY
    undisturbed = CountingEmbedder()
    monkeypatch.setattr(embedding, "_embedder", undisturbed)
    other = ready(long + "\n\n## Ende\n\nSchluss.")
    assert other.status == "ready"
    assert len(set(again.texts)) == len(again.texts)
    assert len(again.texts) + paid == len(undisturbed.texts) - 2
    assert not EmbeddedText.objects.exists()


@pytest.mark.parametrize("error", [OperationalError("away"), EmbeddingError("away", permanent=False)])
def test_what_may_pass_by_itself_is_raised_and_keeps_the_document_waiting(monkeypatch, error):
    monkeypatch.setattr(embedding, "_embedder", CountingEmbedder(fail_at=1, error=error))
    receipt = receive()
    with pytest.raises(type(error)):
        index_version(receipt.version.pk)
    assert Document.objects.get(pk=receipt.document.pk).pending_version_id == receipt.version.pk


@pytest.mark.parametrize(
    ("error", "code"),
    [(EmbeddingError("The model is unknown.", permanent=True), "embedding"), (ZeroDivisionError("bug"), "failed")],
)
def test_what_cannot_pass_is_a_rejection_with_a_sentence(monkeypatch, error, code):
    monkeypatch.setattr(embedding, "_embedder", CountingEmbedder(fail_at=1, error=error))
    document = ready()
    assert (document.status, document.reason_code) == ("rejected", code)
    assert "bug" not in document.reason


def test_a_damaged_file_in_the_storage_is_told(embedder):
    receipt = receive()
    with open(receipt.version.file.path, "wb") as file:
        file.write(b"something else")
    index_version(receipt.version.pk)
    document = Document.objects.get(pk=receipt.document.pk)
    assert document.reason_code == "storage"
    assert document.status == "rejected"


def test_recognised_text_waits_for_a_review(embedder, monkeypatch):
    parsed = ParsedDocument((Block(BlockKind.PARAGRAPH, "Erkannter Text."),), needs_review=True)
    monkeypatch.setattr(reading, "parse_in_child", lambda *_, **__: parsed)
    receipt = receive()
    assert index_version(receipt.version.pk) == Outcome.REVIEW
    document = Document.objects.get(pk=receipt.document.pk)
    assert (document.status, document.chunks.count()) == ("review", 0)
    version_review(version=receipt.version, is_approved=True, enqueue=False)
    assert index_version(receipt.version.pk) == Outcome.READY
    assert document.chunks.get().text == "Erkannter Text."


def test_refused_text_is_never_searched(embedder, monkeypatch):
    parsed = ParsedDocument((Block(BlockKind.PARAGRAPH, "Er%a#nter T3xt"),), needs_review=True)
    monkeypatch.setattr(reading, "parse_in_child", lambda *_, **__: parsed)
    receipt = receive()
    index_version(receipt.version.pk)
    document = version_review(version=receipt.version, is_approved=False, enqueue=False)
    assert (document.status, document.reason_code) == ("rejected", "review")
    assert index_version(receipt.version.pk) == Outcome.DONE


# A worker of its own, slow enough to be killed in the middle.
WORKER = """
import sys, time
from django.conf import settings
settings.DATABASES["default"]["NAME"] = sys.argv[1]
settings.MEDIA_ROOT = sys.argv[2]
import django
django.setup()
from apps.documents import embedding
from apps.documents.indexing import index_version
from apps.rag.fakes import HashEmbedder

class Slow(HashEmbedder):
    def embed_passages(self, texts):
        time.sleep(0.3)
        return super().embed_passages(texts)

embedding._embedder = Slow()
index_version(int(sys.argv[3]))
"""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("batches", [1, 3])
def test_a_worker_killed_hard_loses_nothing_and_leaves_the_same_rows(settings, monkeypatch, batches):
    counting = CountingEmbedder()
    monkeypatch.setattr(embedding, "_embedder", counting)
    text = "\n\n".join(f"## Punkt {number}\n\nSatz {number} sagt etwas. Noch {number} mehr." for number in range(40))
    receipt = receive(text)
    name = str(connection.settings_dict["NAME"])
    arguments = [sys.executable, "-c", WORKER, name, str(settings.MEDIA_ROOT), str(receipt.version.pk)]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "apps.config.settings"}
    with subprocess.Popen(arguments, env=environment, stderr=subprocess.DEVNULL) as worker:
        for _ in range(1200):
            paid = EmbeddedText.objects.count()
            if paid >= 16 * batches or worker.poll() is not None:
                break
            time.sleep(0.05)
        worker.kill()
    paid = EmbeddedText.objects.count()
    assert paid >= 16 * batches
    assert not Chunk.objects.exists()
    # Its lock goes with its connection, which the server notices a moment later.
    for _ in range(200):
        outcome = index_version(receipt.version.pk)
        if outcome != Outcome.BUSY:
            break
        time.sleep(0.05)
    assert outcome == Outcome.READY
    after_kill = [row[:4] for row in _rows(receipt.document)]
    assert len(counting.texts) + paid == 120
    documents_delete(documents=Document.objects.all())
    undisturbed = ready(text)
    assert [row[:4] for row in _rows(undisturbed)] == after_kill


@pytest.mark.django_db(transaction=True)
def test_two_deliveries_at_once_leave_the_rows_of_one(monkeypatch):
    counting = CountingEmbedder()
    monkeypatch.setattr(embedding, "_embedder", counting)
    receipt = receive()
    outcomes: list[Outcome] = []
    barrier = threading.Barrier(2)

    def run() -> None:
        try:
            barrier.wait(timeout=10)
            outcomes.append(index_version(receipt.version.pk))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert outcomes.count(Outcome.READY) == 1
    assert set(outcomes) <= {Outcome.READY, Outcome.BUSY, Outcome.DONE}
    assert Chunk.objects.count() == 2
    assert len(counting.texts) == len(set(counting.texts))
    assert DocumentVersion.objects.count() == 1


@pytest.mark.parametrize(("filename", "author"), [("a.md", "Ada Feder"), ("a.docx", "")])
def test_only_pages_name_their_author(embedder, monkeypatch, filename, author):
    parsed = ParsedDocument((Block(BlockKind.PARAGRAPH, "Text."),), author="Ada Feder")
    monkeypatch.setattr(reading, "parse_in_child", lambda *_, **__: parsed)
    assert ready(filename=filename).author == author
