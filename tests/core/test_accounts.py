"""Who manages accounts cannot climb by it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("groups")]


@pytest.fixture
def operator(client: Client, groups: None) -> Client:
    user = User.objects.create_user("operator", is_staff=True)
    user.groups.add(Group.objects.get(name="operator"))
    client.force_login(user)
    return client


def save(client: Client, user: User, **fields: object) -> int:
    form = {"username": user.username, "is_active": "on", "is_staff": "on", **fields}
    form |= {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00", "last_login_0": "", "last_login_1": ""}
    return client.post(reverse("admin:auth_user_change", args=[user.pk]), form).status_code


def test_an_operator_manages_accounts_by_groups(operator):
    colleague = User.objects.create_user("colleague")
    assert save(operator, colleague, groups=[Group.objects.get(name="editor").pk]) == 302
    colleague.refresh_from_db()
    assert colleague.is_staff
    assert colleague.has_perm("documents.add_document")


@pytest.mark.parametrize("name", ["operator", "colleague"])
def test_an_operator_makes_no_superuser(operator, name):
    User.objects.create_user("colleague")
    user = User.objects.get(username=name)
    save(operator, user, is_superuser="on", user_permissions=["1", "2", "3"])
    user.refresh_from_db()
    assert not user.is_superuser
    assert not user.user_permissions.exists()


def test_an_operator_joins_no_group_alone(operator):
    user = User.objects.get(username="operator")
    save(operator, user, groups=[Group.objects.get(name="log reader").pk])
    assert not User.objects.get(pk=user.pk).has_perm("querylog.view_question")


def test_an_operator_does_not_reach_a_superuser(operator):
    chief = User.objects.create_superuser("chief", password="as long as a sentence")
    for name in ("change", "delete"):
        assert operator.get(reverse(f"admin:auth_user_{name}", args=[chief.pk])).status_code in {302, 403}
    address = reverse("admin:auth_user_password_change", args=[chief.pk])
    operator.post(address, {"password1": "another long sentence", "password2": "another long sentence"})
    action = {"action": "delete_selected", "_selected_action": [chief.pk], "post": "yes"}
    operator.post(reverse("admin:auth_user_changelist"), action)
    chief.refresh_from_db()
    assert chief.check_password("as long as a sentence")


def test_a_superuser_may_do_all_this(client):
    client.force_login(User.objects.create_superuser("chief"))
    colleague = User.objects.create_user("colleague")
    assert save(client, colleague, is_superuser="on") == 302
    colleague.refresh_from_db()
    assert colleague.is_superuser
    assert client.get(reverse("admin:auth_user_add")).status_code == 200
