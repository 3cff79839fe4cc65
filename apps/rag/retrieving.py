"""Fetches what a rule links, then asks the retriever: once, or once per party, always within what the server allows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from apps.rag.desk import AskedLinks, DeskLink, ExtraSearch, Handover, RuleMatch, RuleUse, TextKind
from apps.rag.protocols import DeskShelf, Retriever, Vectors
from apps.rag.settings import PipelineSettings
from apps.rag.types import AnswerContext, Passage, SearchFilters, SearchQuery
from apps.rag.understanding import PartyDirectory, PartyName, SubQuestion, Understanding

logger = logging.getLogger(__name__)

# Why a passage is there that was evidence in an earlier turn.
EARLIER: Final = "earlier"


@dataclass(frozen=True, slots=True)
class Found:
    """What one sub-question found, best first. ``elsewhere`` is near, but not the party's own or about it.

    ``desk`` is what a rule has brought for it, in the editors' order. ``aside`` it has brought too: words of parties
    that nobody asked about, where those that were speak as well. ``was_searched`` is False where a rule alone answers.
    ``further`` are chunks that are read wherever they stand: a second search has brought them, or an aspect needs them.
    """

    sub: SubQuestion
    passages: tuple[Passage, ...]
    elsewhere: tuple[Passage, ...] = ()
    desk: tuple[Passage, ...] = ()
    aside: tuple[Passage, ...] = ()
    was_searched: bool = True
    further: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Everything fetched for a question. ``vector`` is the question's; ``use`` is None without a rule.

    ``brought`` are all passages of a rule in the editors' order, whichever sub-question they serve. ``aspect_vectors``
    has one for each aspect of a question that has several.
    """

    found: tuple[Found, ...]
    vector: Vectors | None
    links: tuple[DeskLink, ...] = ()
    use: RuleUse | None = None
    brought: tuple[Passage, ...] = ()
    aspect_vectors: tuple[Vectors | None, ...] = ()


class SearchFailedError(Exception):
    """The search broke or took too long."""


async def find_all(
    understood: Understanding,
    context: AnswerContext,
    retriever: Retriever,
    directory: PartyDirectory,
    settings: PipelineSettings,
    *,
    rule: RuleMatch | None = None,
    shelf: DeskShelf | None = None,
    earlier: tuple[int, ...] = (),
) -> Retrieval:
    """Search for every sub-question at the same time, after what a rule brings, and look up the desk's links.

    ``earlier`` are chunks behind what the bot has offered: they are candidates beside what search finds.
    Raises SearchFailedError when nothing can be fetched; leaves no task behind.
    """
    search = _Search(understood, context, retriever, directory, settings, shelf, earlier)
    subs = understood.sub_questions
    try:
        async with asyncio.timeout(settings.search_seconds), asyncio.TaskGroup() as group:
            links = group.create_task(search.links(rule))
            vector = group.create_task(search.embed(understood.topic))
            several = understood.aspects if len(understood.aspects) > 1 else ()
            parts = [group.create_task(search.embed(aspect.query)) for aspect in several]
            ruled = rule is not None and bool(rule.hits)
            searches = [] if ruled else [group.create_task(search.find(sub)) for sub in subs]
            handing = group.create_task(search.hand_over(rule, vector)) if rule and ruled else None
    except (ExceptionGroup, TimeoutError) as error:
        raise SearchFailedError from error
    if rule is None or handing is None:
        around = Retrieval(tuple(task.result() for task in searches), None)
    else:
        around = await _around(search, rule, handing.result())
    vectors = tuple(part.result() for part in parts)
    return replace(around, vector=vector.result(), links=links.result(), aspect_vectors=vectors)


async def find_further(
    understood: Understanding,
    subs: Sequence[SubQuestion],
    context: AnswerContext,
    retriever: Retriever,
    directory: PartyDirectory,
    settings: PipelineSettings,
) -> list[Found]:
    """Search once more, within the same limits: for what a first search has not found. Raises SearchFailedError."""
    search = _Search(understood, context, retriever, directory, settings, None)
    try:
        async with asyncio.timeout(settings.search_seconds), asyncio.TaskGroup() as group:
            tasks = [group.create_task(search.find(sub)) for sub in subs]
    except (ExceptionGroup, TimeoutError) as error:
        raise SearchFailedError from error
    return [task.result() for task in tasks]


async def _around(search: _Search, rule: RuleMatch, handed: Handover) -> Retrieval:
    """Search as much beside a rule's documents as the rule says. A search that breaks leaves what the rule brought."""
    subs = search.understood.sub_questions
    stands_in = _is_left_empty(rule, handed, search.context.now.date())
    if stands_in:
        rule = replace(rule, extra=ExtraSearch.ON)
    placed = _placed(handed.passages, search.understood, rule)
    wanted = [_wanted(rule, sub, handed.passages, len(subs), search.settings.passages_read) for sub in subs]
    try:
        async with asyncio.timeout(search.settings.search_seconds), asyncio.TaskGroup() as group:
            tasks = [
                None if most == 0 else group.create_task(search.find(sub))
                for sub, most in zip(subs, wanted, strict=True)
            ]
        searched, has_broken = [task.result() if task else None for task in tasks], False
    except (ExceptionGroup, TimeoutError) as error:
        if not handed.passages:
            raise SearchFailedError from error
        logger.error("The search beside a rule broke; the rule's documents answer alone: %s", type(error).__name__)
        searched, has_broken = [None for _ in subs], True
    found = [each for each in placed if each.sub not in subs]
    added = 0
    for sub, one, most in zip(subs, searched, wanted, strict=True):
        own = next((each.desk for each in placed if each.sub == sub), ())
        fresh = without_repeats(one.passages, handed.passages)[:most] if one else ()
        added += len(fresh)
        elsewhere = without_repeats(one.elsewhere, handed.passages) if one else ()
        found.append(Found(sub, fresh, elsewhere, own, was_searched=one is not None))
    found = _asked_first(found, search.understood)
    was_searched = any(each is not None for each in searched)
    use = RuleUse(handed.cuts, searched=was_searched, added=added, stands_in=stands_in, search_broke=has_broken)
    return Retrieval(tuple(found), None, use=use, brought=handed.passages)


