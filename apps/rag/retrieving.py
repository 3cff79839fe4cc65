"""Asks the retriever: once, or once per party in parallel, always within what the server allows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from apps.rag.protocols import Retriever, Vectors
from apps.rag.settings import PipelineSettings
from apps.rag.types import AnswerContext, Passage, SearchFilters, SearchQuery
from apps.rag.understanding import PartyDirectory, PartyName, SubQuestion, Understanding

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """What one sub-question found, best first. ``elsewhere`` is near, but not the party's own or about it."""

    sub: SubQuestion
    passages: tuple[Passage, ...]
    elsewhere: tuple[Passage, ...] = ()


class SearchFailedError(Exception):
    """The search broke or took too long."""


async def find_all(
    understood: Understanding,
    context: AnswerContext,
    retriever: Retriever,
    directory: PartyDirectory,
    settings: PipelineSettings,
) -> tuple[list[Found], Vectors | None]:
    """Search for every sub-question at the same time; return also the vector of what all of them ask.

    Raises SearchFailedError; leaves no task behind.
    """
    search = _Search(understood, context, retriever, directory, settings)
    try:
        async with asyncio.timeout(settings.search_seconds), asyncio.TaskGroup() as group:
            vector = group.create_task(search.embed())
            tasks = [group.create_task(search.find(sub)) for sub in understood.sub_questions]
    except (ExceptionGroup, TimeoutError) as error:
        raise SearchFailedError from error
    return [task.result() for task in tasks], vector.result()


@dataclass(frozen=True, slots=True)
class _Search:
    understood: Understanding
    context: AnswerContext
    retriever: Retriever
    directory: PartyDirectory
    settings: PipelineSettings

    async def find(self, sub: SubQuestion) -> Found:
        allowed = self.context.party_slugs
        if sub.party is None:
            return Found(sub, tuple(await self._retrieve(sub, allowed)))
        may_speak = not allowed or sub.party.slug in allowed
        if self.understood.compares:
            return Found(sub, await self._own(sub) if may_speak else ())
        anywhere = await self._retrieve(sub, allowed)
        passages = tuple(each for each in anywhere if self._speaks_for(each, sub.party))
        if not passages and may_speak:
            passages = await self._own(sub)
        return Found(sub, passages, tuple(each for each in anywhere if each not in passages))

    async def embed(self) -> Vectors | None:
        """The vector of the question without the names of parties: no programme speaks of itself by its name."""
        try:
            return await self.retriever.embed_question(self.understood.topic)
        except Exception as error:
            logger.error("The question could not be embedded: %s", type(error).__name__)
            return None

    async def _own(self, sub: SubQuestion) -> tuple[Passage, ...]:
        """What the party itself has written."""
        return tuple(await self._retrieve(sub, (sub.party.slug,) if sub.party else ()))

    async def _retrieve(self, sub: SubQuestion, party_slugs: tuple[str, ...]) -> Sequence[Passage]:
        filters = SearchFilters(
            on=self.context.now.date(), includes_desk=self.context.includes_desk, party_slugs=party_slugs
        )
        preferred = (sub.party.slug,) if sub.party else ()
        query = SearchQuery(sub.text, filters, self.understood.language, preferred, self.settings.top_k)
        return await self.retriever.retrieve(query)

    def _speaks_for(self, passage: Passage, party: PartyName) -> bool:
        """The party's own words, or an article that names it. Another party's words never do."""
        source = passage.source
        if source.party_slug:
            return source.party_slug == party.slug
        return party in self.directory.named_in("\n".join((source.title, *passage.heading_path, passage.text)))
