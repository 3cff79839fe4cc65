"""A small corpus and somebody who may use the bench."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from apps.documents.models import Party
from apps.rules import live
from tests.answering.test_services import MORNING, VALLEY
from tests.documents.builders import ready


@pytest.fixture
def corpus(transactional_db: None) -> list[Party]:
    """Two invented parties with one short programme each."""
    live.forget()
    parties = [
        Party.objects.create(slug="morgen", name="Morgenpartei Deutschlands", short_name="Morgenpartei", order=1),
        Party.objects.create(slug="tal", name="Talbund der Länder", short_name="Talbund", order=2),
    ]
    for party, text in zip(parties, (MORNING, VALLEY), strict=True):
        ready(text, f"{party.slug}.md", facts={"kind": "programme", "party": party, "language": "de"})
    return parties


@pytest.fixture
def desk(db: None, client: Client) -> Client:
    """A client of somebody of the politics desk."""
    user = User.objects.create_user("desk", is_staff=True)
    user.groups.add(Group.objects.get(name="desk"))
    client.force_login(user)
    client.cookies["wegweiser_language"] = "en"
    return client
