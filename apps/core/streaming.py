"""The one function that builds every server-sent stream."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from django.http import StreamingHttpResponse

HEARTBEAT_SECONDS = 15.0
LONGEST_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    """One event as the browser's EventSource sees it. ``data`` may hold line breaks."""

    data: str
    event: str = "message"
    id: str = ""

    def encode(self) -> bytes:
        """Return the wire form. A line break in ``event`` or ``id`` would forge fields, so both lose theirs."""
        head = f"event: {_one_line(self.event)}\n" + (f"id: {_one_line(self.id)}\n" if self.id else "")
        body = "".join(f"data: {line}\n" for line in self.data.split("\n"))
        return f"{head}{body}\n".replace("\r", "").encode("utf-8", "ignore")


def json_event(event: str, data: Mapping[str, object], *, id: str = "") -> ServerSentEvent:
    """Return an event whose data is one line of JSON."""
    return ServerSentEvent(json.dumps(data, ensure_ascii=False), event, id)


def _one_line(text: str) -> str:
    return text.replace("\n", " ").replace("\r", " ")


async def _with_heartbeat(events: AsyncIterator[ServerSentEvent], longest: float) -> AsyncIterator[bytes]:
    """Yield the events, a comment while nothing happens, and close the source whatever happens."""
    deadline = asyncio.get_running_loop().time() + longest
    pending: asyncio.Task[ServerSentEvent] | None = None
    iterator = aiter(events)
    try:
        while True:
            pending = pending or asyncio.ensure_future(anext(iterator))  # type: ignore[arg-type]
            rest = deadline - asyncio.get_running_loop().time()
            if rest <= 0:
                break
            done, _ = await asyncio.wait({pending}, timeout=min(HEARTBEAT_SECONDS, rest))
            if not done:
                yield b": still here\n\n"
                continue
            task, pending = pending, None
            try:
                event = task.result()
            except StopAsyncIteration:
                break
            yield event.encode()
    finally:
        if pending is not None:
            pending.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration, Exception):
                await pending
        close = getattr(events, "aclose", None)
        if close is not None:
            await close()
    # EventSource reconnects after an end without this.
    yield ServerSentEvent("", "close").encode()


def sse_response(events: AsyncIterator[ServerSentEvent], *, longest: float | None = None) -> StreamingHttpResponse:
    """Return a streaming response over an async iterator of events; it ends after ``longest`` seconds at the latest.

    The view must have given its database connection back (``finally: connection.close()`` on the thread that used it):
    what it holds stays held until the stream ends.
    """
    pieces = _with_heartbeat(events, longest or LONGEST_SECONDS)
    response = StreamingHttpResponse(pieces, content_type="text/event-stream; charset=utf-8")
    response["Cache-Control"] = "private, no-store, no-transform"
    response["X-Accel-Buffering"] = "no"
    return response
