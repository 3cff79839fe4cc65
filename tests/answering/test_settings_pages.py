"""The desk's pages for settings of answers: drafting is one right, putting in force another."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.answering.models import AnswerSettings, CacheDay
from apps.answering.settings_fields import CONTENT, PROMPTS, shipped_text
from apps.answering.settings_services import settings_activate, settings_draft

pytestmark = pytest.mark.django_db

LIST = "admin:answering_answersettings_changelist"
ADD = "admin:answering_answersettings_add"


def client(*groups: str) -> Client:
    user = User.objects.create_user("-".join(groups) or "nobody", is_staff=True)
    user.groups.add(*Group.objects.filter(name__in=groups))
    made = Client()
    made.force_login(user)
    return made


@pytest.fixture
def editor() -> Client:
    return client("editor")


@pytest.fixture
def publisher() -> Client:
    return client("publisher")


def draft(title: str = "Shorter", **content: object) -> AnswerSettings:
    row = settings_draft(author=None, title=title)
    for name, value in content.items():
        setattr(row, name, value)
    row.save()
    return row


def live(title: str = "Shorter", *, expected: int = 0, **content: object) -> AnswerSettings:
    return settings_activate(draft_id=draft(title, **content).pk, author=None, comment="Asked for.", expected=expected)


def page(name: str, *arguments: object) -> str:
    return reverse(f"admin:answering_answersettings_{name}", args=arguments)


def form(**changes: object) -> dict[str, object]:
    fields: dict[str, object] = dict.fromkeys(CONTENT, "")
    fields |= {name: shipped_text(name) for name in PROMPTS}
    return {**fields, "title": "Shorter answers", "model": "configured", "rewrites": "on", **changes}


def test_a_saved_form_without_changes_says_what_is_shipped(editor: Client) -> None:
    response = editor.post(reverse(ADD), form())
    assert response.status_code == 302
    row = AnswerSettings.objects.get()
    assert [getattr(row, name) for name in PROMPTS] == ["", "", "", ""]
    assert row.top_k is None
    assert row.author_name == "editor"


def test_rules_that_differ_are_stored_as_written(editor: Client) -> None:
    text = shipped_text("answer_prompt_de").replace("\n", "\r\n") + "Antworten Sie kurz."
    editor.post(reverse(ADD), form(answer_prompt_de=text))
    stored = AnswerSettings.objects.get().answer_prompt_de
    assert stored == shipped_text("answer_prompt_de") + "Antworten Sie kurz.\n"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"top_k": "400"}, "top_k"),
        ({"top_k": "1.5"}, "top_k"),
        ({"sufficient": "nan"}, "sufficient"),
        ({"sufficient": "-1"}, "sufficient"),
        ({"passages_read": "10"}, "passages_read"),
        ({"first_token_seconds": "20", "whole_seconds": "10"}, "first_token_seconds"),
        ({"answer_prompt_de": "Kurz."}, "answer_prompt_de"),
        ({"answer_prompt_de": "x" * 9_000 + "[doc:N#chunk:M] {unsupported}"}, "answer_prompt_de"),
        ({"model": "second"}, "model"),
        ({"model": "mine"}, "model"),
        ({"title": ""}, "title"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(editor: Client, changes: dict[str, object], field: str) -> None:
    response = editor.post(reverse(ADD), form(**changes))
    assert response.status_code == 200
    assert field in response.context["adminform"].form.errors
    assert not AnswerSettings.objects.exists()


def test_the_form_shows_what_is_shipped_and_what_is_allowed(editor: Client) -> None:
    shown = editor.get(reverse(ADD)).content.decode()
    assert 'placeholder="90"' in shown
    assert "{unsupported}" in shown
    assert "[doc:N#chunk:M]" in shown


def seen_at(address: str, someone: Client) -> str:
    found = re.search(r'name="seen" value="(\w+)"', someone.get(address).content.decode())
    assert found
    return found[1]


def test_two_editors_of_one_draft_do_not_write_over_each_other_unseen(editor: Client, publisher: Client) -> None:
    row = draft(shown_words=40)
    address = page("change", row.pk)
    seen = seen_at(address, editor)
    assert seen == seen_at(address, publisher)
    publisher.post(address, form(shown_words="50", seen=seen))
    late = editor.post(address, form(shown_words="60", seen=seen))
    assert late.status_code == 200
    assert "inzwischen geändert" in str(late.context["adminform"].form.non_field_errors())
    assert 'value="60"' in late.content.decode()
    row.refresh_from_db()
    assert row.shown_words == 50
    again = re.search(r'name="seen" value="(\w+)"', late.content.decode())
    assert again
    assert editor.post(address, form(shown_words="60", seen=again[1])).status_code == 302
    row.refresh_from_db()
    assert row.shown_words == 60


def test_one_who_saves_twice_is_not_in_their_own_way(editor: Client) -> None:
    row = draft(shown_words=40)
    seen = seen_at(page("change", row.pk), editor)
    for _ in range(2):
        assert editor.post(page("change", row.pk), form(shown_words="50", seen=seen)).status_code == 302


def test_nobody_puts_in_force_what_another_has_changed_since_they_looked(publisher: Client) -> None:
    row = draft(shown_words=40)
    seen = seen_at(page("activate", row.pk), publisher)
    AnswerSettings.objects.filter(pk=row.pk).update(shown_words=50)
    response = publisher.post(page("activate", row.pk), {"comment": "Asked for.", "live": "0", "seen": seen})
    assert "inzwischen geändert" in response.content.decode()
    assert AnswerSettings.objects.in_force() is None
    seen = seen_at(page("activate", row.pk), publisher)
    publisher.post(page("activate", row.pk), {"comment": "Asked for.", "live": "0", "seen": seen})
    assert AnswerSettings.objects.get().number == 1


def test_an_editor_drafts_and_cannot_put_in_force(editor: Client) -> None:
    row = draft(shown_words=40)
    shown = editor.get(page("change", row.pk))
    assert shown.status_code == 200
    assert page("activate", row.pk) not in shown.content.decode()
    assert editor.post(page("activate", row.pk), {"comment": "x", "live": "0"}).status_code == 403
    live(expected=0)
    assert editor.get(page("rollback", 0)).status_code == 403
    assert AnswerSettings.objects.in_force().number == 1  # type: ignore[union-attr]


def test_a_publisher_sees_what_would_change_and_puts_it_in_force(publisher: Client) -> None:
    row = draft(shown_words=40, answer_prompt_de=shipped_text("answer_prompt_de") + "Kurz, bitte.\n")
    shown = publisher.get(page("activate", row.pk)).content.decode()
    assert "<ins>40</ins>" in shown
    assert "<ins>+ Kurz, bitte.</ins>" in shown
    response = publisher.post(page("activate", row.pk), {"comment": "Readers asked.", "live": "0"})
    assert response["Location"] == reverse(LIST)
    row.refresh_from_db()
    assert (row.number, row.comment, row.author_name) == (1, "Readers asked.", "publisher")


@pytest.mark.parametrize(
    "posted",
    [
        {"comment": "", "live": "0"},
        {"comment": "x", "live": "3"},
        {"comment": "x", "live": "²"},
        {"comment": "x", "live": ""},
        {"comment": "x", "live": "9" * 40},
        {"comment": "x"},
        {},
    ],
)
def test_a_bad_form_puts_nothing_in_force_and_says_why(publisher: Client, posted: dict[str, str]) -> None:
    response = publisher.post(page("activate", draft().pk), posted)
    assert response.status_code == 200
    assert response.context["error"]
    assert AnswerSettings.objects.in_force() is None


def test_a_version_that_was_in_force_is_a_page_without_a_form(publisher: Client) -> None:
    row = live(shown_words=40)
    shown = publisher.get(page("change", row.pk)).content.decode()
    assert "Asked for." in shown
    assert 'name="shown_words"' not in shown
    response = publisher.post(page("change", row.pk), form(shown_words="50"))
    row.refresh_from_db()
    assert response.status_code == 200
    assert row.shown_words == 40


def test_a_version_that_was_in_force_cannot_be_deleted(publisher: Client) -> None:
    row = live()
    assert publisher.post(page("delete", row.pk), {"post": "yes"}).status_code == 403


def test_a_draft_can_be_thrown_away(editor: Client) -> None:
    row = draft()
    assert editor.post(page("delete", row.pk), {"post": "yes"}).status_code == 302
    assert not AnswerSettings.objects.exists()


def test_going_back_shows_the_way_and_needs_a_reason(publisher: Client) -> None:
    live(shown_words=40)
    live(expected=1, shown_words=60)
    shown = publisher.get(page("rollback", 1)).content.decode()
    assert "<del>60</del>" in shown
    assert publisher.post(page("rollback", 1), {"live": "2", "comment": " "}).context["error"]
    publisher.post(page("rollback", 1), {"live": "2", "comment": "Better before."})
    made = AnswerSettings.objects.in_force()
    assert made is not None
    assert (made.number, made.shown_words) == (3, 40)


def test_the_shipped_settings_can_come_back(publisher: Client) -> None:
    live(shown_words=40)
    publisher.post(page("rollback", 0), {"live": "1", "comment": "Start again."})
    made = AnswerSettings.objects.in_force()
    assert made is not None
    assert (made.number, made.shown_words) == (2, None)


@pytest.mark.parametrize("number", [7, 2**31, 10**18])
def test_a_version_that_does_not_exist_is_not_found(publisher: Client, number: int) -> None:
    live()
    assert publisher.get(page("rollback", number)).status_code == 404
    assert publisher.get(page("activate", number)).status_code == 404
    assert publisher.post(page("copy", number)).status_code == 404


def test_what_is_in_force_cannot_be_gone_back_to(publisher: Client) -> None:
    live()
    assert publisher.get(page("rollback", 1)).status_code == 302


def test_a_draft_begins_with_what_a_version_says(editor: Client) -> None:
    row = live(shown_words=40)
    assert editor.get(page("copy", row.pk)).status_code == 405
    editor.post(page("copy", row.pk))
    [made] = AnswerSettings.objects.drafts()
    assert (made.shown_words, made.author_name) == (40, "editor")


@pytest.mark.parametrize("group", ["desk", "evaluator", "operator"])
def test_others_look_and_change_nothing(group: str) -> None:
    row = draft()
    visitor = client(group)
    assert visitor.get(reverse(LIST)).status_code == 200
    assert visitor.get(page("change", row.pk)).status_code == 200
    assert visitor.get(reverse(ADD)).status_code == 403
    assert visitor.post(page("change", row.pk), form()).status_code == 403
    assert visitor.post(page("activate", row.pk), {"comment": "x", "live": "0"}).status_code == 403


def test_strangers_see_nothing() -> None:
    row = draft()
    for address in (reverse(LIST), page("change", row.pk), page("activate", row.pk), page("rollback", 0)):
        assert client_for_nobody().get(address).status_code in (302, 403)


def client_for_nobody() -> Client:
    return Client()


def test_the_list_says_what_is_in_force_and_how_often_the_cache_answers(publisher: Client) -> None:
    live("Even shorter", shown_words=40)
    # What a browser of another test asked last may be counted after that test has ended.
    CacheDay.objects.all().delete()
    CacheDay.objects.create(day=timezone.localdate(), asked=40, hits=10)
    CacheDay.objects.create(day=timezone.localdate() - timedelta(days=40), asked=77, hits=7)
    answer = publisher.get(reverse(LIST))
    shown = answer.content.decode()
    assert "Even shorter" in shown
    assert "25 %" in shown
    assert [day.asked for day in answer.context["days"]] == [40]


def test_a_long_history_costs_no_more_queries(publisher: Client, django_assert_max_num_queries) -> None:  # type: ignore[no-untyped-def]
    for number in range(12):
        live(expected=number, shown_words=40 + number)
    with django_assert_max_num_queries(15):
        publisher.get(reverse(LIST))


def test_a_search_finds_a_reason(publisher: Client) -> None:
    live("Short")
    assert "Short" in publisher.get(reverse(LIST), {"q": "Asked"}).content.decode()
