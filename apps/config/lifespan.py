"""Tells the application that its process ends, which Django does not listen to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from apps.config.bodies import Application, Receive, Scope, Send


def ending(application: Application, at_end: Callable[[], Awaitable[None]]) -> Application:
    """Return the application with ``at_end`` called when the server has let its connections go."""

    async def living(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            return await application(scope, receive, send)
        while (await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        await at_end()
        return await send({"type": "lifespan.shutdown.complete"})

    return living
