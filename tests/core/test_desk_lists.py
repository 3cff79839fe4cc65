"""The lists of the back office take no hand-made filter for an error of their own."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

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
