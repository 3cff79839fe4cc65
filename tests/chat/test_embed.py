"""The page inside a foreign one: framed by those on the list only, no cookies, a token that expires."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from asgiref.sync import sync_to_async
from django.core import signing
from django.db import connection
from django.template.loader import render_to_string
from django.test import AsyncClient, Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from apps.chat import waiting
from apps.chat.display import shown_turn
from apps.chat.embedding import embed_reader, embed_theme, embed_token_new
from apps.chat.viewing import Viewer
from apps.querylog.models import Conversation, Turn

pytestmark = pytest.mark.django_db(transaction=True)
HTMX = {"HX-Request": "true"}
ORIGINS = ["https://zeitung.example", "https://*.partner.example:8443"]


@pytest.fixture(autouse=True)
def origins(settings) -> None:
    settings.EMBED_ORIGINS = ORIGINS


@pytest.fixture
def foreign() -> Client:
    """A browser that would refuse a POST without a token of its cookie."""
    return Client(enforce_csrf_checks=True)


def token_of(page: str) -> str:
    return re.search(r'name="token"[^>]* value="([^"]+)"', page)[1]


def ask(client: Client, token: str, question: str = "Wie wähle ich?", *, key: str = "", htmx: bool = True):
    data = {"question": question, "conversation": key, "token": token}
    return client.post(reverse("chat:embed-ask"), data, headers=HTMX if htmx else {})


def test_only_the_sites_on_the_list_may_frame_it_and_nobody_frames_the_other_pages(foreign):
    page = foreign.get(reverse("chat:embed"))
    assert f"frame-ancestors {' '.join(ORIGINS)};" in page["Content-Security-Policy"]
    assert "script-src 'self';" in page["Content-Security-Policy"]
    assert "X-Frame-Options" not in page
    assert "no-store" in page["Cache-Control"]
    home = foreign.get("/")
    assert "frame-ancestors 'none'" in home["Content-Security-Policy"]
    assert home["X-Frame-Options"] == "DENY"


def test_without_a_list_there_is_no_such_page(foreign, settings):
    token = token_of(foreign.get(reverse("chat:embed")).text)
    settings.EMBED_ORIGINS = []
    assert foreign.get(reverse("chat:embed")).status_code == 404
    assert ask(foreign, token).status_code == 404


def test_nothing_sets_a_cookie_and_those_that_come_along_count_for_nothing(foreign, script):
    owner = Client()
    owner.post(reverse("chat:ask"), {"question": "Wie wähle ich?", "conversation": ""})
    theirs = Conversation.objects.get()
    foreign.cookies = owner.cookies
    page = foreign.get(reverse("chat:embed"))
    asked = ask(foreign, token_of(page.text), key=str(theirs.uuid))
    assert not page.cookies
    assert not asked.cookies
    assert asked.status_code == 200
    assert theirs.turns.count() == 1
    assert Conversation.objects.count() == 2


def test_a_question_and_its_follow_up_are_one_conversation(foreign, script):
    token = token_of(foreign.get(reverse("chat:embed")).text)
    first = ask(foreign, token)
    key = re.search(r'name="conversation"[^>]* value="([^"]+)"', first.text)[1]
    ask(foreign, token, "Und ab wann?", key=key)
    assert list(Conversation.objects.get().turns.values_list("number", flat=True)) == [1, 2]
    assert reverse("chat:embed-stream", args=[Turn.objects.first().uuid, token]) in unquote(first.text)
    assert reverse("chat:delete", args=[key]) not in first.text


def test_without_scripts_the_answer_is_complete_and_offers_nothing_that_needs_a_cookie(foreign, script):
    token = token_of(foreign.get(reverse("chat:embed")).text)
    page = ask(foreign, token, htmx=False)
    assert "Das gilt ab 2027." in page.text
    assert '<base target="_blank">' in page.text
    for absent in ("csrfmiddlewaretoken", 'class="said"', "hand-over", "/conversations/"):
        assert absent not in page.text


@pytest.mark.parametrize("wrong", ["", "x", "old", "other salt"])
def test_a_wrong_or_old_token_is_told_and_keeps_the_words(foreign, script, settings, wrong):
    token = token_of(foreign.get(reverse("chat:embed")).text)
    if wrong == "old":
        settings.EMBED_TOKEN_SECONDS = -1
    elif wrong == "other salt":
        token = signing.dumps({"reader": "r" * 40, "language": "de"}, salt="another")
    else:
        token = wrong
    fragment = ask(foreign, token)
    assert fragment.status_code == 403
    assert 'class="problem"' in fragment.text
    page = ask(foreign, token, "Wie wähle ich?", htmx=False)
    assert page.status_code == 403
    assert "Wie wähle ich?" in page.text
    assert not Turn.objects.exists()
    # The next try goes through.
    settings.EMBED_TOKEN_SECONDS = 60
    assert ask(foreign, token_of(fragment.text)).status_code == 200


def test_it_comes_with_a_question_on_its_topic_in_the_language_that_is_named(foreign):
    page = foreign.get(reverse("chat:embed"), {"lang": "en", "topic": "nonsense", "party": "' OR 1"})
    assert page.status_code == 200
    assert '<html lang="en">' in page.text
    assert embed_reader(token_of(page.text)).language == "en"


def begin(token: str) -> Turn:
    try:
        ask(Client(), token)
        return Turn.objects.get()
    finally:
        connection.close()


async def test_the_stream_belongs_to_whoever_holds_the_token(script):
    token = embed_token_new("de")
    turn = await sync_to_async(begin)(token)
    client = AsyncClient()
    for wrong in (embed_token_new("de"), "x"):
        response = await client.get(reverse("chat:embed-stream", args=[turn.uuid, wrong]))
        assert response.status_code == 404
    response = await client.get(reverse("chat:embed-stream", args=[turn.uuid, token]))
    body = b"".join([part async for part in response.streaming_content]).decode()
    assert body.count("event: sentence") == 2
    assert "csrfmiddlewaretoken" not in body
    assert not response.cookies


def drawn(turn: Turn, viewer: Viewer) -> str:
    try:
        return render_to_string("chat/_turn.html", {"shown": shown_turn(turn, viewer.locale), "viewer": viewer})
    finally:
        connection.close()


async def test_who_gets_no_place_or_loses_the_connection_can_ask_again_inside_the_frame(script, settings, monkeypatch):
    monkeypatch.setattr(waiting, "LONGEST_SECONDS", 0.0)
    settings.CHAT_MAX_OPEN_STREAMS = 0
    token = embed_token_new("de")
    turn = await sync_to_async(begin)(token)
    response = await AsyncClient().get(reverse("chat:embed-stream", args=[turn.uuid, token]))
    body = b"".join([part async for part in response.streaming_content]).decode()
    again = f'<button form="ask" name="suggestion" value="{turn.question}"'
    assert "event: busy" in body
    assert again in body
    shown = await sync_to_async(drawn)(turn, Viewer("de", embed_token=token))
    assert again in shown[shown.index('class="broken"') :]


@pytest.mark.parametrize(
    ("told", "css"),
    [
        ({"accent": "#8A3B12"}, ":root { --accent: #8a3b12; }\n"),
        ({"accent": "8a3b12", "scheme": "dark"}, ":root { --accent: #8a3b12; color-scheme: dark; }\n"),
        ({"accent": "red; } body { display: none"}, ""),
        ({"paper": "#fff", "scheme": "}"}, ""),
        ({"ink": "#000000\n"}, ""),
        ({}, ""),
    ],
)
def test_the_foreign_page_sets_colours_and_nothing_else(told, css):
    assert embed_theme(told) == css


def exempt(resolver: URLResolver, before: str = "") -> list[str]:
    """The addresses of all views that take a POST without a token of the cookie."""
    found = []
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            found += [path] if getattr(pattern.callback, "csrf_exempt", False) else []
        else:
            found += exempt(pattern, path)
    return found


def test_the_embedded_pages_post_is_the_only_exemption_from_csrf():
    assert exempt(get_resolver()) == ["embed/ask/"]
