"""Where somebody comes who has logged in."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse


@pytest.mark.django_db
def test_who_opens_the_login_page_itself_comes_to_the_desk() -> None:
    User.objects.create_user("ida", password="a long word", is_staff=True)
    answered = Client().post(reverse("admin:login"), {"username": "ida", "password": "a long word"})
    assert (answered.status_code, answered.headers["Location"]) == (302, reverse("admin:index"))
