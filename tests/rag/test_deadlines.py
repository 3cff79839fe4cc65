"""A stream that does not begin or end in time is ended, and closed."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from apps.rag.deadlines import within
from apps.rag.model_types import Deadlines, ModelError


class Pieces:
    """Gives pieces and then hangs; knows whether it has been closed."""

    def __init__(self, *pieces: str, hangs: bool = True) -> None:
        self.is_closed = False
        self._pieces = pieces
        self._hangs = hangs

    async def stream(self) -> AsyncGenerator[str, None]:
        try:
            for piece in self._pieces:
                yield piece
            if self._hangs:
                await asyncio.sleep(3600)
        finally:
            self.is_closed = True


@pytest.mark.parametrize(
    ("pieces", "deadlines", "code"),
    [
        (Pieces(), Deadlines(0.01, 3600), "first_token_late"),
        (Pieces(), Deadlines(3600, 0.01), "first_token_late"),
        (Pieces("a", "b"), Deadlines(3600, 0.01), "whole_late"),
    ],
)
async def test_a_late_stream_is_ended_and_closed(pieces: Pieces, deadlines: Deadlines, code: str) -> None:
    with pytest.raises(ModelError) as caught:
        [piece async for piece in within(pieces.stream(), deadlines)]
    assert caught.value.code == code
    assert pieces.is_closed


async def test_a_stream_in_time_comes_whole() -> None:
    pieces = Pieces("a", "b", hangs=False)
    assert [piece async for piece in within(pieces.stream(), Deadlines())] == ["a", "b"]
    assert pieces.is_closed


async def test_a_consumer_who_leaves_closes_the_stream() -> None:
    pieces = Pieces("a")
    stream = within(pieces.stream(), Deadlines())
    await anext(stream)
    await stream.aclose()
    assert pieces.is_closed
