"""The reader's page: works, wrong method, bad id, someone else's id, invalid form, fragment and page."""

from __future__ import annotations

import re
import uuid

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse

from apps.chat import views
from apps.querylog.models import Conversation, Turn

from .conftest import REFUSAL

pytestmark = pytest.mark.django_db(transaction=True)
HTMX = {"HX-Request": "true"}


def ask(client: Client, question: str = "Wie hoch soll der Mindestlohn sein?", *, key: str = "", htmx: bool = False):
    data = {"question": question, "conversation": key}
    return client.post(reverse("chat:ask"), data, headers=HTMX if htmx else {})


def test_the_first_screen_says_what_it_is_before_the_first_question(reader):
    page = reader.get("/")
    assert page.status_code == 200
    assert "<textarea" in page.text
    assert 'lang="de"' in page.text


def test_the_first_screen_stores_nothing_and_sets_no_reader_cookie(reader):
    response = reader.get("/")
    assert "wegweiser_reader" not in response.cookies
    assert not Conversation.objects.exists()


def test_without_scripts_the_answer_is_complete(reader, script):
    response = ask(reader)
    assert response.status_code == 302
    assert "Mindestlohn" not in response["Location"]
    page = reader.get(response["Location"])
    assert "Das gilt ab 2027." in page.text
    assert reverse("documents:passage", args=["0b1f0d4e-8f0e-4a53-9c39-2f5a1f6f8f11", 2, 10, 36]) in page.text
    assert Turn.objects.get().state == Turn.State.DONE


def test_what_comes_from_documents_is_escaped(reader, script):
    page = reader.get(ask(reader)["Location"])
    assert "<script>alert" not in page.text
    assert "&lt;b&gt;15 Euro" in page.text


def test_a_pressed_suggestion_counts_and_not_the_empty_field_beside_it(reader, script):
    asked = script([])
    reader.post(reverse("chat:ask"), {"suggestion": "Wie wähle ich?", "question": "", "conversation": ""})
    assert asked == ["Wie wähle ich?"]


def test_the_language_can_be_changed_on_a_page_that_answered_a_post(reader):
    assert 'name="next" value="/"' in ask(reader, "").text


def test_with_htmx_a_fragment_opens_the_stream(reader, script):
    response = ask(reader, htmx=True)
    turn = Turn.objects.get()
    assert response.status_code == 200
    assert "<html" not in response.text
    assert reverse("chat:turn-stream", args=[turn.uuid]) in response.text
    assert response["HX-Push-Url"] == reverse("chat:conversation", args=[turn.conversation.uuid])
    assert turn.state == Turn.State.NEW


def test_a_conversation_goes_on_under_its_key(reader, script):
    ask(reader)
    first = Conversation.objects.get()
    ask(reader, "Und ab wann?", key=str(first.uuid))
    assert Conversation.objects.count() == 1
    assert list(first.turns.values_list("number", flat=True)) == [1, 2]


def test_a_refusal_has_no_citation_and_labels_what_is_near(reader, script):
    script(REFUSAL)
    page = reader.get(ask(reader)["Location"])
    assert 'class="cite"' not in page.text
    assert "notice-refusal" in page.text
    assert 'class="nearest"' in page.text


def test_a_broken_pipeline_is_told_and_can_be_asked_again(reader, script):
    script([RuntimeError("geheimes Wort")])
    page = reader.get(ask(reader)["Location"])
    assert "notice-failed" in page.text
    assert "geheimes Wort" not in page.text
    assert Turn.objects.get().state == Turn.State.FAILED


@pytest.mark.parametrize("question", ["", "   ", "\x00", "ä" * 501, "x" * 1_000_000])
def test_an_impossible_question_is_refused_beside_the_form(reader, script, question):
    asked = script([])
    assert ask(reader, question).status_code == 422
    response = ask(reader, question, htmx=True)
    assert response.status_code == 422
    assert 'class="problem"' in response.text
    assert not asked
    assert not Turn.objects.exists()


def test_a_full_house_is_told_before_anything_is_stored(reader, script, settings):
    settings.CHAT_MAX_OPEN_STREAMS = settings.CHAT_MAX_WAITING = 0
    assert ask(reader, htmx=True).status_code == 503
    response = ask(reader, "Wie wähle ich?")
    assert response.status_code == 503
    assert "Wie wähle ich?" in response.text
    assert not Turn.objects.exists()


@pytest.mark.parametrize("name", ["chat:ask", "chat:delete"])
def test_writing_needs_a_post(reader, name):
    args = [uuid.uuid4()] if name == "chat:delete" else []
    assert reader.get(reverse(name, args=args)).status_code == 405


