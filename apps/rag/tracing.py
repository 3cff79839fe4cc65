"""What a trace may be told of a turn beyond its events: for the bench, never for readers' turns.

Nobody asks for a trace in production: there ``None`` takes its place and nothing is gathered. A trace is kept by
whoever asked, in memory; nothing here writes to a log or a table.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol

from apps.rag.citations import Fault
from apps.rag.model_types import LanguageModel, Message, ModelError, ModelRequest
from apps.rag.parts import Parts
from apps.rag.protocols import Retriever, Vectors
from apps.rag.rewriting.types import RewriteContext
from apps.rag.routing import Route
from apps.rag.types import Passage, SearchQuery
from apps.rag.understanding import Understanding


@dataclass(frozen=True, slots=True)
class StageBegan:
    """A stage begins; ``at`` is in seconds of the pipeline's clock."""

    stage: str
    at: float


@dataclass(frozen=True, slots=True)
class StageEnded:
    """A stage is over, whether or not it broke. One stage may run several times."""

    stage: str
    began: float
    ended: float


@dataclass(frozen=True, slots=True)
class Understood:
    """What was understood of each query that is searched."""

    queries: tuple[tuple[str, Understanding], ...]


@dataclass(frozen=True, slots=True)
class Searched:
    """One search, with its limits. ``error`` is the name of what it raised, "" where it answered."""

    query: SearchQuery
    passages: tuple[Passage, ...]
    began: float
    ended: float
    is_recall: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True)
class Embedded:
    """The question's vector was asked for. ``error`` as in Searched."""

    text: str
    began: float
    ended: float
    error: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """Everything that was found, read and judged, before anything is written."""

    parts: Parts


@dataclass(frozen=True, slots=True)
class Drafted:
    """A sentence at the gate; it passed where ``fault`` is None.

    ``attempt`` counts a model's drafts from 1; 0 is a sentence that was quoted.
    """

    text: str
    attempt: int
    fault: Fault | None


@dataclass(frozen=True, slots=True)
class ModelAsked:
    """A model is asked, whatever for."""

    messages: tuple[Message, ...]
    began: float


@dataclass(frozen=True, slots=True)
class ModelReplied:
    """What a model has said, as it came. ``first`` is None where nothing came.

    ``error`` is the code of its ModelError. Not ``is_whole`` when it broke, or was stopped because enough was known.
    """

    messages: tuple[Message, ...]
    reply: str
    began: float
    first: float | None
    ended: float
    is_whole: bool
    error: str = ""


Noted = (
    StageBegan
    | StageEnded
    | Route
    | RewriteContext
    | Understood
    | Embedded
    | Searched
    | Judged
    | Drafted
    | ModelAsked
    | ModelReplied
)


class Trace(Protocol):
    """Is told what becomes of one turn. Called on the event loop: it must be quick and must not raise."""

    def note(self, noted: Noted) -> None:
        """Take note of it."""


class TracedRetriever:
    """A retriever whose searches are noted."""

    def __init__(self, retriever: Retriever, trace: Trace, clock: Callable[[], float] = time.perf_counter) -> None:
        self._retriever = retriever
        self._trace = trace
        self._clock = clock

    async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
        """Return what the retriever finds."""
        return await self._searched(query, self._retriever.retrieve(query))

    async def recall(self, query: SearchQuery, chunk_ids: Sequence[int]) -> Sequence[Passage]:
        """Return what the retriever fetches again."""
        return await self._searched(query, self._retriever.recall(query, chunk_ids), is_recall=True)

    async def embed_question(self, text: str) -> Vectors:
        """Return the retriever's vector."""
        began, error = self._clock(), ""
        try:
            return await self._retriever.embed_question(text)
        except BaseException as raised:
            error = type(raised).__name__
            raise
        finally:
            self._trace.note(Embedded(text, began, self._clock(), error))

    async def _searched(
        self, query: SearchQuery, search: Awaitable[Sequence[Passage]], *, is_recall: bool = False
    ) -> Sequence[Passage]:
        began, error = self._clock(), ""
        found: tuple[Passage, ...] = ()
        try:
            found = tuple(await search)
        except BaseException as raised:
            error = type(raised).__name__
            raise
        finally:
            self._trace.note(Searched(query, found, began, self._clock(), is_recall, error))
        return found


class TracedModel:
    """A language model whose prompts and replies are noted, whichever stage asks it."""

    def __init__(self, model: LanguageModel, trace: Trace, clock: Callable[[], float] = time.perf_counter) -> None:
        self._model = model
        self._trace = trace
        self._clock = clock

    @property
    def name(self) -> str:
        """Return the model's own name."""
        return self._model.name

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str, None]:
        """Yield the model's reply; raise what it raises."""
        began, first = self._clock(), None
        pieces: list[str] = []
        is_whole, code = False, ""
        self._trace.note(ModelAsked(request.messages, began))
        try:
            async with aclosing(self._model.stream(request)) as reply:
                async for piece in reply:
                    first = self._clock() if first is None else first
                    pieces.append(piece)
                    yield piece
            is_whole = True
        except ModelError as error:
            code = error.code
            raise
        finally:
            said = "".join(pieces)
            self._trace.note(ModelReplied(request.messages, said, began, first, self._clock(), is_whole, code))
