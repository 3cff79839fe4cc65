"""The back office's own doors answer whatever is sent to them."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

pytestmark = [pytest.mark.django_db, pytest.mark.filterwarnings("ignore:Pagination may yield")]
AUTOCOMPLETE = "admin:autocomplete"


@pytest.fixture
def chief() -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("chief"))
    return client


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"term": "x"},
        {"app_label": "chat"},
        {"app_label": "chat", "model_name": "facet"},
        {"app_label": "", "model_name": "", "field_name": ""},
        {"app_label": "nobody", "model_name": "facet", "field_name": "party"},
        {"app_label": "chat", "model_name": "nobody", "field_name": "party"},
        {"app_label": "chat", "model_name": "facet", "field_name": "nobody"},
        {"app_label": "chat", "model_name": "facet", "field_name": "party", "page": "last but one"},
        {"app_label": "chat", "model_name": "facet", "field_name": "party", "page": "99999999999999999999"},
    ],
    ids=str,
)
def test_a_search_that_names_no_field_is_refused(chief, sent):
    assert chief.get(reverse(AUTOCOMPLETE), sent).status_code in (403, 404)


def test_no_field_of_any_model_breaks_the_search(chief):
    wrong = []
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.get_fields(include_hidden=True):
            sent = {
                "app_label": model._meta.app_label,
                "model_name": model._meta.model_name,
                "field_name": field.name,
                "term": "x",
            }
            if chief.get(reverse(AUTOCOMPLETE), sent).status_code >= 500:
                wrong.append(f"{model._meta.label}.{field.name}")
    assert wrong == []
