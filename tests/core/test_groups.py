"""The six groups and what they may do."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("groups")]
GROUPS = {"editor", "publisher", "desk", "log reader", "evaluator", "operator"}


def member(*names: str) -> User:
    user = User.objects.create_user("someone", is_staff=True)
    user.groups.set(Group.objects.filter(name__in=names))
    return user


def test_the_groups_exist():
    assert set(Group.objects.values_list("name", flat=True)) >= GROUPS


@pytest.mark.parametrize(
    ("group", "permission", "is_given"),
    [
        ("editor", "documents.add_document", True),
        ("editor", "documents.delete_document", False),
        ("editor", "querylog.view_question", False),
        ("editor", "auth.change_user", False),
        ("publisher", "documents.delete_document", True),
        ("desk", "querylog.view_turn", True),
        ("desk", "querylog.view_question", False),
        ("log reader", "querylog.view_question", True),
        ("log reader", "documents.change_document", False),
        ("evaluator", "querylog.view_turn", True),
        ("operator", "auth.change_user", True),
        ("operator", "querylog.view_question", False),
    ],
)
def test_a_group_may_do_its_work_and_no_more(group, permission, is_given):
    assert member(group).has_perm(permission) is is_given


def test_every_given_permission_is_one_that_django_knows():
    for group in Group.objects.filter(name__in=GROUPS):
        for permission in group.permissions.select_related("content_type"):
            assert permission.content_type.model_class() is not None, permission
