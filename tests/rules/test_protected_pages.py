"""The list of protected terms, and the field that tells which names a text holds."""

from __future__ import annotations

import pytest
from django.utils import translation

from apps.documents.models import Party
from apps.rules.models import ProtectedTerm
from tests.rules.desk import HOSTILE, member

pytestmark = pytest.mark.django_db
TERMS = "/admin/rules/protectedterm/"
TRY = f"{TERMS}try/"


@pytest.fixture(autouse=True)
def english(settings):
    settings.LANGUAGE_CODE = "en"
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def names():
    Party.objects.create(slug="auen", name="Auenpartei", short_name="AP", aliases=["die Auen"])
    ProtectedTerm.objects.create(name="Erika Musterfrau", aliases=["Musterfrau"])


def test_parties_are_shown_as_being_in_already(client):
    page = member(client, "editor").get(TERMS).content.decode()
    assert "1 party is in by itself" in page
    assert "die Auen" in page
    assert "/admin/documents/party/" in page
    assert "Musterfrau" in page


def test_editors_add_a_name_with_its_spellings(client):
    editor = member(client, "editor")
    answer = editor.post(f"{TERMS}add/", {"name": "Max Muster", "kind": "person", "aliases": "Muster, Maxi"})
    assert answer.status_code == 302
    assert ProtectedTerm.objects.get(name="Max Muster").aliases == ["Muster", "Maxi"]
    again = editor.post(f"{TERMS}add/", {"name": "Max Muster", "kind": "person", "aliases": ""})
    assert "name" in again.context["adminform"].form.errors


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Was will die Auenpartei 2027?", ["AP", "2027"]),
        ("Erika Musterfrau zu § 218", ["Erika Musterfrau", "§", "218"]),
        ("Was sagt Musterfrau?", ["Erika Musterfrau"]),
        ("Wie wird das Wetter?", []),
    ],
)
def test_the_field_tells_the_protected_terms_of_a_text_in_order(client, text, found):
    answer = member(client, "desk").post(TRY, {"text": text}, headers={"HX-Request": "true"})
    page = answer.content.decode()
    assert page.strip().startswith('<div id="names-found"')
    places = [page.find(f"<strong>{term}</strong>") for term in found]
    assert -1 not in places
    assert places == sorted(places)
    assert ("Nothing in this text is protected." in page) == (not found)


def test_without_scripts_the_field_answers_with_a_page(client):
    page = member(client, "desk").post(TRY, {"text": "Auenpartei"}).content.decode()
    assert "<html" in page
    assert "<strong>AP</strong>" in page


@pytest.mark.parametrize("value", HOSTILE)
def test_no_text_breaks_the_field(client, value):
    assert member(client, "desk").post(TRY, {"text": value}).status_code == 200


def test_the_text_stands_in_no_address_and_strangers_see_nothing(client):
    assert client.post(TRY, {"text": "x"}).status_code == 302
    assert member(client, "desk").get(TRY).status_code == 405
    assert member(client, "operator").post(TRY, {"text": "x"}).status_code == 403
    assert member(client, "desk").post(f"{TERMS}add/", {"name": "X", "kind": "person"}).status_code == 403
