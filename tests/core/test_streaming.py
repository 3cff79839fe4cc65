"""The one stream function."""

from __future__ import annotations

import asyncio

import pytest

from apps.core import streaming
from apps.core.streaming import ServerSentEvent, json_event, sse_response


async def read(response) -> str:
    return b"".join([part async for part in response]).decode()


@pytest.mark.parametrize(
    ("event", "wire"),
    [
        (ServerSentEvent("hallo"), "event: message\ndata: hallo\n\n"),
        (ServerSentEvent("a\nb", "sentence", "7"), "event: sentence\nid: 7\ndata: a\ndata: b\n\n"),
        (ServerSentEvent("a\r\nb"), "event: message\ndata: a\ndata: b\n\n"),
        (ServerSentEvent("x", "bad\nevent: forged"), "event: bad event: forged\ndata: x\n\n"),
        (json_event("done", {"ä": 1}), 'event: done\ndata: {"ä": 1}\n\n'),
    ],
)
def test_an_event_is_written_as_the_browser_reads_it(event, wire):
    assert event.encode().decode() == wire


def test_a_lone_surrogate_does_not_break_the_stream():
    assert b"data: ab" in ServerSentEvent("a\ud800b").encode()


async def test_a_stream_ends_with_close():
    async def events():
        yield ServerSentEvent("eins")

    text = await read(sse_response(events()))
    assert text.startswith("event: message\ndata: eins\n\n")
    assert text.endswith("event: close\ndata: \n\n")


async def test_a_heartbeat_fills_the_silence(monkeypatch):
    monkeypatch.setattr(streaming, "HEARTBEAT_SECONDS", 0.02)

    async def events():
        await asyncio.sleep(0.1)
        yield ServerSentEvent("spät")

    text = await read(sse_response(events()))
    assert ": still here" in text
    assert "spät" in text


async def test_a_stream_that_never_ends_is_ended_and_its_source_closed(monkeypatch):
    monkeypatch.setattr(streaming, "LONGEST_SECONDS", 0.1)
    closed = asyncio.Event()

    async def events():
        try:
            while True:
                await asyncio.sleep(10)
                yield ServerSentEvent("nie")
        finally:
            closed.set()

    text = await read(sse_response(events()))
    assert text.endswith("event: close\ndata: \n\n")
    assert closed.is_set()


async def test_a_reader_who_leaves_closes_the_source():
    closed = asyncio.Event()

    async def events():
        try:
            yield ServerSentEvent("eins")
            await asyncio.sleep(10)
            yield ServerSentEvent("zwei")
        finally:
            closed.set()

    # As Django's handler does it: it closes the response's iterator, and what stands behind goes with it.
    response = sse_response(events())
    parts = aiter(response)
    assert b"eins" in await anext(parts)
    await parts.aclose()
    del parts, response
    await asyncio.wait_for(closed.wait(), 1)


async def test_a_reader_who_leaves_while_the_source_works_cancels_it():
    closed = asyncio.Event()

    async def events():
        try:
            await asyncio.sleep(10)
            yield ServerSentEvent("nie")
        finally:
            closed.set()

    async def serve():
        return [part async for part in sse_response(events())]

    task = asyncio.ensure_future(serve())
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert closed.is_set()
