"""Asks the retriever: once, or once per party in parallel, always within what the server allows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from apps.rag.protocols import Retriever, Vectors
from apps.rag.settings import PipelineSettings
from apps.rag.types import AnswerContext, Passage, SearchFilters, SearchQuery
from apps.rag.understanding import PartyDirectory, PartyName, SubQuestion

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """What one sub-question found, best first. ``elsewhere`` is near, but not the party's own or about it."""

    sub: SubQuestion
    vector: Vectors | None
    passages: tuple[Passage, ...]
    elsewhere: tuple[Passage, ...] = ()


class SearchFailedError(Exception):
    """The search broke or took too long."""


async def find_all(
    subs: Sequence[SubQuestion],
    language: str,
    context: AnswerContext,
    retriever: Retriever,
    directory: PartyDirectory,
    settings: PipelineSettings,
) -> list[Found]:
    """Search for every sub-question at the same time. Raises SearchFailedError; leaves no task behind."""
    search = _Search(language, context, retriever, directory, settings, is_alone=len(subs) == 1)
    try:
        async with asyncio.timeout(settings.search_seconds), asyncio.TaskGroup() as group:
            tasks = [group.create_task(search.find(sub)) for sub in subs]
    except (ExceptionGroup, TimeoutError) as error:
        raise SearchFailedError from error
    return [task.result() for task in tasks]


@dataclass(frozen=True, slots=True)
class _Search:
    language: str
    context: AnswerContext
    retriever: Retriever
    directory: PartyDirectory
    settings: PipelineSettings
    is_alone: bool

    async def find(self, sub: SubQuestion) -> Found:
        vector = await self._embed(sub)
        allowed = self.context.party_slugs
        if sub.party is None:
            return Found(sub, vector, tuple(await self._retrieve(sub, vector, allowed)))
        may_speak = not allowed or sub.party.slug in allowed
        if not self.is_alone:
            return Found(sub, vector, await self._own(sub, vector) if may_speak else ())
        anywhere = await self._retrieve(sub, vector, allowed)
        passages = tuple(each for each in anywhere if self._speaks_for(each, sub.party))
        if not passages and may_speak:
            passages = await self._own(sub, vector)
        return Found(sub, vector, passages, tuple(each for each in anywhere if each not in passages))

    async def _embed(self, sub: SubQuestion) -> Vectors | None:
        """Without a vector words alone still find something."""
        try:
            return await self.retriever.embed_question(sub.text)
        except Exception as error:
            logger.error("The question could not be embedded: %s", type(error).__name__)
            return None

    async def _own(self, sub: SubQuestion, vector: Vectors | None) -> tuple[Passage, ...]:
        """What the party itself has written."""
        return tuple(await self._retrieve(sub, vector, (sub.party.slug,) if sub.party else ()))

    async def _retrieve(
        self, sub: SubQuestion, vector: Vectors | None, party_slugs: tuple[str, ...]
    ) -> Sequence[Passage]:
        filters = SearchFilters(
            on=self.context.now.date(), includes_desk=self.context.includes_desk, party_slugs=party_slugs
        )
        preferred = (sub.party.slug,) if sub.party else ()
        query = SearchQuery(sub.text, filters, self.language, preferred, self.settings.top_k, vector)
        return await self.retriever.retrieve(query)

    def _speaks_for(self, passage: Passage, party: PartyName) -> bool:
        """The party's own words, or an article that names it. Another party's words never do."""
        source = passage.source
        if source.party_slug:
            return source.party_slug == party.slug
        return party in self.directory.named_in("\n".join((source.title, *passage.heading_path, passage.text)))
