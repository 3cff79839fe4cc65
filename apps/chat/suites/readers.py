"""Readers of the page over HTTP: each opens the first screen, asks, reads the stream to its end or leaves."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass
from typing import Final

import httpx2 as httpx
from django.urls import reverse

_TOKEN: Final = re.compile(r'name="csrfmiddlewaretoken"[^>]* value="([^"]+)"')
_STREAM: Final = re.compile(r'sse-connect="([^"]+)"')
_LONGEST: Final = 90.0


@dataclass(slots=True)
class Visit:
    """One question: milliseconds to the first sentence (or the answer, if it is a refusal) and to the whole answer."""

    begun: float
    first_ms: float | None = None
    whole_ms: float | None = None
    was_told_to_come_back: bool = False
    problem: str = ""


async def visit(client: httpx.AsyncClient, base: str, question: str, *, leaves: bool = False) -> Visit:
    """Ask as a browser does. ``leaves`` breaks the stream off at once."""
    made = Visit(time.perf_counter())
    try:
        async with asyncio.timeout(_LONGEST):
            await _ask(client, base, question, made, leaves=leaves)
    except (httpx.HTTPError, TimeoutError, LookupError, OSError) as error:
        made.problem = type(error).__name__ if not str(error) else str(error)[:80]
    return made


async def _ask(client: httpx.AsyncClient, base: str, question: str, made: Visit, *, leaves: bool) -> None:
    home = await client.get(f"{base}{reverse('chat:home')}")
    # Cookies are kept by hand: all readers share one pool of connections.
    cookies = dict(home.cookies.items())
    data = {"csrfmiddlewaretoken": _found(_TOKEN, home.text), "question": question, "conversation": ""}
    made.begun = time.perf_counter()
    asked = await client.post(f"{base}{reverse('chat:ask')}", data=data, headers=_headers(cookies))
    if asked.status_code in (429, 503):
        made.was_told_to_come_back = True
        return
    cookies |= dict(asked.cookies.items())
    path = _found(_STREAM, asked.text)
    async with client.stream("GET", f"{base}{path}", headers=_headers(cookies)) as stream:
        if leaves:
            return
        async for line in stream.aiter_lines():
            _hear(line, made)
    if made.whole_ms is None and not made.was_told_to_come_back:
        raise LookupError("The stream ended without an answer.")


def _hear(line: str, made: Visit) -> None:
    if not line.startswith("event: "):
        return
    kind, now = line.removeprefix("event: "), (time.perf_counter() - made.begun) * 1000
    if kind == "busy":
        made.was_told_to_come_back = True
    if kind in ("sentence", "answer") and made.first_ms is None:
        made.first_ms = now
    if kind == "answer":
        made.whole_ms = now


def _headers(cookies: dict[str, str]) -> dict[str, str]:
    return {"HX-Request": "true", "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}


def _found(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    if match is None:
        raise LookupError(f"{text[:60]!r} does not hold what it should.")
    return match[1]
