"""Readers of the real page: a web server of its own, and people who open it, ask, and stay. For ``bench answer``."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse

from apps.answering.suites.serving import HOST

_LONGEST_WAIT: Final = 60.0
_FIRST: Final = 12
_STREAM: Final = re.compile(r'sse-connect="([^"]+)"')
_TOKEN: Final = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_COOKIE: Final = re.compile(r"^set-cookie: ([^=]+=[^;\r\n]*)", re.IGNORECASE | re.MULTILINE)


@dataclass(slots=True)
class Visit:
    """One reader's question: milliseconds from sending it to the first words, 0 where none came, and why."""

    first_ms: float = 0.0
    problem: str = ""
    heard: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def has_failed(self) -> bool:
        return not self.first_ms


class Crowd:
    """Readers who come one after the other; each keeps the connection open until the last one has come.

    ``most_open`` is how many connections the server held at once.
    """

    def __init__(self, port: int, *, readers: int, per_second: float) -> None:
        self.most_open = 0
        self._port = port
        self._readers = readers
        self._pause = 1 / per_second
        self._open = 0

    async def read(self, questions: Sequence[str]) -> list[Visit]:
        """Return every reader's visit."""
        leave = asyncio.Event()
        # The server is up before the embedders of its processes are: visits that nobody measures.
        leave.set()
        await asyncio.gather(*(self._visit(question, Visit(), leave) for question in questions[:_FIRST]))
        leave.clear()
        self.most_open = 0
        visits: list[Visit] = []
        tasks = []
        for question in islice(cycle(questions), self._readers):
            visits.append(Visit())
            tasks.append(asyncio.create_task(self._visit(question, visits[-1], leave)))
            await asyncio.sleep(self._pause)
        with suppress(TimeoutError):
            async with asyncio.timeout(_LONGEST_WAIT):
                await asyncio.gather(*(visit.heard.wait() for visit in visits))
        leave.set()
        await asyncio.gather(*tasks)
        return visits

    async def _visit(self, question: str, visit: Visit, leave: asyncio.Event) -> None:
        try:
            await self._ask(question, visit, leave)
        except (OSError, LookupError) as error:
            visit.problem = str(error) or type(error).__name__
        visit.heard.set()

    async def _ask(self, question: str, visit: Visit, leave: asyncio.Event) -> None:
        home = await self._whole("GET", reverse("chat:home"), {})
        cookies = _cookies(home)
        form = {"csrfmiddlewaretoken": _found(_TOKEN, home), "question": question, "conversation": ""}
        start = time.perf_counter()
        turn = await self._whole("POST", reverse("chat:ask"), cookies, urlencode(form))
        reader, writer = await self._send("GET", _found(_STREAM, turn), cookies | _cookies(turn))
        self._open += 1
        self.most_open = max(self.most_open, self._open)
        try:
            # A refusal comes as a whole answer.
            async with asyncio.timeout(_LONGEST_WAIT):
                await _read_until(reader, (b"event: sentence", b"event: answer"))
            visit.first_ms = (time.perf_counter() - start) * 1000
            visit.heard.set()
            await leave.wait()
        finally:
            self._open -= 1
            writer.close()

    async def _whole(self, method: str, path: str, cookies: dict[str, str], body: str = "") -> str:
        reader, writer = await self._send(method, path, cookies, body, closes=True)
        try:
            return (await reader.read()).decode("utf-8", "replace")
        finally:
            writer.close()

    async def _send(
        self, method: str, path: str, cookies: dict[str, str], body: str = "", *, closes: bool = False
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(HOST, self._port, limit=2**20)
        head = [
            f"{method} {path} HTTP/1.1",
            f"Host: {HOST}:{self._port}",
            "HX-Request: true",
            f"Cookie: {'; '.join(f'{name}={value}' for name, value in cookies.items())}",
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(body)}",
            *(["Connection: close"] if closes else []),
        ]
        writer.write("\r\n".join([*head, "", body]).encode())
        await writer.drain()
        return reader, writer


async def _read_until(reader: asyncio.StreamReader, marks: Sequence[bytes]) -> None:
    seen = b""
    while not any(mark in seen for mark in marks):
        part = await reader.read(65_536)
        if not part:
            raise LookupError("The stream ended without an answer.")
        seen += part


def _cookies(answer: str) -> dict[str, str]:
    head = answer.split("\r\n\r\n", 1)[0]
    return dict(cookie.split("=", 1) for cookie in _COOKIE.findall(head))


def _found(pattern: re.Pattern[str], answer: str) -> str:
    match = pattern.search(answer)
    if match is None:
        raise LookupError(f"{answer[:60]!r} does not hold what it should.")
    return match[1]
