"""The lists of the back office take no hand-made filter for an error of their own."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from unfold.utils import display_for_label

pytestmark = pytest.mark.django_db
FIELDS = [(model, field.name) for model in admin.site._registry for field in model._meta.get_fields() if field.concrete]
VALUES = ["0", "{"]


@pytest.fixture
def desk() -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("chief"))
    return client


@pytest.mark.parametrize(("model", "name"), FIELDS, ids=lambda each: getattr(each, "__name__", each))
def test_no_field_in_the_address_breaks_a_list(desk: Client, model: type, name: str) -> None:
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")  # type: ignore[attr-defined]
    for value in VALUES:
        for lookup in (name, f"{name}__contains"):
            assert desk.get(address, {lookup: value}).status_code < 500, (lookup, value)


def shown_with_colours() -> list[tuple[str, Any]]:
    return [
        (f"{type(desk).__name__}.{name}", colours)
        for desk in admin.site._registry.values()
        for name in map(str, desk.list_display)
        if isinstance(colours := getattr(getattr(desk, name, None), "label", None), dict)
    ]


def test_a_state_without_a_colour_is_shown_by_its_word_and_not_by_its_stored_value() -> None:
    found = shown_with_colours()
    assert len(found) > 5
    for name, colours in found:
        shown = display_for_label(("stored-value", "Its word"), "-", colours)
        assert ("Its word" in shown, "stored-value" in shown) == (True, False), name
