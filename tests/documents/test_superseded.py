"""One document supersedes another: by an editor's word, never in a circle, and shown at the desk."""

from __future__ import annotations

from datetime import date

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import translation

from apps.documents.models import Document
from tests.documents.search.building import collection, document

pytestmark = pytest.mark.django_db

LIST = "admin:documents_document_changelist"
CHANGE = "admin:documents_document_change"


def article(title: str, **fields: object) -> Document:
    return document("Ein Satz steht hier.", title=title, **fields)


@pytest.fixture
def desk(client, django_user_model, settings):
    settings.LANGUAGE_CODE = "en"
    client.force_login(django_user_model.objects.create_superuser("chief", password="x"))
    with translation.override("en"):
        yield client


def test_a_document_does_not_supersede_itself() -> None:
    one = article("Alt")
    one.superseded_by = one
    with pytest.raises(ValidationError) as error:
        one.clean()
    assert set(error.value.message_dict) == {"superseded_by"}
    with pytest.raises(IntegrityError), transaction.atomic():
        Document.objects.filter(pk=one.pk).update(superseded_by=one)


def test_a_circle_is_refused_beside_the_field_and_by_the_database() -> None:
    newest = article("Neuestes")
    newer = article("Neu", superseded_by=newest)
    older = article("Alt", superseded_by=newer)
    newest.superseded_by = older
    with pytest.raises(ValidationError) as error:
        newest.clean()
    assert set(error.value.message_dict) == {"superseded_by"}
    with pytest.raises(IntegrityError), transaction.atomic():
        Document.objects.filter(pk=newest.pk).update(superseded_by=older)
    newest.refresh_from_db()
    assert newest.superseded_by is None


def test_two_that_close_a_circle_in_one_statement_are_refused() -> None:
    one, other = article("Eins"), article("Zwei")
    pair = {one.pk: other.pk, other.pk: one.pk}
    one.superseded_by_id, other.superseded_by_id = pair[one.pk], pair[other.pk]
    with pytest.raises(IntegrityError), transaction.atomic():
        Document.objects.bulk_update([one, other], ["superseded_by"])


def test_the_newer_one_was_not_published_earlier() -> None:
    newer = article("Neu", published=date(2026, 1, 1))
    older = article("Alt", published=date(2026, 1, 5), superseded_by=newer)
    with pytest.raises(ValidationError) as error:
        older.clean()
    assert set(error.value.message_dict) == {"superseded_by"}
    older.published = date(2026, 1, 1)
    older.clean()


def test_the_older_one_stays_when_the_newer_is_deleted() -> None:
    newer = article("Neu")
    older = article("Alt", superseded_by=newer)
    newer.delete()
    older.refresh_from_db()
    assert older.superseded_by is None


def test_the_list_is_filtered_by_it(desk) -> None:
    article("Der alte Artikel", superseded_by=article("Der neue Artikel"))
    shown = {value: desk.get(reverse(LIST), {"superseded": value}).content.decode() for value in ("yes", "no")}
    rows = {value: page.split("result_list", 1)[1] for value, page in shown.items()}
    assert "Der alte Artikel" in rows["yes"]
    assert "Der neue Artikel" not in rows["yes"]
    assert "Der neue Artikel" in rows["no"]
    assert "Der alte Artikel" not in rows["no"]


def test_the_newer_ones_page_names_the_older(desk) -> None:
    newer = article("Der neue Artikel")
    article("Der alte Artikel", superseded_by=newer)
    assert "Der alte Artikel" in desk.get(reverse(CHANGE, args=[newer.pk])).content.decode()


def test_the_form_refuses_a_circle_with_a_sentence(desk) -> None:
    newer = article("Der neue Artikel", kind="news")
    older = article("Der alte Artikel", kind="news", superseded_by=newer)
    data = {
        "title": newer.title,
        "kind": "news",
        "language": "de",
        "collection": newer.collection_id,
        "superseded_by": older.pk,
    }
    page = desk.post(reverse(CHANGE, args=[newer.pk]), data).content.decode()
    assert "That document is superseded by this one." in page
    newer.refresh_from_db()
    assert newer.superseded_by is None


def source_page(client, document: Document) -> str:
    address = reverse("documents:reading", args=[document.uuid, document.current_version.number, 0])
    return str(client.get(address).content.decode())


def test_the_page_of_an_older_source_leads_to_the_newest_that_readers_may_see(client, settings) -> None:
    settings.LANGUAGE_CODE = "en"
    hidden = article("Ganz neu", shelf=collection("intern", visibility="desk"))
    newer = article("Der neue Artikel", superseded_by=hidden)
    older = article("Der alte Artikel", superseded_by=article("Dazwischen", superseded_by=newer))
    page = source_page(client, older)
    assert "There is a newer document on this matter:" in page
    assert reverse("documents:reading", args=[newer.uuid, 1, 0]) in page
    assert "Ganz neu" not in page
    assert "There is a newer document" not in source_page(client, newer)


@pytest.fixture
def demo(monkeypatch, tmp_path, settings):
    """The demo's articles, received and not read: reading takes a minute."""
    settings.MEDIA_ROOT = tmp_path
    from apps.documents.management.commands import demo_documents

    monkeypatch.setattr(demo_documents.version_index, "delay_on_commit", lambda number: None)

    def load() -> None:
        call_command("demo_documents", "--first", "0", verbosity=0)

    load()
    return load


def test_the_demos_articles_supersede_each_other(demo) -> None:
    older = Document.objects.get(title__startswith="Fernsehduell soll am 31. Januar")
    assert older.superseded_by is not None
    assert older.superseded_by.title == "Fernsehduell auf den 7. Februar verlegt"
    assert Document.objects.filter(superseded_by__isnull=False).count() == 5


def test_loading_the_demo_again_keeps_what_an_editor_changed(demo) -> None:
    older = Document.objects.get(title__startswith="Fernsehduell soll am 31. Januar")
    Document.objects.filter(pk=older.pk).update(superseded_by=None, edited_fields=["superseded_by"])
    demo()
    older.refresh_from_db()
    assert older.superseded_by is None
