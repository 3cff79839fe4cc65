"""The models of a process in their order: the second takes over while the reader has seen nothing of the first."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Final

from apps.answering.language_models.breaker import CircuitBreaker
from apps.answering.language_models.budget import TokenBudget
from apps.answering.language_models.types import ModelClient, Usage
from apps.rag.deadlines import within
from apps.rag.model_types import ModelError, ModelRequest

logger = logging.getLogger(__name__)

_ATTEMPTS: Final = 3
_LONGEST_PAUSE: Final = 2.0
# For replies whose server did not count: German takes about so many characters for a token.
_CHARACTERS_PER_TOKEN: Final = 3

# What lies in one question, or in the length of one reply, says nothing of the server: others are answered.
_OF_THE_QUESTION: Final = frozenset({"too_long", "filtered", "bad_request", "http_400", "http_413", "http_422"})

BUDGET_SPENT: Final = "budget_spent"
NO_MODEL: Final = "no_model"


@dataclass(slots=True)
class Link:
    """One model of the chain with what this process knows of its health."""

    client: ModelClient
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)


@dataclass(slots=True)
class _Reply:
    has_begun: bool = False
    characters: int = 0
    usage: Usage = field(default_factory=Usage)


class ModelChain:
    """A LanguageModel over several. It asks again only before the first piece of text; after that a failure is one."""

    def __init__(
        self,
        links: Sequence[Link],
        *,
        budget: TokenBudget | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[float, float], float] = random.uniform,
    ) -> None:
        self.name = " > ".join(link.client.name for link in links)
        self._links = tuple(links)
        self._budget = budget
        self._sleep = sleep
        self._jitter = jitter

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str, None]:
        """Yield the reply of the first model that begins one; raise ModelError when none does or it breaks off."""
        if self._budget is not None and not await self._budget.allows():
            raise ModelError(BUDGET_SPENT, permanent=True)
        last = ModelError(NO_MODEL)
        for link in self._links:
            for attempt in range(1, _ATTEMPTS + 1):
                if not link.breaker.allows():
                    break
                reply = _Reply()
                try:
                    async with aclosing(self._ask(link, request, reply)) as pieces:
                        async for piece in pieces:
                            yield piece
                    return
                except ModelError as error:
                    logger.warning("The model %s failed: %s.", link.client.name, error.code)
                    if reply.has_begun:
                        raise
                    last = error
                # A late server would be late again, and the reader has waited once.
                if last.permanent or last.code.endswith("_late") or attempt == _ATTEMPTS:
                    break
                await self._sleep(self._jitter(0, min(_LONGEST_PAUSE, 0.25 * 2**attempt)))
        raise last

    async def _ask(self, link: Link, request: ModelRequest, reply: _Reply) -> AsyncGenerator[str, None]:
        is_over = False
        try:
            async with aclosing(within(self._pieces(link, request, reply), request.deadlines)) as pieces:
                async for piece in pieces:
                    if not reply.has_begun:
                        reply.has_begun = True
                        if request.answered_by is not None:
                            request.answered_by(link.client.name)
                    yield piece
            is_over = True
        except ModelError as error:
            if error.code not in _OF_THE_QUESTION:
                link.breaker.failed()
            raise
        finally:
            if is_over or reply.has_begun:
                self._count(request, reply)
        link.breaker.succeeded()

    async def _pieces(self, link: Link, request: ModelRequest, reply: _Reply) -> AsyncGenerator[str, None]:
        async with aclosing(link.client.stream(request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Usage):
                    reply.usage = replace(
                        reply.usage,
                        asked=max(reply.usage.asked, piece.asked),
                        written=max(reply.usage.written, piece.written),
                    )
                else:
                    reply.characters += len(piece)
                    yield piece

    def _count(self, request: ModelRequest, reply: _Reply) -> None:
        """Count what the server said, or an estimate for what it did not get to say."""
        if self._budget is None:
            return
        asked = reply.usage.asked or sum(len(each.text) for each in request.messages) // _CHARACTERS_PER_TOKEN
        self._budget.spent(asked + (reply.usage.written or reply.characters // _CHARACTERS_PER_TOKEN))
