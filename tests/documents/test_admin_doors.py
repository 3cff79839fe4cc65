"""Hand-made requests to the documents' desk: refused or cleaned, never an error of the server."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from apps.documents import tasks
from apps.documents.models import DocumentVersion
from apps.querylog.models import Conversation, Turn
from tests.documents.builders import shelf

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client: Client, monkeypatch: pytest.MonkeyPatch) -> Client:
    """A client logged in as someone who may do everything."""
    monkeypatch.setattr(tasks.version_index, "delay_on_commit", lambda _: None)
    client.force_login(User.objects.create_superuser("chief"))
    return client


@pytest.mark.parametrize(
    "query",
    ["published__year=99999", "published__year=-1", "status__range=abc", "title__regex=(", "id=abc", "p=x", "o=9"],
)
def test_a_hand_made_filter_is_refused_politely(desk, query):
    assert desk.get(f"{reverse('admin:documents_document_changelist')}?{query}").status_code < 500


def test_a_hand_made_id_is_answered_politely(desk):
    assert desk.get(f"{reverse('admin:documents_document_changelist')}abc/go-review/").status_code < 500


@pytest.mark.parametrize("row", ["abc", "1e3", "10" * 20, "-" + "10" * 20, "1\0"])
@pytest.mark.parametrize("page", ["documents_document", "documents_feed", "auth_user"])
def test_a_hand_made_choice_of_rows_is_refused(desk, page, row):
    data = {"action": "delete_selected", "index": "0", "_selected_action": row}
    assert desk.post(reverse(f"admin:{page}_changelist"), data).status_code == 400


@pytest.mark.parametrize("row", ["abc", "1e3", "10" * 20, "1\0"])
def test_the_log_has_nothing_that_could_be_done_to_chosen_rows(desk, row):
    turn = Turn.objects.create(conversation=Conversation.objects.create(owner="a"), number=1, question="Rente?")
    for chosen in (row, str(turn.pk)):
        data = {"action": "delete_selected", "index": "0", "_selected_action": chosen, "post": "yes"}
        assert desk.post(reverse("admin:querylog_turn_changelist"), data).status_code < 500
    assert Turn.objects.filter(pk=turn.pk).exists()


def test_a_choice_that_is_gone_meanwhile_is_answered(desk):
    data = {"action": "delete_selected", "index": "0", "_selected_action": "999999"}
    assert desk.post(reverse("admin:documents_document_changelist"), data).status_code in (200, 302)


def test_a_hand_made_media_type_is_cleaned(desk):
    field = '--B\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
    file = (
        '--B\r\nContent-Disposition: form-data; name="uploads"; filename="a"\r\nContent-Type: text/\0plain\r\n\r\nA\r\n'
    )
    body = field.format("collection", shelf().pk) + field.format("kind", "news") + file + "--B--\r\n"
    assert (
        desk.post(
            reverse("admin:documents_document_add"), body.encode(), content_type="multipart/form-data; boundary=B"
        ).status_code
        == 200
    )
    assert DocumentVersion.objects.get().content_type == "text/plain"
