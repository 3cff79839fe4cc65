"""No request body and no address causes a 5xx."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from apps.querylog.models import Turn

from .naughty import RAW_BODIES, naughty_strings

pytestmark = pytest.mark.django_db(transaction=True)
HTMX = {"HX-Request": "true"}
FORM = "application/x-www-form-urlencoded"
STRINGS = list(naughty_strings())


@pytest.fixture
def reader() -> Client:
    # An exception becomes a 500 as for a reader, instead of ending the test.
    return Client(raise_request_exception=False)


def test_there_are_enough_strings():
    assert len(STRINGS) >= 515


def test_every_string_may_be_asked(reader, script, settings):
    for text in STRINGS:
        body = b"question=" + quote(text.encode("utf-8", "surrogatepass")).encode()
        response = reader.post(reverse("chat:ask"), body, content_type=FORM, headers=HTMX)
        assert response.status_code in {200, 422}, (text, response.status_code)
    stored = Turn.objects.values_list("question", flat=True)
    assert all(len(question) <= settings.QUESTION_MAX_CHARACTERS * 2 and "\x00" not in question for question in stored)


@pytest.mark.parametrize("body", RAW_BODIES, ids=range(len(RAW_BODIES)))
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "application/json", "text/plain"])
def test_a_hand_made_body_is_refused_politely(reader, script, body, kind):
    response = reader.post(reverse("chat:ask"), body, content_type=kind, headers=HTMX)
    assert response.status_code < 500


@pytest.mark.parametrize(
    "kind", ["multipart/form-data", "multipart/form-data; boundary=x", "x/y; charset=?", "a" * 999]
)
def test_a_hand_made_content_type_is_refused_politely(reader, script, kind):
    assert reader.post(reverse("chat:ask"), b"--x\r\n\r\n", content_type=kind).status_code < 500


def test_both_spellings_of_an_umlaut_are_stored_alike(reader, script):
    for text in ("Süd?", "Su\u0308d?"):
        reader.post(reverse("chat:ask"), {"question": text}, headers=HTMX)
    assert len(set(Turn.objects.values_list("question", flat=True))) == 1


@pytest.mark.parametrize("path", ["/", "/admin/login/", "/health/", "/sources/parties.css"])
def test_every_string_may_stand_in_a_query(reader, path):
    for text in STRINGS[::3]:
        raw = quote(text.encode("utf-8", "surrogatepass"))
        for query in (f"q={raw}", f"{raw}={raw}", f"next={raw}"):
            assert reader.get(path, QUERY_STRING=query).status_code < 500, text
    for query in ("q=%00", "q=%ED%A0%80", "%00", "q=%FF", "&" * 5000):
        assert reader.get(path, QUERY_STRING=query).status_code < 500, query


def test_every_string_may_stand_in_a_path(reader):
    for text in STRINGS[::3]:
        raw = quote(text.encode("utf-8", "surrogatepass"), safe="")
        for path in (f"/{raw}", f"/conversations/{raw}/", f"/sources/{raw}/1/0-5/", f"/turns/{raw}/stream/"):
            assert reader.get(path).status_code < 500, text


def test_a_naughty_cookie_owns_nothing(reader, script):
    for value in ("\x00", "ä" * 50, "x" * 5000, "'; --"):
        reader.cookies["wegweiser_reader"] = value
        assert reader.get("/").status_code == 200
        assert reader.post(reverse("chat:ask"), {"question": "Frage?"}, headers=HTMX).status_code == 200


def test_a_language_that_does_not_exist_changes_nothing(reader):
    for language in ("xx", "\x00", "../de", "de\r\nX: y"):
        assert reader.post(reverse("set_language"), {"language": language, "next": "/"}).status_code < 500
    assert reader.post(reverse("set_language"), {"language": "en", "next": "https://evil.example/"})["Location"] == "/"
