"""Sends one request to a model's server and reads its reply as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Final
from weakref import WeakKeyDictionary

import httpx2

from apps.answering.language_models.types import Endpoint, Usage
from apps.answering.language_models.wire import Json
from apps.rag.model_types import ModelError, ModelRequest

# Later statuses of the same kind may be better: asking again can help.
_PASSING: Final = frozenset({408, 409, 425, 429})
_CONNECT_SECONDS: Final = 5.0
_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx2.AsyncClient] = WeakKeyDictionary()


class HttpModel:
    """What the clients of all servers do alike; a subclass knows the words of one protocol."""

    kind = "http"

    def __init__(self, endpoint: Endpoint, *, client: httpx2.AsyncClient | None = None) -> None:
        self.name = f"{self.kind}/{endpoint.model}"
        self.endpoint = endpoint
        self._client = client

    def address(self) -> str:
        """Return where to send the request."""
        raise NotImplementedError

    def headers(self) -> Mapping[str, str]:
        """Return the headers that carry the key."""
        raise NotImplementedError

    def body(self, request: ModelRequest) -> Json:
        """Return the request in the words of the protocol."""
        raise NotImplementedError

    def read(self, chunks: AsyncIterator[bytes]) -> AsyncGenerator[str | Usage, None]:
        """Yield what the bytes of a reply say; raise ModelError when it does not end as it should."""
        raise NotImplementedError

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str | Usage, None]:
        """Yield the reply. No error repeats what the server said: that may quote the reader."""
        try:
            async with self._answered(request) as chunks, aclosing(self.read(chunks)) as pieces:
                async for piece in pieces:
                    yield piece
        except httpx2.TransportError as error:
            raise ModelError("no_connection") from error
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            raise ModelError("bad_request", permanent=True) from error

    @asynccontextmanager
    async def _answered(self, request: ModelRequest) -> AsyncGenerator[AsyncIterator[bytes], None]:
        client = self._client or _shared_client()
        timeout = httpx2.Timeout(request.deadlines.whole, connect=_CONNECT_SECONDS)
        async with client.stream(
            "POST", self.address(), headers=dict(self.headers()), json=self.body(request), timeout=timeout
        ) as response:
            status = response.status_code
            if status != httpx2.codes.OK:
                raise ModelError(f"http_{status}", permanent=status not in _PASSING and status < 500)
            yield response.aiter_bytes()


def _shared_client() -> httpx2.AsyncClient:
    """One client per event loop, so that connections are used again."""
    loop = asyncio.get_running_loop()
    client = _clients.get(loop)
    if client is None:
        client = _clients[loop] = httpx2.AsyncClient(follow_redirects=False)
    return client
