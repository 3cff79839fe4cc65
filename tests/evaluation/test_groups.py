"""Who may do what in the evaluation."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, Permission

pytestmark = pytest.mark.django_db


def permissions(group: str) -> set[str]:
    found = Permission.objects.filter(group__name=group, content_type__app_label="evaluation")
    return set(found.values_list("codename", flat=True))


def test_evaluators_keep_the_sets_and_run_them():
    actions = ("add", "change", "delete", "view")
    assert permissions("evaluator") == {
        *(f"{action}_{model}" for action in actions for model in ("questionset", "question")),
        *(f"{action}_evaluationrun" for action in ("add", "delete", "view")),
    }


def test_nobody_else_has_a_part_in_it():
    others = Group.objects.exclude(name="evaluator").values_list("name", flat=True)
    assert set(others) >= {"editor", "publisher", "desk", "log reader", "operator"}
    assert {name: permissions(name) for name in others} == {name: set() for name in others}
