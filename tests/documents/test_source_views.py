"""Where citations lead: works, wrong method, bad span, unknown, kept from readers, pictures of pages."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.documents.indexing import index_version
from apps.documents.models import Document, DocumentVersion, Page, Section
from apps.documents.services import DocumentFacts, document_receive
from tests.documents.builders import ready, shelf
from tests.documents.pdf_files import printed
from tests.documents.source_building import (
    FIRST,
    LINES,
    SECOND,
    TEXT,
    address,
    addresses,
    image_address,
    publish,
    written_source,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def version() -> DocumentVersion:
    return written_source()


@pytest.fixture
def desk() -> Client:
    """A member of staff who may see documents."""
    user = User.objects.create_user("desk", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_document"))
    client = Client()
    client.force_login(user)
    return client


def without_token(response) -> str:
    return re.sub(r'value="\w{64}"|/sources/[^"]*', "", response.text)


def test_the_passage_is_marked_where_it_stands_and_nothing_else(client, version):
    page = client.get(address(version, FIRST))
    assert page.status_code == 200
    assert f'<p class="" id="passage"><mark>{FIRST}</mark></p>' in page.text
    assert page.text.count("<mark>") == 1
    assert page.text.count('id="passage"') == 1


def test_what_stands_in_a_source_is_escaped(client, version):
    page = client.get(address(version))
    assert "<mark>Der Mindestlohn soll auf 15 Euro &lt;b&gt;steigen&lt;/b&gt;.</mark>" in page.text
    assert '<h1 lang="de">Programm &amp; Plan</h1>' in page.text


def test_the_page_names_party_kind_and_heading_path(client, version):
    page = client.get(address(version)).text
    assert 'class="mark mark-bfm"' in page
    assert "Bündnis für Morgen" in page
    assert "Wahlrecht</p>" in page


@pytest.mark.parametrize(
    ("author", "is_named"), [("BfM", False), ("Bündnis für Morgen", False), ("Programmkommission", True)]
)
def test_a_party_that_is_its_own_author_is_named_once(client, version, author, is_named):
    Document.objects.filter(pk=version.document.pk).update(author=author)
    facts = re.findall(r'<p class="facts">.*?</p>', client.get(address(version)).text, re.DOTALL)[0]
    assert facts.count("Bündnis für Morgen") == 1
    assert (f" · {author}" in facts) is is_named


def test_a_table_row_is_marked_cell_by_cell(client, version):
    page = client.get(address(version, "2027 | 14,60 Euro")).text
    assert "<td><mark>2027</mark></td><td><mark>14,60 Euro</mark></td>" in page
    assert "<td>2026</td><td>13,90 Euro</td>" in page
    assert '<th scope="col">Jahr</th>' in page
    assert '<div class="table" tabindex="0" role="region"' in page


def test_a_part_of_a_cell_is_marked(client, version):
    assert "<td><mark>14,60</mark> Euro</td>" in client.get(address(version, "14,60")).text


def test_a_passage_over_two_blocks_is_marked_in_both(client, version):
    page = client.get(address(version, f"ab 18 Jahren.\n\n{SECOND[:15]}")).text
    assert "<mark>ab 18 Jahren.</mark>" in page
    assert f"<mark>{SECOND[:15]}</mark>" in page
    assert page.count('id="passage"') == 1


def test_the_printed_page_is_shown_with_one_box_per_line(client, version):
    page = client.get(address(version, f"{FIRST}\n\n{SECOND}")).text
    assert f'href="{image_address(version)}"' in page
    assert 'viewBox="0 0 420.0 595.0"' in page
    assert page.count('class="hit"') == 2
    assert 'x="40.0" y="80.0" width="260.0" height="12.0"' in page


def test_numbers_in_drawings_never_follow_the_language(client, version):
    client.post(reverse("set_language"), {"language": "de", "next": "/"})
    Page.objects.update(width=419.53)
    assert 'viewBox="0 0 419.53 595.0"' in client.get(address(version)).text


def test_a_source_without_printed_pages_is_shown_without_pictures(client, version):
    DocumentVersion.objects.update(content_type="text/markdown")
    page = client.get(address(version))
    assert page.status_code == 200
    assert 'class="printed"' not in page.text
    assert client.get(image_address(version)).status_code == 404


def test_a_crafted_span_over_everything_shows_few_pages(client, version):
    Page.objects.bulk_create(
        Page(version=version, number=number, width=420, height=595, lines=LINES) for number in range(2, 30)
    )
    version.blocks[0][5] = 29
    version.save()
    page = client.get(address(version, TEXT)).text
    assert page.count("<figure>") == 4


def test_reading_on_marks_nothing_and_leads_to_the_neighbours(client, version):
    page = client.get(address(version)).text
    after = reverse("documents:reading", args=[version.document.uuid, 1, version.text.index("Löhne")])
    assert f'href="{after}" rel="next"' in page
    onward = client.get(after)
    assert onward.status_code == 200
    assert "<mark>" not in onward.text
    assert 'class="hit"' not in onward.text
    assert 'rel="prev"' in onward.text


def test_a_section_of_nothing_but_a_heading_is_skipped(client, version):
    Section.objects.filter(order=1).update(order=2)
    Section.objects.create(version=version, order=1, level=1, heading="Leer", start=0, end=4)
    after = reverse("documents:reading", args=[version.document.uuid, 1, version.text.index("Löhne")])
    assert f'href="{after}" rel="next"' in client.get(address(version)).text


def test_of_a_very_long_section_only_the_surroundings_are_sent(client, version):
    version.text = "Ein Satz steht hier. " * 50_000
    version.blocks = [["paragraph", 0, 0, len(version.text), None, None, 0]]
    version.save()
    version.sections.all().delete()
    Section.objects.create(version=version, order=0, start=0, end=len(version.text))
    page = client.get(reverse("documents:passage", args=[version.document.uuid, 1, 525_000, 525_020]))
    assert "<mark>Ein Satz steht hier.</mark>" in page.text
    assert len(page.text) < 30_000


@pytest.mark.parametrize(
    ("start", "end"),
    [(5, 5), (9, 3), (0, len(TEXT) + 1), (10**30, 10**31), (0, 10**30)],
    ids=["empty", "backwards", "past the end", "far away", "endless"],
)
def test_a_span_that_is_not_in_the_text_is_unknown(client, version, start, end):
    span = reverse("documents:passage", args=[version.document.uuid, 1, start, end])
    assert client.get(span).status_code == 404
    assert client.get(reverse("documents:reading", args=[version.document.uuid, 1, 10**30])).status_code == 404


def test_an_unknown_document_or_version_is_unknown(client, version):
    for key, number in ((uuid.uuid4(), 1), (version.document.uuid, 2), (version.document.uuid, 10**30)):
        assert client.get(reverse("documents:passage", args=[key, number, 0, 5])).status_code == 404
        assert client.get(reverse("documents:reading", args=[key, number, 0])).status_code == 404
        assert client.get(reverse("documents:page-image", args=[key, number, 1])).status_code == 404


def test_sources_are_read_only(client, version):
    for path in [*addresses(version), reverse("documents:party-colours")]:
        assert client.post(path).status_code == 405
        assert client.head(path).status_code == 200


def test_an_old_version_says_so_and_leads_to_the_current_one(client, version):
    newer = DocumentVersion.objects.create(
        document=version.document, number=2, filename="plan.md", checksum="b" * 64, text="Neu."
    )
    publish(version.document, newer)
    page = client.get(address(version)).text
    assert 'class="caution"' in page
    assert f'href="{reverse("documents:reading", args=[version.document.uuid, 2, 0])}"' in page
    current = client.get(reverse("documents:reading", args=[version.document.uuid, 2, 0])).text
    assert 'class="caution"' not in current


def test_a_version_that_is_still_being_read_is_not_there_yet(client, desk, version):
    newer = DocumentVersion.objects.create(
        document=version.document, number=2, filename="plan.md", checksum="b" * 64, text="Noch geheim."
    )
    Document.objects.update(pending_version=newer)
    path = reverse("documents:reading", args=[version.document.uuid, 2, 0])
    assert client.get(path).status_code == 404
    assert desk.get(path).status_code == 200
    assert client.get(address(version)).status_code == 200


def desk_only(version: DocumentVersion) -> None:
    version.document.collection.visibility = "desk"
    version.document.collection.save()


def not_yet_valid(version: DocumentVersion) -> None:
    Document.objects.update(valid_from=timezone.localdate() + timedelta(days=1))


def no_longer_valid(version: DocumentVersion) -> None:
    Document.objects.update(valid_until=timezone.localdate() - timedelta(days=1))


def waits_for_review(version: DocumentVersion) -> None:
    DocumentVersion.objects.update(needs_review=True)


def never_read(version: DocumentVersion) -> None:
    Document.objects.update(current_version=None, status="queued")


@pytest.mark.parametrize("hide", [desk_only, not_yet_valid, no_longer_valid, waits_for_review, never_read])
def test_what_is_kept_from_readers_is_unknown_to_them_and_open_to_the_desk(client, desk, version, hide):
    hide(version)
    reader = Client()
    reader.force_login(User.objects.create_user("reader"))
    etag = {"If-None-Match": f'"{"a" * 64}-1"'}
    for path in addresses(version):
        assert client.get(path).status_code == 404
        assert client.get(path, headers=etag).status_code == 404
        assert reader.get(path).status_code == 404
        assert desk.get(path).status_code == 200
    unknown = client.get(reverse("documents:passage", args=[uuid.uuid4(), 1, 0, 5]))
    assert without_token(client.get(address(version))) == without_token(unknown)


def test_text_read_from_a_picture_is_marked_as_unchecked_for_the_desk(desk, version):
    waits_for_review(version)
    assert 'class="caution"' in desk.get(address(version)).text


def test_every_party_has_its_mark(client, version):
    sheet = client.get(reverse("documents:party-colours"))
    assert sheet["Content-Type"].startswith("text/css")
    assert ".mark-bfm { --party: #1a5fb4; }" in sheet.text


def test_source_pages_run_no_foreign_code_and_are_kept_from_search_engines(client, version):
    page = client.get(address(version))
    policy = page["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert 'content="noindex"' in page.text
    assert "style=" not in page.text
    assert "<script" not in page.text


def test_a_source_page_needs_the_same_few_queries_for_any_document(client, version, django_assert_num_queries):
    # document, version, passages held back, section, section before, section after, pages
    with django_assert_num_queries(7):
        client.get(address(version))
    Page.objects.bulk_create(Page(version=version, number=number, width=420, height=595) for number in range(2, 60))
    Section.objects.bulk_create(
        Section(version=version, order=order, heading="Mehr", start=0, end=0) for order in range(2, 60)
    )
    with django_assert_num_queries(7):
        client.get(address(version))


def test_a_markdown_file_is_shown_as_it_was_indexed(client):
    document = ready("# Löhne\n\nDer **Mindestlohn** steigt.\n\n| Jahr | Satz |\n|---|---|\n| 2027 | 14,60 Euro |\n")
    page = client.get(address(document.current_version, "Der Mindestlohn steigt.")).text
    assert "<mark>Der Mindestlohn steigt.</mark>" in page
    assert "<td>2027</td><td>14,60 Euro</td>" in page


def test_a_pdf_is_shown_as_it_was_indexed_with_the_printed_page(client):
    pages = [
        ["# Wohnen", "Wir bauen jedes Jahr 400.000 Wohnungen in den", "Städten und auf dem Land. Die Mieten sinken."],
        [
            "# Löhne",
            "Der Mindestlohn steigt im nächsten Jahr auf 15 Euro.",
            "Das gilt für alle Betriebe im ganzen Land.",
        ],
    ]
    receipt = document_receive(
        data=printed(pages), filename="p.pdf", collection=shelf(), facts=DocumentFacts(), enqueue=False
    )
    index_version(receipt.version.pk)
    version = Document.objects.get().current_version
    words = "Der Mindestlohn steigt im nächsten Jahr auf 15 Euro."
    page = client.get(address(version, words)).text
    assert f"<mark>{words}</mark>" in page
    assert f'href="{image_address(version, 2)}"' in page
    assert image_address(version, 1) not in page
    assert page.count('class="hit"') == 1
    assert client.get(image_address(version, 2)).status_code == 200
