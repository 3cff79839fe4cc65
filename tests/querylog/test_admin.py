"""The log on the desk: words only for those who may read them, by no way round."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from apps.querylog.models import Conversation, Turn

pytestmark = pytest.mark.django_db
WORDS = "Windpark in Hintertupfing?"


def staff(*permissions: str) -> Client:
    user = User.objects.create_user("someone", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def turn() -> Turn:
    conversation = Conversation.objects.create(owner="x", session_day="y")
    signals = {"coverage_signals": {"question_aspects_missing": ["Hintertupfing"]}}
    return Turn.objects.create(conversation=conversation, number=1, question=WORDS, signals=signals)


def pages(turn: Turn) -> list[str]:
    return [reverse("admin:querylog_turn_changelist"), reverse("admin:querylog_turn_change", args=[turn.pk])]


def test_who_may_only_see_outcomes_sees_no_word_of_the_reader(turn):
    client = staff("view_turn")
    for page in pages(turn):
        response = client.get(page)
        assert response.status_code == 200
        assert "Hintertupfing" not in response.text


def test_who_may_read_words_sees_them(turn):
    client = staff("view_turn", "view_question")
    assert all(WORDS in client.get(page).text for page in pages(turn))


def test_the_log_is_closed_without_permission(turn):
    client = staff()
    assert [client.get(page).status_code for page in pages(turn)] == [403, 403]


@pytest.mark.parametrize("lookup", ["question__startswith", "question__regex", "query__icontains", "shown__contains"])
def test_words_cannot_be_guessed_by_filters_in_the_address(turn, lookup):
    page = reverse("admin:querylog_turn_changelist")
    assert staff("view_turn").get(page, {lookup: "W"}).status_code == 400
