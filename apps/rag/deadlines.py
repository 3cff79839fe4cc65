"""Ends a model's stream that does not begin, or does not end, in time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from typing import TypeVar

from apps.rag.model_types import Deadlines, ModelError

Piece = TypeVar("Piece")

FIRST_TOKEN_LATE = "first_token_late"
WHOLE_LATE = "whole_late"


async def within(pieces: AsyncIterator[Piece], deadlines: Deadlines) -> AsyncGenerator[Piece, None]:
    """Yield the pieces; raise ModelError when the first or the last is late. Closes the stream whatever happens.

    Time that the consumer takes counts as well: the reader waits for both.
    """
    loop = asyncio.get_running_loop()
    start = loop.time()
    code, end = FIRST_TOKEN_LATE, start + min(deadlines.first_token, deadlines.whole)
    try:
        while True:
            try:
                async with asyncio.timeout_at(end):
                    piece = await anext(pieces)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                raise ModelError(code) from error
            code, end = WHOLE_LATE, start + deadlines.whole
            yield piece
    finally:
        close = getattr(pieces, "aclose", None)
        if close is not None:
            with suppress(RuntimeError):
                await close()
