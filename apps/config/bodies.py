"""Bounds what a request may send: Django keeps a whole body on disk before it asks who sent it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


def bounded(application: Application, *, most: int, most_at: str, most_there: int) -> Application:
    """Return the application with bodies of at most ``most`` bytes; at addresses below ``most_at``, ``most_there``.

    A longer one is answered 413 as soon as it is too long, and the application sees its sender leave.
    """

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await application(scope, receive, send)
        limit = most_there if scope["path"].startswith(most_at) else most
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received <= limit:
                return message
            await send({"type": "http.response.start", "status": 413, "headers": [(b"connection", b"close")]})
            await send({"type": "http.response.body", "body": b""})
            return {"type": "http.disconnect"}

        return await application(scope, counted, send)

    return limited
