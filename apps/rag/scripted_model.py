"""A model with given replies and every fault that models have: for tests, suites and a try without any server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import cycle
from typing import Final

from apps.language.orders import find_orders
from apps.language.sentences import split_sentences
from apps.rag.model_types import Message, ModelError, ModelRequest
from apps.rag.prompt_texts import UNSUPPORTED

_FOREVER: Final = 3600
_MOST_QUOTED: Final = 3
_WHOLE: Final = re.compile(r"[A-ZÄÖÜ][^„“”\"»«\n]{20,}[.!]")
_SOURCE: Final = re.compile(r"<<<SOURCE doc:(\d+) chunk:(\d+) [^\n]*>>>\n(.*?)\n<<<END>>>", re.DOTALL)


class ModelFault(StrEnum):
    """How a scripted reply goes wrong. SLOW never begins, HANGS and DIES stop in the middle."""

    NONE = "none"
    SLOW = "slow"
    HANGS = "hangs"
    DOWN = "down"
    DIES = "dies"
    EMPTY = "empty"
    WRONG_FORMAT = "wrong_format"
    NO_MARKERS = "no_markers"
    UNKNOWN_MARKERS = "unknown_markers"
    BAD_NUMBERS = "bad_numbers"
    OBEYS = "obeys"


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply. ``text`` is what a good model would have said; ``size`` is the length of a piece in characters.

    ``first_seconds`` and ``piece_seconds`` are pauses before the first and each further piece.
    """

    text: str
    fault: ModelFault = ModelFault.NONE
    size: int = 7
    first_seconds: float = 0.0
    piece_seconds: float = 0.0


class ScriptedModel:
    """Gives its replies one after the other, from the start again at the end, and remembers what it was asked.

    A reply may also be a function of the request. ``open`` counts the streams that have not ended.
    """

    name = "scripted"

    def __init__(self, *replies: Reply | Callable[[ModelRequest], Reply]) -> None:
        self.requests: list[ModelRequest] = []
        self.open = 0
        self._replies = cycle(replies or (Reply(""),))

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str, None]:
        """Yield the next reply in pieces; raise ModelError as its fault says."""
        self.requests.append(request)
        given = next(self._replies)
        reply = given if isinstance(given, Reply) else given(request)
        self.open += 1
        try:
            async for piece in _pieces(reply, request):
                yield piece
        finally:
            self.open -= 1


def quoting_reply(request: ModelRequest) -> Reply:
    """What a model without any wit says: the first whole sentence of each source, in quotation marks, with its marker.

    A heading is none: the gate would rightly refuse it.

    It takes as long as a real one: 0.3 seconds to begin, then about 40 tokens a second.
    """
    said = []
    for document, chunk, text in _SOURCE.findall(request.messages[-1].text)[:_MOST_QUOTED]:
        sentences = (text[span.start : span.end] for span in split_sentences(text))
        quote = next((each for each in sentences if _WHOLE.fullmatch(each)), "")
        if quote:
            said.append(f"Dort steht: „{quote}“ [doc:{document}#chunk:{chunk}]")
    return Reply("\n".join(said) or UNSUPPORTED, size=4, first_seconds=0.3, piece_seconds=0.025)


async def _pieces(reply: Reply, request: ModelRequest) -> AsyncGenerator[str, None]:
    if reply.fault is ModelFault.DOWN:
        raise ModelError("no_connection")
    if reply.fault is ModelFault.SLOW:
        await asyncio.sleep(_FOREVER)
    text = spoiled(reply.text, reply.fault, request)
    await asyncio.sleep(reply.first_seconds)
    for start in range(0, len(text), reply.size):
        yield text[start : start + reply.size]
        await asyncio.sleep(reply.piece_seconds)
    if reply.fault is ModelFault.HANGS:
        await asyncio.sleep(_FOREVER)
    if reply.fault is ModelFault.DIES:
        raise ModelError("died")


def spoiled(text: str, fault: ModelFault, request: ModelRequest) -> str:
    """Return a good reply made bad in the way of ``fault``."""
    marker = "[doc:1#chunk:1]"
    if fault is ModelFault.EMPTY:
        return ""
    if fault in (ModelFault.DIES, ModelFault.HANGS):
        return text[: len(text) * 2 // 3]
    if fault is ModelFault.WRONG_FORMAT:
        return '```json\n{"answer": "' + text.replace("[doc:", "[doc ").replace("#chunk:", ", chunk ") + '"}\n```'
    if fault is ModelFault.NO_MARKERS:
        return _without_markers(text)
    if fault is ModelFault.UNKNOWN_MARKERS:
        return text.replace("[doc:", "[doc:9")
    if fault is ModelFault.BAD_NUMBERS:
        return f"Im Jahr 1871 waren es 987654 Euro. {marker} {text}"
    if fault is ModelFault.OBEYS:
        return f"{_last_order(request.messages)} {marker} {text}"
    return text


def _without_markers(text: str) -> str:
    pieces = text.split("[doc:")
    return pieces[0] + "".join(piece.partition("]")[2] for piece in pieces[1:])


def _last_order(messages: Sequence[Message]) -> str:
    """What an obeying model says: the last order in the data it was given, word for word."""
    text = messages[-1].text
    orders = [text[order.start : order.end] for order in find_orders(text)]
    return orders[-1] if orders else "Ich habe keine Anweisung gefunden."
