"""Who may do what with rules: editors write, publishers release, the desk reads."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, User


@pytest.fixture
def member(db: None) -> object:
    """Return a maker of accounts in a group, whatever ran before: a flush empties the tables that migrations fill."""
    import_module("apps.rules.migrations.0003_groups").give_permissions(apps, None)

    def make(group: str) -> User:
        user = User.objects.create_user(group, is_staff=True)
        user.groups.add(Group.objects.get(name=group))
        return user

    return make


MODELS = ("rule", "ruleversion", "release", "backtest", "protectedterm")


@pytest.mark.parametrize(
    ("group", "may", "may_not"),
    [
        (
            "editor",
            ["add_rule", "change_rule", "add_backtest", "change_protectedterm"],
            ["publish_rule", "delete_rule"],
        ),
        ("publisher", ["publish_rule", "add_rule", "change_rule", "delete_rule", "delete_protectedterm"], []),
        ("desk", [], ["add_rule", "change_rule", "publish_rule", "add_backtest"]),
    ],
)
def test_each_group_has_its_part(member, group, may, may_not):
    user = member(group)
    assert all(user.has_perm(f"rules.view_{model}") for model in MODELS)
    assert [name for name in may if not user.has_perm(f"rules.{name}")] == []
    assert [name for name in may_not if user.has_perm(f"rules.{name}")] == []


def test_nobody_changes_history(member):
    for group in ("editor", "publisher", "desk"):
        user = member(group)
        assert not any(user.has_perm(f"rules.{action}_ruleversion") for action in ("add", "change", "delete"))
        assert not any(user.has_perm(f"rules.{action}_release") for action in ("change", "delete"))
