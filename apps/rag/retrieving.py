"""Asks the retriever: once, or once per party in parallel, always within what the server allows."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from apps.rag.protocols import Retriever, Vectors
from apps.rag.settings import PipelineSettings
from apps.rag.types import AnswerContext, Passage, SearchFilters, SearchQuery
from apps.rag.understanding import PartyDirectory, PartyName, SubQuestion


@dataclass(frozen=True, slots=True)
class Found:
    """What one sub-question found, best first. ``elsewhere`` is near, but not the party's own or about it."""

    sub: SubQuestion
    vector: Vectors
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
        vector = await self.retriever.embed_question(sub.text)
        allowed = self.context.party_slugs
        if sub.party is None:
            return Found(sub, vector, tuple(await self._retrieve(sub, allowed)))
        own: Sequence[Passage] = ()
        if not allowed or sub.party.slug in allowed:
            own = await self._retrieve(sub, (sub.party.slug,))
        if not self.is_alone:
            return Found(sub, vector, tuple(own))
        anywhere = await self._retrieve(sub, allowed)
        about = [each for each in anywhere if not each.source.party_slug and self._is_about(each, sub.party)]
        return Found(sub, vector, self._merged(own, about), tuple(anywhere))

    async def _retrieve(self, sub: SubQuestion, party_slugs: tuple[str, ...]) -> Sequence[Passage]:
        filters = SearchFilters(
            on=self.context.now.date(), includes_desk=self.context.includes_desk, party_slugs=party_slugs
        )
        preferred = (sub.party.slug,) if sub.party else ()
        query = SearchQuery(sub.text, filters, self.language, preferred, self.settings.top_k)
        return await self.retriever.retrieve(query)

    def _is_about(self, passage: Passage, party: PartyName) -> bool:
        """An article speaks for a party only where it names it."""
        text = "\n".join((passage.source.title, *passage.heading_path, passage.text))
        return party in self.directory.named_in(text)

    def _merged(self, own: Sequence[Passage], about: Sequence[Passage]) -> tuple[Passage, ...]:
        both = {passage.chunk_id: passage for passage in (*about, *own)}
        ranked = sorted(both.values(), key=lambda each: -(each.scores.reranked or each.scores.fused))
        return tuple(ranked[: self.settings.top_k])
