"""One search for one sub-question, always within what the server allows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from apps.rag.desk import AskedLinks, DeskLink, Handover, RuleMatch
from apps.rag.opinions import OPINION
from apps.rag.protocols import DeskShelf, Retriever, Vectors
from apps.rag.retrieving.types import EARLIER, Found, without_repeats
from apps.rag.settings import PipelineSettings
from apps.rag.types import AnswerContext, Passage, SearchFilters, SearchQuery
from apps.rag.understanding import PartyDirectory, PartyName, SubQuestion, Understanding

logger = logging.getLogger(__name__)

# So many commentaries are read beside what else was found.
_VIEWS: Final = 2


def with_recalled(found: Sequence[Passage], recalled: Sequence[Passage]) -> Sequence[Passage]:
    """Put what was evidence before among what is found now, by the same score."""
    fresh = [replace(passage, reason=EARLIER) for passage in without_repeats(recalled, found)]
    return sorted((*found, *fresh), key=lambda passage: -passage.scores.reranked) if fresh else found


def best_of(found: Sequence[Passage], more: Sequence[Passage], *, at_most: int) -> tuple[Passage, ...]:
    """Return the best of two searches by the same score, each chunk and text once."""
    together = (*found, *without_repeats(more, found))
    return tuple(sorted(together, key=lambda passage: -passage.scores.reranked)[:at_most])


@dataclass(frozen=True, slots=True)
class Search:
    understood: Understanding
    context: AnswerContext
    retriever: Retriever
    directory: PartyDirectory
    settings: PipelineSettings
    shelf: DeskShelf | None
    earlier: tuple[int, ...] = ()

    async def find(self, sub: SubQuestion) -> Found:
        """What was found for one sub-question. Where a commentary is asked about, commentaries are looked for apart."""
        if not self.understood.wants_commentary:
            return await self._found(sub)
        async with asyncio.TaskGroup() as group:
            finding = group.create_task(self._found(sub))
            reading = group.create_task(self._retrieve(sub, self.context.party_slugs, kinds=(OPINION,)))
        found = finding.result()
        views = [each for each in reading.result() if sub.party is None or self._speaks_for(each, sub.party)]
        return replace(found, passages=best_of(views[:_VIEWS], found.passages, at_most=self.settings.top_k + _VIEWS))

    async def _found(self, sub: SubQuestion) -> Found:
        allowed = self.context.party_slugs
        if sub.party is None:
            return Found(sub, tuple(await self._retrieve(sub, allowed)))
        may_speak = not allowed or sub.party.slug in allowed
        if self.understood.compares:
            return Found(sub, await self._own(sub) if may_speak else ())
        is_own = allowed == (sub.party.slug,)
        async with asyncio.TaskGroup() as group:
            searching = group.create_task(self._retrieve(sub, allowed))
            # Among the best of all parties there may be few of the one that is asked about.
            reading = group.create_task(self._own(sub)) if may_speak and not is_own else None
        anywhere, own = searching.result(), reading.result() if reading else ()
        speaking = [each for each in anywhere if self._speaks_for(each, sub.party)]
        passages = best_of(speaking, own, at_most=self.settings.top_k)
        return Found(sub, passages, without_repeats(anywhere, speaking))

    async def embed(self, text: str) -> Vectors | None:
        """A question's vector, without the names of parties: no programme speaks of itself by its name."""
        try:
            async with asyncio.timeout(self.settings.embed_seconds):
                return await self.retriever.embed_question(text)
        except Exception as error:
            logger.error("The question could not be embedded: %s", type(error).__name__)
            return None

    async def hand_over(self, rule: RuleMatch, vector: asyncio.Task[Vectors | None]) -> Handover:
        """What the rule links. The server's limits hold for it as for every search."""
        if self.shelf is None or not any(hit.documents for hit in rule.hits):
            return Handover()
        understood, filters = self.understood, self._filters(self.context.party_slugs)
        query = SearchQuery(understood.topic, filters, understood.language, wanted=understood.wanted)
        return await self.shelf.hand_over(rule, query, await vector)

    async def links(self, rule: RuleMatch | None) -> tuple[DeskLink, ...]:
        """What the desk recommends on the rule and on the parties; nothing when that cannot be looked up."""
        parties = tuple(party.slug for party in self.understood.parties)
        asked = AskedLinks(self.context.now.date(), rule.links if rule else (), parties, self.settings.links_per_party)
        if self.shelf is None or not (asked.addresses or asked.party_slugs):
            return ()
        try:
            return tuple(await self.shelf.links(asked))
        except Exception as error:
            logger.error("The desk's links could not be looked up: %s", type(error).__name__)
            return ()

    async def _own(self, sub: SubQuestion) -> tuple[Passage, ...]:
        """What the party itself has written."""
        return tuple(await self._retrieve(sub, (sub.party.slug,) if sub.party else ()))

    async def _retrieve(
        self, sub: SubQuestion, party_slugs: tuple[str, ...], kinds: tuple[str, ...] = ()
    ) -> Sequence[Passage]:
        preferred = (sub.party.slug,) if sub.party else ()
        filters = replace(self._filters(party_slugs), kinds=kinds)
        wanted = self.understood.wanted
        query = SearchQuery(sub.text, filters, self.understood.language, preferred, self.settings.top_k, wanted)
        found = await self.retriever.retrieve(query)
        return with_recalled(found, await self._recalled(query)) if self.earlier else found

    async def _recalled(self, query: SearchQuery) -> Sequence[Passage]:
        """What an offer rested on, within the same limits; without it the search still answers."""
        try:
            return await self.retriever.recall(query, self.earlier)
        except Exception as error:
            logger.error("The evidence of the turn before could not be fetched: %s", type(error).__name__)
            return ()

    def _filters(self, party_slugs: tuple[str, ...]) -> SearchFilters:
        return SearchFilters(
            on=self.context.now.date(), includes_desk=self.context.includes_desk, party_slugs=party_slugs
        )

    def _speaks_for(self, passage: Passage, party: PartyName) -> bool:
        """The party's own words, or an article that names it. Another party's words never do."""
        source = passage.source
        if source.party_slug:
            return source.party_slug == party.slug
        return party in self.directory.named_in("\n".join((source.title, *passage.heading_path, passage.text)))
