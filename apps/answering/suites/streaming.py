"""Streams of a model: the same text at every cut, and nothing left open when readers leave."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing, suppress
from typing import Final

from apps.answering.language_models.chain import Link, ModelChain
from apps.answering.language_models.openai import OpenAIModel
from apps.answering.language_models.types import Endpoint
from apps.core.streaming import ServerSentEvent, sse_response
from apps.core.suites import SuiteContext, SuiteResult, suite
from apps.rag.events import Sentence
from apps.rag.generation import ModelWriter
from apps.rag.markers import SentenceCutter, WrittenSentence
from apps.rag.types import Passage, Question, Source
from apps.rag.understanding import PartyDirectory

_READERS: Final = 1_000
_AT_ONCE: Final = 25
_SEED: Final = 5
# Markers before, behind and below the full stop, in rows, inside sentences; brackets that are none; broken ones.
ANSWERS: Final = (
    "Der Mindestlohn steigt auf 15 Euro [doc:1#chunk:1]. Das gilt ab dem 1. Juli 2026. [doc:1#chunk:2]",
    "Sie schreibt: „Wir erhöhen ihn für alle.“ [doc:1#chunk:1][doc:2#chunk:1] Im Jahr [2024] galt das [sic] noch nicht."
    " [doc:2#chunk:1]",
    "Laut Dr. Muster gilt das z. B. für § 5 GG (Stand 2025). [doc:1#chunk:1]\n"
    "Die Rente bleibt bei 48 %.\n[doc:3#chunk:1]",
    "- Größere Städte 🏙️ zahlen mehr [doc:1#chunk:1]\n- Kleinere weniger [doc:1#chunk:2]\n\nDas war’s [doc:2#chunk:1]!",
    "The wage rises [doc:1#chunk:1] and so does the pension… [doc:2#chunk:1] See [1] and [a note]. [doc:1#chunk:1]",
    "Ohne Beleg steht das hier. Das auch. [doc:1] [doc:2#chunk:x] Und [doc:1#chunk:1, doc:2#chunk:1] das.",
    "Ein Rest ohne Ende [doc:1#chunk:1]. Und dann bricht es ab [doc:1#chu",
)  # fmt: skip
_SENTENCES: Final = (
    "Der Bus fährt jede Stunde.",
    "Die Brücke wird im Herbst gebaut.",
    "Der Markt bleibt am Samstag offen.",
)


@suite("stream:cuts", needs_data=False)
def stream_cuts(context: SuiteContext) -> SuiteResult:
    """Sentences of model replies cut after every character and after every byte of the wire."""
    return asyncio.run(_cuts())


@suite("stream:faults", needs_data=False)
def stream_faults(context: SuiteContext) -> SuiteResult:
    """Readers who leave a model's answer at any moment (--option readers=100): what stays open?"""
    return asyncio.run(_faults(int(context.options.get("readers", _READERS))))


async def _cuts() -> SuiteResult:
    runs = differing = leaked = 0
    for text in ANSWERS:
        whole = cut_sentences([text])
        wire = b"".join(_events([text[place : place + 5] for place in range(0, len(text), 5)]))
        results = [cut_sentences([text[:place], text[place:]]) for place in range(len(text) + 1)]
        results.append(cut_sentences(list(text)))
        received = [await _received([wire[:place], wire[place:]]) for place in range(len(wire) + 1)]
        results.extend(cut_sentences(pieces) for pieces in received)
        runs += len(results)
        differing += sum(result != whole for result in results)
        leaked += sum(any(has_leaked(sentence) for sentence in result) for result in results)
    return SuiteResult(n=runs, figures={"differing": differing, "leaked": leaked, "answers": len(ANSWERS)})


def cut_sentences(pieces: Sequence[str]) -> list[WrittenSentence]:
    """Return the sentences of a reply that comes in these pieces."""
    cutter = SentenceCutter("de")
    return [sentence for piece in pieces for sentence in cutter.feed(piece)] + cutter.close()


