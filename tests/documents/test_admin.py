"""The documents' desk: every page works for who may use it, and for nobody else."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from apps.documents import tasks
from apps.documents.admin import intake
from apps.documents.indexing import index_version, reading
from apps.documents.models import Chunk, Document, DocumentVersion, Feed, Party, Section
from apps.documents.parsing.limits import Limits
from apps.documents.parsing.types import Block, BlockKind, ParsedDocument
from apps.documents.services import Receipt, ReceiptKind, RefusedError, documents_delete
from tests.documents.builders import PROGRAMME, ready, receive, shelf

pytestmark = pytest.mark.django_db

UPLOAD = "admin:documents_document_add"
FETCH = "admin:documents_document_fetch"
LIST = "admin:documents_document_changelist"
CHANGE = "admin:documents_document_change"
PROGRESS = "admin:documents_document_progress"


@pytest.fixture(autouse=True)
def english(settings):
    settings.LANGUAGE_CODE = "en"
    with translation.override("en"):
        yield


@pytest.fixture
def queued(monkeypatch):
    ids: list[int] = []
    monkeypatch.setattr(tasks.version_index, "delay_on_commit", ids.append)
    return ids


@pytest.fixture
def desk(client):
    """A client logged in as someone who may do everything."""
    client.force_login(User.objects.create_superuser("chief", password="x"))
    return client


@pytest.fixture
def reader(client):
    """A client logged in as someone who may only look."""
    user = User.objects.create_user("looker", password="x", is_staff=True)
    user.groups.add(Group.objects.get(name="evaluator"))
    client.force_login(user)
    return client


def _file(name: str, text: str) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def _waiting_for_review(monkeypatch) -> Document:
    parsed = ParsedDocument((Block(BlockKind.PARAGRAPH, "Erkannter <b>Text</b>."),), needs_review=True)
    monkeypatch.setattr(reading, "parse_in_child", lambda *_, **__: parsed)
    receipt = receive("# Gescannt\n\nBilder.")
    index_version(receipt.version.pk)
    return Document.objects.get(pk=receipt.document.pk)


# --- upload ---


def test_several_files_each_get_their_own_line(desk, queued):
    old = ready()
    answer = desk.post(
        reverse(UPLOAD),
        {
            "collection": shelf().pk,
            "kind": "programme",
            "uploads": [_file("neu.md", "# Neu\n\nText."), _file("alt.md", PROGRAMME), _file("leer.txt", "")],
        },
    )
    page = answer.content.decode()
    assert "neu.md</strong> is taken in and being read." in page
    assert "alt.md</strong> is here already" in page
    assert "leer.txt</strong> The file is empty." in page
    new = Document.objects.exclude(pk=old.pk).get()
    assert (new.kind, queued) == ("programme", [new.pending_version_id])


def test_a_file_over_the_limit_is_not_even_read(desk, queued, monkeypatch):
    monkeypatch.setattr(intake, "Limits", lambda: Limits(max_bytes=2))
    data = {"collection": shelf().pk, "kind": "news", "uploads": [_file("a.txt", "zu lang")]}
    assert "The file is larger than" in desk.post(reverse(UPLOAD), data).content.decode()
    assert not Document.objects.exists()


@pytest.mark.parametrize("data", [{}, {"collection": 987, "kind": "news"}, {"kind": "\x00"}])
def test_an_invalid_upload_keeps_the_form_and_says_why(desk, data):
    answer = desk.post(reverse(UPLOAD), data)
    assert answer.status_code == 200
    assert "uploads" in answer.context["form"].errors


def test_without_any_collection_the_page_says_so(desk):
    assert "There is no collection yet" in desk.get(reverse(UPLOAD)).content.decode()


# --- fetch ---


def test_an_address_is_fetched_and_its_outcome_shown(desk, monkeypatch):
    document = ready()
    calls = []

    def fetched(**arguments):
        calls.append(arguments["address"])
        return Receipt(document, document.current_version, ReceiptKind.UPDATED)

    monkeypatch.setattr(intake, "address_take", fetched)
    data = {"collection": shelf().pk, "kind": "news", "address": "https://example.org/a"}
    assert "as a new version" in desk.post(reverse(FETCH), data).content.decode()
    assert calls == ["https://example.org/a"]


def test_a_refused_address_is_told_as_a_sentence(desk, monkeypatch):
    def refuse(**_):
        raise RefusedError("private", "This address is not fetched.")

    monkeypatch.setattr(intake, "address_take", refuse)
    data = {"collection": shelf().pk, "kind": "news", "address": "http://10.0.0.1/"}
    assert "This address is not fetched." in desk.post(reverse(FETCH), data).content.decode()


def test_an_editor_is_told_that_a_feed_is_fetched_by_and_by(desk, monkeypatch):
    monkeypatch.setattr(intake, "address_take", lambda **_: None)
    data = {"collection": shelf().pk, "kind": "news", "address": "https://example.org/feed"}
    assert "Its articles are being fetched" in desk.post(reverse(FETCH), data).content.decode()


# --- list, progress, change ---


def test_the_list_shows_state_reason_and_size(desk):
    ready()
    index_version(receive("PK\x03\x04", "kaputt.docx").version.pk)
    page = desk.get(reverse(LIST)).content.decode()
    reason = Document.objects.get(status="rejected").reason
    assert reason in page
    assert "2 chunks" in page
    assert 'hx-trigger="every 2s"' not in page


def test_the_list_polls_only_while_something_moves(desk):
    document = receive().document
    page = desk.get(reverse(LIST)).content.decode()
    assert f'hx-get="{reverse(PROGRESS)}?id={document.pk}"' in page
    fragment = desk.get(reverse(PROGRESS), {"id": document.pk}, headers={"HX-Request": "true"}).content.decode()
    assert 'hx-trigger="every 2s"' in fragment
    assert f'id="status-{document.pk}" hx-swap-oob="true"' in fragment
    index_version(document.pending_version_id)
    fragment = desk.get(reverse(PROGRESS), {"id": document.pk}).content.decode()
    assert "Everything is read." in fragment
    assert "hx-trigger" not in fragment


@pytest.mark.parametrize("value", ["", "x", "-1", "9" * 40, "\x00", "²"])
def test_a_bad_id_polls_nothing(desk, value):
    assert desk.get(reverse(PROGRESS), {"id": value}).status_code == 200


def test_the_list_needs_as_many_queries_for_twenty_documents_as_for_two(desk):
    party = Party.objects.create(slug="bp", name="Brückenpartei", short_name="BP")

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert desk.get(reverse(LIST)).status_code == 200
        return len(queries)

    for number in range(2):
        ready(f"# Titel {number}\n\nText.", facts={"party": party})
    few = count()
    for number in range(18):
        receive(f"# Noch {number}\n\nText.", facts={"party": party}, collection=shelf(f"regal-{number}"))
    assert count() <= few


def test_search_and_filters_find_documents(desk):
    ready()
    for query in ("?q=Br%C3%BCckenpartei", "?status__exact=ready", "?collection__id__exact=" + str(shelf().pk)):
        assert "Programm der Brückenpartei" in desk.get(reverse(LIST) + query).content.decode()
    assert "Programm der Brückenpartei" not in desk.get(reverse(LIST) + "?status__exact=rejected").content.decode()


def _form(document: Document, **changes: object) -> dict[str, object]:
    fields = ("title", "kind", "publisher", "author", "address", "region", "language")
    return {
        **{field: getattr(document, field) for field in fields},
        "collection": document.collection_id,
        "aspects": ",".join(document.aspects),
        **changes,
    }


def test_an_edited_aspect_is_never_overwritten(desk):
    document = ready()
    desk.post(reverse(CHANGE, args=[document.pk]), _form(document, aspects="Mein Thema"))
    document.refresh_from_db()
    assert (document.aspects, document.edited_fields) == (["Mein Thema"], ["aspects"])
    document = ready(PROGRAMME + "\n\nNeu.", document=document)
    assert (document.current_version.number, document.aspects) == (2, ["Mein Thema"])


def test_a_new_title_is_indexed_again_since_it_is_searched(desk, queued):
    document = ready()
    desk.post(reverse(CHANGE, args=[document.pk]), _form(document, title="Ein anderer Titel"))
    document.refresh_from_db()
    assert queued == [document.pending_version_id]
    assert document.sort_key == "ein anderer titel"


def test_other_changes_index_nothing(desk, queued):
    document = ready()
    desk.post(reverse(CHANGE, args=[document.pk]), _form(document, publisher="Verlag"))
    assert queued == []


def test_save_and_index_again_is_one_button(desk, queued):
    document = ready()
    desk.post(reverse(CHANGE, args=[document.pk]), _form(document, documents_document_index_saved="1"))
    assert queued == [document.current_version_id]


def test_the_review_is_offered_only_where_a_text_waits(desk, monkeypatch):
    address = reverse(CHANGE, args=[ready().pk])
    assert "go-review" not in desk.get(address).content.decode()
    address = reverse(CHANGE, args=[_waiting_for_review(monkeypatch).pk])
    assert "go-review" in desk.get(address).content.decode()


def test_an_older_form_does_not_turn_the_state_back(desk, monkeypatch):
    document = receive().document
    original = Document.full_clean

    def meanwhile(self, *arguments, **named):
        index_version(document.pending_version_id)
        return original(self, *arguments, **named)

    monkeypatch.setattr(Document, "full_clean", meanwhile)
    desk.post(reverse(CHANGE, args=[document.pk]), _form(document, publisher="Verlag"))
    document.refresh_from_db()
    assert (document.status, document.publisher) == ("ready", "Verlag")


# --- actions ---


def test_index_again_and_delete_from_the_list(desk, queued):
    document = ready()
    chosen = {"_selected_action": [document.pk]}
    desk.post(reverse(LIST), {"action": "index_again", **chosen})
    assert queued == [document.current_version_id]
    confirmation = desk.post(reverse(LIST), {"action": "delete_selected", **chosen}).content.decode()
    assert "Programm der Brückenpartei" in confirmation
    desk.post(reverse(LIST), {"action": "delete_selected", "post": "yes", **chosen})
    assert not Document.objects.exists()
    assert not Chunk.objects.exists()


def test_the_whole_text_is_read_before_it_is_approved(desk, queued, monkeypatch):
    document = _waiting_for_review(monkeypatch)
    address = reverse("admin:documents_document_review", args=[document.pk])
    assert "Erkannter &lt;b&gt;Text&lt;/b&gt;." in desk.get(address).content.decode()
    # What has come in while the editor read is not approved along.
    desk.post(address, {"decision": "approve", "version": "0"})
    document.refresh_from_db()
    assert document.status == "review"
    desk.post(address, {"decision": "approve", "version": document.pending_version_id})
    document.refresh_from_db()
    assert (document.status, queued) == ("queued", [document.pending_version_id])
    assert not document.pending_version.needs_review


def test_refused_text_is_rejected_with_a_reason(desk, monkeypatch):
    document = _waiting_for_review(monkeypatch)
    decided = {"decision": "refuse", "version": document.pending_version_id}
    desk.post(reverse("admin:documents_document_review", args=[document.pk]), decided)
    document.refresh_from_db()
    assert (document.status, document.reason_code) == ("rejected", "review")


def test_the_original_comes_as_a_download_whatever_it_holds(desk):
    document = ready("<script>alert(1)</script><p>Ein Text, der gelesen wird.</p>", "böse.html")
    answer = desk.get(reverse("admin:documents_document_download", args=[document.pk, 1]))
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer.content.startswith(b"<script>")


def test_a_changed_chunk_size_cuts_the_shelf_anew(desk, queued):
    document = ready()
    collection = document.collection
    fields = ("name", "slug", "visibility", "lexical_weight", "chunking", "section_limit", "window", "overlap")
    data = {**{field: getattr(collection, field) for field in fields}, "recency_half_life_days": "", "window": 300}
    desk.post(reverse("admin:documents_collection_change", args=[collection.pk]), data)
    assert queued == [document.current_version_id]


def test_a_feed_is_fetched_on_request(desk, monkeypatch):
    ids: list[int] = []
    monkeypatch.setattr(tasks.feed_fetch, "delay_on_commit", ids.append)
    feed = Feed.objects.create(address="https://example.org/feed", collection=shelf(), error="Kaputt.")
    assert "Kaputt." in desk.get(reverse("admin:documents_feed_changelist")).content.decode()
    data = {"action": "fetch_now", "_selected_action": [feed.pk]}
    desk.post(reverse("admin:documents_feed_changelist"), data)
    assert ids == [feed.pk]


# --- who may ---


def _addresses() -> list[tuple[str, str]]:
    document = ready()
    chunk, section = Chunk.objects.first(), Section.objects.first()
    version = DocumentVersion.objects.first()
    assert chunk
    assert section
    assert version
    pages = [
        (reverse(f"admin:documents_{model}_changelist"), model)
        for model in ("document", "documentversion", "section", "chunk", "party", "collection", "curatedlink", "feed")
    ]
    pages += [
        (reverse(CHANGE, args=[document.pk]), "document"),
        (reverse("admin:documents_documentversion_change", args=[version.pk]), "version"),
        (reverse("admin:documents_section_change", args=[section.pk]), "section"),
        (reverse("admin:documents_chunk_change", args=[chunk.pk]), "chunk"),
        (reverse("admin:documents_collection_change", args=[document.collection_id]), "collection"),
        (reverse(UPLOAD), "upload"),
        (reverse(FETCH), "fetch"),
        (reverse("admin:documents_party_add"), "party"),
        (reverse("admin:documents_feed_add"), "feed"),
        (reverse("admin:documents_curatedlink_add"), "link"),
    ]
    return pages


def test_every_page_works_for_the_chief(desk):
    for address, name in _addresses():
        assert desk.get(address).status_code == 200, name


def test_nobody_else_gets_in(client):
    for address, name in _addresses():
        assert client.get(address).status_code == 302, name


def test_who_may_only_look_cannot_write(reader, queued):
    document = ready()
    assert reader.get(reverse(LIST)).status_code == 200
    assert reader.get(reverse(PROGRESS), {"id": document.pk}).status_code == 200
    assert reader.get(reverse("admin:documents_document_download", args=[document.pk, 1])).status_code == 200
    for address in (
        reverse(UPLOAD),
        reverse(FETCH),
        reverse("admin:documents_document_review", args=[document.pk]),
        reverse(CHANGE, args=[document.pk]),
    ):
        assert reader.post(address, {}).status_code == 403, address
    reader.post(reverse(LIST), {"action": "index_again", "_selected_action": [document.pk]})
    assert queued == []


@pytest.mark.parametrize("name", ["progress", "review", "download"])
def test_unknown_ids_and_wrong_methods(desk, name):
    if name == "progress":
        assert desk.post(reverse(PROGRESS)).status_code == 405
        return
    arguments = [98765] if name == "review" else [98765, 1]
    address = reverse(f"admin:documents_document_{name}", args=arguments)
    assert desk.get(address).status_code == 404


def test_deleting_is_one_service_call():
    ready()
    assert documents_delete(documents=Document.objects.all()) == 1
