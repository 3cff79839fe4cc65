"""The first page of the back office: what waits for the desk, and every place that its visitor may go to."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(monkeypatch):
    monkeypatch.setattr("apps.topics.services.gaps.open_label", lambda request: "")
    monkeypatch.setattr("apps.querylog.handing_over.waiting_label", lambda request: "7")


def page(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.get(reverse("admin:index")).content.decode().partition('class="desk-home"')[2]


def test_what_waits_comes_first_and_nothing_that_does_not(waiting):
    first, _, rest = page(User.objects.create_superuser("chief")).partition("desk-groups")
    assert f'<a href="{reverse("admin:querylog_handover_changelist")}"><strong>7</strong>' in first
    assert reverse("admin:topics_gap_changelist") not in first
    assert reverse("admin:topics_gap_changelist") in rest


def test_nobody_is_led_where_they_may_not_go(waiting):
    editor = User.objects.create_user("petra", is_staff=True)
    editor.groups.add(Group.objects.get(name="editor"))
    shown = page(editor)
    assert reverse("admin:rules_rule_changelist") in shown
    assert reverse("admin:auth_user_changelist") not in shown


def test_the_menu_shows_a_number_only_where_something_waits(waiting):
    client = Client()
    client.force_login(User.objects.create_superuser("chief"))
    shown = client.get(reverse("admin:topics_overview")).content.decode()
    # The numbers of the menu are all that has this class there.
    assert [label.partition("</span>")[0].rpartition(">")[2] for label in shown.split("min-w-[18px]")[1:]] == ["7"]
    assert "open_label" not in shown
