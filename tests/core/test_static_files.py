"""Static files over ASGI: whole, in part, unchanged, and without a word of complaint, which would be an error."""

from __future__ import annotations

from collections.abc import Mapping

from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.http import HttpResponse
from django.test import RequestFactory
from whitenoise.responders import StaticFile

from apps.core.static_files import StaticFiles

PATH = "/static/css/tokens.css"
WORDS = (settings.BASE_DIR / "static/css/tokens.css").read_bytes()


async def get(headers: Mapping[str, str], method: str = "GET") -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body, as a server gets them from the application."""
    sent = [(name.lower().encode(), value.encode()) for name, value in {"Host": "localhost", **headers}.items()]
    scope = {"type": "http", "method": method, "path": PATH, "query_string": b"", "headers": sent}
    wire = ApplicationCommunicator(get_asgi_application(), scope)
    await wire.send_input({"type": "http.request", "body": b""})
    begin = await wire.receive_output(timeout=10)
    body, is_more = b"", True
    while is_more:
        part = await wire.receive_output(timeout=10)
        body, is_more = body + part.get("body", b""), part.get("more_body", False)
    answered = {name.decode().lower(): value.decode() for name, value in begin["headers"]}
    return begin["status"], answered, body


async def test_a_file_comes_whole():
    status, headers, body = await get({})
    assert (status, body) == (200, WORDS)
    assert headers["content-type"].startswith("text/css")
    assert int(headers["content-length"]) == len(WORDS)


async def test_a_part_of_it_is_sent_to_who_asks_for_one():
    status, headers, body = await get({"Range": "bytes=3-12"})
    assert (status, body) == (206, WORDS[3:13])
    assert headers["content-range"] == f"bytes 3-12/{len(WORDS)}"


async def test_what_a_browser_has_is_not_sent_again():
    _, headers, _ = await get({})
    known = {"If-Modified-Since": headers["last-modified"]}
    assert (await get(known))[::2] == (304, b"")


async def test_a_look_at_the_head_brings_no_body():
    status, headers, body = await get({}, "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["content-length"]) == len(WORDS)


def test_a_file_that_was_replaced_since_the_start_says_its_new_length(tmp_path):
    path = tmp_path / "page.css"
    path.write_bytes(b"a { b: c }")
    known = StaticFile(str(path), [("Content-Type", "text/css")])
    path.write_bytes(b"a { b: c; d: e }")
    answer: HttpResponse = StaticFiles.serve(known, RequestFactory().get("/page.css"))
    assert (answer.content, answer["Content-Length"]) == (b"a { b: c; d: e }", "16")
