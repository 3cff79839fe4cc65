"""What a request may send, before anybody is asked who sends it."""

from __future__ import annotations

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.asgi import get_asgi_application

from apps.config.bodies import bounded

pytestmark = pytest.mark.django_db(transaction=True)


async def status(path: str, pieces: int) -> int:
    application = bounded(get_asgi_application(), most=3000, most_at="/admin/", most_there=9000)
    head = [(b"host", b"localhost"), (b"content-type", b"text/plain")]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": head}
    asked = ApplicationCommunicator(application, scope)
    for piece in range(pieces):
        await asked.send_input({"type": "http.request", "body": b"x" * 1000, "more_body": piece < pieces - 1})
    answer = await asked.receive_output(timeout=20)
    # Exactly one answer: Django adds none of its own to a refusal.
    await asked.receive_output(timeout=20)
    if answer["status"] == 413:
        assert await asked.receive_nothing()
        await asked.wait(timeout=20)
    return int(answer["status"])


@pytest.mark.parametrize(
    ("path", "pieces", "expected"),
    [("/ask/", 3, 403), ("/ask/", 4, 413), ("/ask/", 400, 413), ("/admin/login/", 9, 403), ("/admin/login/", 10, 413)],
)
async def test_a_body_that_is_too_long_is_refused_while_it_comes(path, pieces, expected):
    assert await status(path, pieces) == expected