def _is_left_empty(rule: RuleMatch, handed: Handover, on: date) -> bool:
    """Say whether a rule that wants no search has nothing to show on a day: its documents are gone or still being read.

    Its readers should not be worse off than without it. The desk's own text is something to show.
    """
    if rule.extra is not ExtraSearch.OFF or handed.passages or not any(hit.documents for hit in rule.hits):
        return False
    return not (rule.answer and rule.answer.is_desk_text and rule.answer.is_shown(on))


def _placed(passages: Sequence[Passage], understood: Understanding, rule: RuleMatch) -> list[Found]:
    """Give a rule's passages to the sub-questions: each compared party its own words, the rest to nobody's."""
    subs = understood.sub_questions
    if rule.text_kind is TextKind.SUB_QUESTION or not understood.compares:
        holder = next((sub for sub in subs if sub.text == rule.text), subs[0])
        return [Found(holder, (), desk=tuple(passages))] if passages else []
    owners = {sub.party.slug: sub for sub in subs if sub.party}
    common = SubQuestion(rule.text)
    held: dict[SubQuestion, list[Passage]] = {common: []}
    for passage in passages:
        held.setdefault(owners.get(passage.source.party_slug, common), []).append(passage)
    return [Found(sub, (), desk=tuple(own)) for sub, own in held.items() if own]


def _asked_first(found: Sequence[Found], understood: Understanding) -> list[Found]:
    """Put the words of other parties aside where those that were asked about have words of their own.

    A rule on a subject links every party's programme: asked about one, it must not answer with another. A rule that
    links nothing else is taken at its word.
    """
    asked = {party.slug for party in understood.parties}
    if not any(each.source.party_slug in asked for one in found for each in (*one.desk, *one.passages)):
        return list(found)
    return [
        replace(
            one,
            desk=tuple(each for each in one.desk if each.source.party_slug in {"", *asked}),
            aside=tuple(each for each in one.desk if each.source.party_slug not in {"", *asked}),
        )
        for one in found
    ]


def _wanted(rule: RuleMatch, sub: SubQuestion, brought: Sequence[Passage], subs: int, fewest: int) -> int | None:
    """Return how many passages search may add for a sub-question: None is no limit, 0 is no search.

    A rule that matched one sub-question leaves the others as they are. A party that is asked about and has no words in
    what the rule brought gets at least ``fewest`` where any are wanted: a rule must not silence it by being full.
    """
    if rule.extra is ExtraSearch.ON or (rule.text_kind is TextKind.SUB_QUESTION and sub.text != rule.text):
        return None
    if rule.extra is ExtraSearch.OFF:
        return 0
    rest = max(0, rule.fill_up_to - len(brought))
    share = rest if rule.text_kind is TextKind.SUB_QUESTION else rest // subs
    speaks = sub.party is None or any(each.source.party_slug == sub.party.slug for each in brought)
    return share if speaks else max(share, fewest)


def without_repeats(passages: Iterable[Passage], before: Iterable[Passage]) -> tuple[Passage, ...]:
    """Return the passages that are not among those ``before``, neither as a chunk nor as the same text."""
    known = list(before)
    chunks, texts = {passage.chunk_id for passage in known}, {passage.text for passage in known}
    return tuple(each for each in passages if each.chunk_id not in chunks and each.text not in texts)


def _merged(found: Sequence[Passage], recalled: Sequence[Passage]) -> Sequence[Passage]:
    """Put what was evidence before among what is found now, by the same score."""
    fresh = [replace(passage, reason=EARLIER) for passage in without_repeats(recalled, found)]
    return sorted((*found, *fresh), key=lambda passage: -passage.scores.reranked) if fresh else found


@dataclass(frozen=True, slots=True)
class _Search:
    understood: Understanding
    context: AnswerContext
    retriever: Retriever
    directory: PartyDirectory
    settings: PipelineSettings
    shelf: DeskShelf | None
    earlier: tuple[int, ...] = ()

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

    async def _retrieve(self, sub: SubQuestion, party_slugs: tuple[str, ...]) -> Sequence[Passage]:
        preferred = (sub.party.slug,) if sub.party else ()
        filters = self._filters(party_slugs)
        wanted = self.understood.wanted
        query = SearchQuery(sub.text, filters, self.understood.language, preferred, self.settings.top_k, wanted)
        found = await self.retriever.retrieve(query)
        return _merged(found, await self._recalled(query)) if self.earlier else found

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