def has_leaked(sentence: WrittenSentence) -> bool:
    """Say whether a sentence that may be shown holds a piece of a marker."""
    return not sentence.is_broken and any(piece in sentence.text for piece in ("doc:", "chunk", "[d", "#"))


async def _received(parts: Sequence[bytes]) -> list[str]:
    async def chunks() -> AsyncIterator[bytes]:
        for part in parts:
            yield part

    return [piece async for piece in OpenAIModel(Endpoint("cut")).read(chunks()) if isinstance(piece, str)]


def _events(pieces: Sequence[str]) -> Iterator[bytes]:
    for piece in pieces:
        event = {"choices": [{"delta": {"content": piece}}]}
        yield f"data: {json.dumps(event, ensure_ascii=False)}\n\n".encode()
    yield b'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


class SlowServer:
    """A model's server on this machine that writes a few pieces a second; knows how many readers it still serves."""

    def __init__(self) -> None:
        self.served = 0
        self.open = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Write one reply, until its end or until nobody reads it."""
        self.open += 1
        self.served += 1
        gone = asyncio.ensure_future(self._gone(reader))
        try:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
            text = " ".join(f"{sentence} [doc:{n}#chunk:1]" for n, sentence in enumerate(_SENTENCES, 1))
            for piece in _events([text[place : place + 6] for place in range(0, len(text), 6)]):
                if gone.done():
                    break
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.01)
        except ConnectionError:
            pass
        finally:
            gone.cancel()
            self.open -= 1
            writer.close()

    async def _gone(self, reader: asyncio.StreamReader) -> None:
        with suppress(ConnectionError):
            while await reader.read(65_536):
                pass


async def _faults(readers: int) -> SuiteResult:
    served = SlowServer()
    server = await asyncio.start_server(served.answer, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    before = asyncio.all_tasks()
    chance, room = random.Random(_SEED), asyncio.Semaphore(_AT_ONCE)
    slots = Slots()
    await asyncio.gather(*(_visit(url, slots, chance.random(), room) for _ in range(readers)))
    # A connection ends in its own time, a few turns of the loop later.
    for _ in range(100):
        if not served.open:
            break
        await asyncio.sleep(0.02)
    tasks = asyncio.all_tasks() - before
    server.close()
    figures = {
        "open": slots.open + served.open + len(tasks),
        "open_slots": slots.open,
        "open_connections": served.open,
        "open_tasks": len(tasks),
        "aborted": slots.aborted,
        "reached_server": served.served,
        "shown": slots.shown,
    }
    return SuiteResult(n=readers, figures=figures)


class Slots:
    """How many answers are being written, as a page counts them."""

    def __init__(self) -> None:
        self.open = 0
        self.aborted = 0
        self.shown = 0


async def _visit(url: str, slots: Slots, patience: float, room: asyncio.Semaphore) -> None:
    """Read an answer and leave: at once, before the first sentence, between two, or near the end."""
    async with room:
        task = asyncio.create_task(_read(url, slots))
        await asyncio.sleep(patience * 0.4)
        if not task.done():
            slots.aborted += 1
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _read(url: str, slots: Slots) -> None:
    response = sse_response(_page(url, slots))
    stream = aiter(response)
    try:
        async for _ in stream:
            pass
    finally:
        response.close()


async def _page(url: str, slots: Slots) -> AsyncGenerator[ServerSentEvent, None]:
    passages = [
        Passage(n, Source(f"s{n}", 1, "Bericht", "news"), text, 0, len(text)) for n, text in enumerate(_SENTENCES)
    ]
    writer = ModelWriter(ModelChain([Link(OpenAIModel(Endpoint("slow", url)))]), PartyDirectory((), {}))
    slots.open += 1
    try:
        async with aclosing(writer.write(Question("Was gilt?"), passages)) as events:
            async for event in events:
                if isinstance(event, Sentence):
                    slots.shown += 1
                    yield ServerSentEvent(event.text, "sentence")
    finally:
        slots.open -= 1
