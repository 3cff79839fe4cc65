"""The desk's page of suspicious passages: found from the list, decided on by those who may."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.urls import reverse
from django.utils import translation

from apps.documents.models import Document
from tests.documents.builders import ready
from tests.documents.test_suspicion import ARTICLE, ORDER, suspicious

pytestmark = pytest.mark.django_db

LIST = "admin:documents_document_changelist"
PASSAGES = "admin:documents_document_passages"


@pytest.fixture(autouse=True)
def english(settings):
    settings.LANGUAGE_CODE = "en"
    with translation.override("en"):
        yield


@pytest.fixture
def editor(client):
    user = User.objects.create_user("editor", is_staff=True)
    user.groups.add(Group.objects.get(name="editor"))
    client.force_login(user)
    return client


@pytest.fixture
def document() -> Document:
    return ready(ARTICLE)


def test_the_list_says_so_and_can_be_filtered(editor, document):
    ready("# Anderes\n\nDie Löhne steigen.\n", "anderes.md")
    page = editor.get(reverse(LIST)).content.decode()
    assert "1 passage waits for an editor" in page
    assert reverse(PASSAGES, args=[document.pk]) in page
    filtered = editor.get(reverse(LIST) + "?waits=yes")
    assert [each.pk for each in filtered.context["cl"].result_list] == [document.pk]


def test_the_page_marks_the_words_and_says_why(editor, document):
    page = editor.get(reverse(PASSAGES, args=[document.pk])).content.decode()
    assert f"<mark>{ORDER}</mark>" in page
    assert "It speaks to an assistant instead of to readers." in page


@pytest.mark.parametrize(("decision", "review"), [("approve", "approved"), ("refuse", "kept_out")])
def test_an_editor_decides_and_can_change_their_mind(editor, document, decision, review):
    address = reverse(PASSAGES, args=[document.pk])
    chunk = suspicious(document)
    for pressed in ("refuse", "approve", decision):
        assert editor.post(address, {"chunk": chunk.pk, "decision": pressed}).status_code == 302
    chunk.refresh_from_db()
    assert chunk.review == review
    assert LogEntry.objects.filter(object_id=str(document.pk)).count() == 3
    # Still there, to take the decision back.
    assert ORDER in editor.get(address).content.decode()


@pytest.mark.parametrize("number", ["999999", "abc", "", "9" * 40])
def test_a_passage_that_is_gone_is_answered_with_a_sentence(editor, document, number):
    answer = editor.post(reverse(PASSAGES, args=[document.pk]), {"chunk": number, "decision": "approve"}, follow=True)
    assert "read anew meanwhile" in answer.content.decode()
    assert suspicious(document).review == "waiting"


def test_another_documents_passage_is_not_decided_here(editor, document):
    other = ready(ARTICLE.replace("Mieten", "Pachten"), "pachten.md")
    editor.post(reverse(PASSAGES, args=[other.pk]), {"chunk": suspicious(document).pk, "decision": "approve"})
    assert suspicious(document).review == "waiting"


def test_who_may_only_look_may_not_decide(client, document):
    user = User.objects.create_user("looker", is_staff=True)
    user.groups.add(Group.objects.get(name="evaluator"))
    client.force_login(user)
    address = reverse(PASSAGES, args=[document.pk])
    assert client.get(address).status_code == 403
    assert client.post(address, {"chunk": suspicious(document).pk, "decision": "approve"}).status_code == 403
    assert "Passages" not in client.get(reverse("admin:documents_document_change", args=[document.pk])).content.decode()


def test_the_button_is_there_only_where_something_is_suspicious(editor, document):
    plain = ready("# Anderes\n\nDie Löhne steigen.\n", "anderes.md")
    with_button = editor.get(reverse("admin:documents_document_change", args=[document.pk])).content.decode()
    without = editor.get(reverse("admin:documents_document_change", args=[plain.pk])).content.decode()
    assert "go-passages" in with_button
    assert "go-passages" not in without
    assert editor.get(reverse(LIST) + f"{document.pk}/go-passages/").status_code == 302
