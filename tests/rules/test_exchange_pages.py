"""The pages of import and export: for whom, with what, and whatever the file."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import translation

from apps.rules.exchange.exporting import FileKind, rules_export
from apps.rules.exchange.files import MOST_BYTES, read_file
from apps.rules.models import Release, Rule
from apps.rules.serialising import RuleFormatError
from apps.rules.services import rules_save
from tests.chat.naughty import naughty_strings
from tests.rules.building import FULL, rule
from tests.rules.releasing import publish

pytestmark = pytest.mark.django_db

IMPORT, EXPORT, SAMPLE = (reverse(f"admin:rules_rule_{name}") for name in ("import", "export", "import_sample"))
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def english(settings):
    settings.LANGUAGE_CODE = "en"
    with translation.override("en"):
        yield


def login(client: Client, *permissions: str) -> Client:
    user = User.objects.create_user("petra", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(user)
    return client


@pytest.fixture
def editor(client) -> Client:
    return login(client, "view_rule", "change_rule")


def file(data: bytes | str, name: str = "rules.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data.encode() if isinstance(data, str) else data)


def send(client: Client, data: bytes | str, **fields: str) -> str:
    answer = client.post(IMPORT, {"file": file(data), **fields}, headers=HTMX)
    assert answer.status_code == 200, answer
    return answer.content.decode()


def token(page: str) -> str:
    found = re.search(r'name="seen" value="([0-9a-f]{64})"', page)
    assert found, page
    return found[1]


# --- import ---


def test_a_file_is_shown_first_and_saved_when_its_editor_says_so(editor):
    data = "uid;phrases\neins;Frage eins\nzwei;Frage zwei\n"
    page = send(editor, data)
    assert "Import 2 rules" in page
    assert not Rule.objects.exists()
    answer = editor.post(IMPORT, {"file": file(data), "seen": token(page), "comment": "Wahl"}, headers=HTMX)
    assert (answer.status_code, answer["HX-Redirect"]) == (204, reverse("admin:rules_rule_changelist"))
    assert Rule.objects.count() == 2
    assert "2 rules are new" in str(next(iter(answer.wsgi_request._messages)))


def test_without_scripts_the_same_form_answers_with_pages(editor):
    data = "uid;phrases\neins;Frage eins\n"
    page = editor.post(IMPORT, {"file": file(data)}).content.decode()
    assert "<html" in page
    answer = editor.post(IMPORT, {"file": file(data), "seen": token(page)})
    assert answer["Location"] == reverse("admin:rules_rule_changelist")
    assert Rule.objects.count() == 1


def test_errors_are_a_table_of_rows_and_columns_without_a_button(editor):
    page = send(editor, "uid;phrases;position\neins;x;viel\n")
    assert 'name="seen"' not in page
    assert re.search(r"<td>2</td>\s*<td>eins</td>\s*<td><code>position</code></td>\s*<td>“viel” is no whole", page)


def test_another_file_than_the_one_seen_is_shown_again(editor):
    seen = token(send(editor, "uid;phrases\neins;x\n"))
    page = send(editor, "uid;phrases\nzwei;y\n", seen=seen)
    assert "has changed since you looked" in page
    assert not Rule.objects.exists()


def test_a_file_that_changes_nothing_offers_no_import(editor):
    rules_save(specs=[rule("a")], author=None)
    page = send(editor, rules_export([rule("a")], FileKind.CSV).data)
    assert "The file changes nothing" in page
    assert 'name="seen"' not in page


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "no column “uid”"),
        ("uid;titel\n".encode("cp1252"), "Is “title” meant?"),
        ("uid;title\na;Wähler\n".encode("cp1252"), "probably Windows-1252: row 2, “W?hler”"),
        (b"PK\x03\x04", "workbook cannot be opened"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_in_a_sentence(editor, data, sentence):
    assert sentence in send(editor, data)


def test_a_file_that_is_too_large_is_not_even_read(editor):
    upload = file(b"x" * (MOST_BYTES + 1))
    assert "The file is larger than 20 MB." in editor.post(IMPORT, {"file": upload}, headers=HTMX).content.decode()


def test_the_page_explains_every_column_and_offers_a_sample(editor):
    page = editor.get(IMPORT).content.decode()
    assert "core_need" in page
    assert SAMPLE in page
    sample = editor.get(SAMPLE)
    assert 'filename="rules-sample.csv"' in sample["Content-Disposition"]
    assert len(read_file(sample.content).rows) == 3


def test_no_file_is_read_but_with_rows_or_a_sentence():
    for text in naughty_strings():
        raw = text.encode("utf-8", "surrogatepass")
        for data in (raw, b"uid;title;phrases\na;" + raw + b";" + raw, b'[{"uid": "a", "title": ' + raw + b"}]"):
            with suppress(RuleFormatError):
                assert read_file(data).rows is not None, text


def test_no_file_breaks_the_page(editor):
    texts = [text.encode("utf-8", "surrogatepass") for text in naughty_strings()]
    quoted = [text.replace(b'"', b'""') for text in texts]
    rows = [b'r%d;"%s";"%s"' % (number, text, text) for number, text in enumerate(quoted)]
    for data in (*texts[::8], *rows[::8], b"\n".join([b"uid;title;phrases", *rows])):
        assert editor.post(IMPORT, {"file": file(data)}, headers=HTMX).status_code == 200, data[:200]


@pytest.mark.parametrize("name", ["a.xlsx", "a.json", "../../a", "a\x00b", "x" * 400])
def test_no_file_name_breaks_the_page(editor, name):
    assert editor.post(IMPORT, {"file": file(b"uid\na\n", name)}, headers=HTMX).status_code == 200


@pytest.mark.parametrize("fields", [{}, {"file": "text"}, {"seen": "x"}, {"comment": "x" * 999}])
def test_a_hand_made_form_is_answered_politely(editor, fields):
    assert editor.post(IMPORT, fields, headers=HTMX).status_code == 200


# --- export ---


@pytest.mark.parametrize("kind", ["csv", "csv-comma", "xlsx", "json"])
def test_all_rules_are_exported_in_every_format(editor, kind):
    rules_save(specs=[FULL, rule("b", parent="postal-vote"), rule("a", parent="postal-vote", position=1)], author=None)
    answer = editor.post(EXPORT, {"source": "draft", "format": kind})
    assert "attachment" in answer["Content-Disposition"]
    assert [row.cells["uid"] for row in read_file(answer.content).rows] == ["postal-vote", "b", "a"]


def test_the_rules_ticked_in_the_list_are_exported(editor):
    rules_save(specs=[rule("a"), rule("b"), rule("c")], author=None)
    page = editor.post(EXPORT, {"chosen": ["a@1", "c@1"], "status": "active"}).content.decode()
    assert "2 rules are chosen." in page
    assert page.count('type="hidden" name="uid"') == 2
    answer = editor.post(EXPORT, {"uid": ["a", "c"], "source": "draft", "format": "csv"})
    assert [row.cells["uid"] for row in read_file(answer.content).rows] == ["a", "c"]


def test_a_release_is_exported_as_it_was(editor):
    publish(rule("old", version=1))
    rules_save(specs=[rule("new")], author=None)
    number = Release.objects.get().number
    answer = editor.post(EXPORT, {"source": f"release-{number}", "format": "json"})
    assert [row.cells["uid"] for row in read_file(answer.content).rows] == ["old"]


def test_a_text_that_no_cell_holds_is_told_at_the_form(editor):
    rules_save(specs=[rule("a", reason="x" * 33_000)], author=None)
    page = editor.post(EXPORT, {"source": "draft", "format": "xlsx"}).content.decode()
    assert "has more in the column “reason”" in page


@pytest.mark.parametrize("fields", [{"source": "release-99", "format": "csv"}, {"source": "draft", "format": "exe"}])
def test_a_hand_made_export_is_refused_at_the_form(editor, fields):
    answer = editor.post(EXPORT, fields)
    assert (answer.status_code, "Content-Disposition" in answer) == (200, False)


# --- for whom ---


@pytest.mark.parametrize(
    ("permissions", "expected"),
    [
        ((), {IMPORT: 403, EXPORT: 403, SAMPLE: 403}),
        (("view_rule",), {IMPORT: 403, EXPORT: 200, SAMPLE: 200}),
        (("view_rule", "change_rule"), {IMPORT: 200, EXPORT: 200, SAMPLE: 200}),
    ],
)
def test_who_may_do_what(client, permissions, expected):
    desk = login(client, *permissions)
    assert {page: desk.get(page).status_code for page in expected} == expected


def test_nobody_without_an_account_sees_a_page(client):
    assert {client.get(page).status_code for page in (IMPORT, EXPORT, SAMPLE)} == {302}
