"""Staff of the log's tests: with some permissions, in English, and with a reason where they may read words."""

from __future__ import annotations

from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

REASON = "Checking refusals"


def staff(*permissions: str, name: str = "someone", reason: str = REASON) -> Client:
    """Return a signed-in client; whoever may read words has said why, unless ``reason`` is empty."""
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    client.cookies["wegweiser_language"] = "en"
    if reason and {"view_turn", "view_question"} <= set(permissions):
        client.post(reverse("admin:querylog_turn_reason"), {"reason": reason})
    return client