@pytest.mark.parametrize("name", ["chat:conversation", "chat:turn-stream"])
def test_reading_refuses_a_post(reader, name):
    assert reader.post(reverse(name, args=[uuid.uuid4()])).status_code == 405


def test_a_stranger_gets_the_same_as_for_an_unknown_id(reader, stranger, script):
    ask(reader)
    ask(stranger, "Eigene Frage?")
    turn = Turn.objects.order_by("pk").first()
    for name, key, method in (
        ("chat:conversation", turn.conversation.uuid, "get"),
        ("chat:turn-stream", turn.uuid, "get"),
        ("chat:delete", turn.conversation.uuid, "post"),
    ):
        for client in (stranger, Client()):
            foreign = getattr(client, method)(reverse(name, args=[key]))
            unknown = getattr(client, method)(reverse(name, args=[uuid.uuid4()]))
            assert foreign.status_code == unknown.status_code == 404
            assert re.sub(r"[0-9a-f-]{36}|value=\"\w{64}\"", "", foreign.text) == re.sub(
                r"[0-9a-f-]{36}|value=\"\w{64}\"", "", unknown.text
            )
    assert ask(stranger, "Weiter?", key=str(turn.conversation.uuid)).status_code == 404
    assert Conversation.objects.filter(pk=turn.conversation_id).exists()


def test_a_conversation_that_is_gone_keeps_the_words(reader, script):
    page = ask(reader, "Weiter?", key=str(uuid.uuid4()))
    assert page.status_code == 404
    assert "Weiter?</textarea>" in page.text
    fragment = ask(reader, "Weiter?", key=str(uuid.uuid4()), htmx=True)
    assert fragment.status_code == 404
    assert "<html" not in fragment.text
    assert 'id="id_conversation" value="" hx-swap-oob' in fragment.text
    assert not Turn.objects.exists()


def test_no_connection_is_held_while_an_answer_is_made(reader, script, monkeypatch):
    of_the_view = connections["default"]
    held: list[bool] = []

    async def answer(turn_id: int, language: str) -> None:
        held.append(of_the_view.connection is not None)

    monkeypatch.setattr(views, "answer_whole", answer)
    ask(reader)
    assert held == [False]


def test_deleting_leaves_nothing(reader, script):
    ask(reader)
    response = reader.post(reverse("chat:delete", args=[Conversation.objects.get().uuid]))
    assert response.status_code == 302
    assert not Turn.objects.exists()
    assert not Conversation.objects.exists()


def test_a_stale_token_keeps_the_words(script, db):
    client = Client(enforce_csrf_checks=True)
    response = client.post(reverse("chat:ask"), {"question": "Wie wähle ich?", "csrfmiddlewaretoken": "x" * 64})
    assert response.status_code == 403
    assert "Wie wähle ich?" in response.text
    fragment = client.post(reverse("chat:ask"), {"question": "Wie wähle ich?"}, headers=HTMX)
    assert fragment.status_code == 403
    assert 'id="csrf-token"' in fragment.text
    assert not Turn.objects.exists()


def test_a_stale_token_of_a_form_without_a_question_says_only_that(db):
    page = Client(enforce_csrf_checks=True).post(reverse("set_language"), {"language": "en"})
    assert page.status_code == 403
    assert 'class="problem"' in page.text
    assert "<textarea" in page.text


def test_a_stale_token_in_the_back_office_does_not_lead_to_the_readers_page(db):
    page = Client(enforce_csrf_checks=True).post(reverse("admin:login"), {"username": "editor"})
    assert page.status_code == 403
    assert reverse("admin:index") in page.text
    assert "<textarea" not in page.text


def test_the_reader_cookie_is_out_of_reach_of_scripts(reader, script):
    cookie = ask(reader).cookies["wegweiser_reader"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_answers_are_kept_from_caches_and_search_engines(reader, script):
    page = reader.get(ask(reader)["Location"])
    assert "no-store" in page["Cache-Control"]
    assert 'content="noindex"' in page.text


def test_pages_forbid_foreign_and_inline_scripts(reader):
    policy = reader.get("/")["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy


def test_the_page_speaks_the_language_that_was_chosen(reader):
    reader.post(reverse("set_language"), {"language": "en", "next": "/"})
    page = reader.get("/")
    assert 'lang="en"' in page.text
    assert "Your question" in page.text


def test_a_conversation_page_needs_few_queries(reader, script, django_assert_max_num_queries):
    key = ""
    for _ in range(5):
        ask(reader, key=key)
        key = str(Conversation.objects.get().uuid)
    with django_assert_max_num_queries(3):
        reader.get(reverse("chat:conversation", args=[key]))
