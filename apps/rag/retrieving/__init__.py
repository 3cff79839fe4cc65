"""Fetches what a rule links, then asks the retriever: once, or once per party, always within what the server allows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

from apps.rag.desk import ExtraSearch, Handover, RuleMatch, RuleUse
from apps.rag.protocols import DeskShelf, Retriever
from apps.rag.retrieving.placing import asked_first, is_left_empty, placed, wanted_passages
from apps.rag.retrieving.searching import Search
from apps.rag.retrieving.types import EARLIER, Found, Retrieval, SearchFailedError, without_repeats
from apps.rag.settings import PipelineSettings
from apps.rag.types import AnswerContext
from apps.rag.understanding import PartyDirectory, SubQuestion, Understanding

__all__ = ["EARLIER", "Found", "Retrieval", "SearchFailedError", "find_all", "find_further", "without_repeats"]

logger = logging.getLogger(__name__)


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
    search = Search(understood, context, retriever, directory, settings, shelf, earlier)
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
    search = Search(understood, context, retriever, directory, settings, None)
    try:
        async with asyncio.timeout(settings.search_seconds), asyncio.TaskGroup() as group:
            tasks = [group.create_task(search.find(sub)) for sub in subs]
    except (ExceptionGroup, TimeoutError) as error:
        raise SearchFailedError from error
    return [task.result() for task in tasks]


async def _around(search: Search, rule: RuleMatch, handed: Handover) -> Retrieval:
    """Search as much beside a rule's documents as the rule says. A search that breaks leaves what the rule brought."""
    subs = search.understood.sub_questions
    stands_in = is_left_empty(rule, handed, search.context.now.date())
    if stands_in:
        rule = replace(rule, extra=ExtraSearch.ON)
    in_place = placed(handed.passages, search.understood, rule)
    wanted = [wanted_passages(rule, sub, handed.passages, len(subs), search.settings.passages_read) for sub in subs]
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
    found = [each for each in in_place if each.sub not in subs]
    added = 0
    for sub, one, most in zip(subs, searched, wanted, strict=True):
        own = next((each.desk for each in in_place if each.sub == sub), ())
        fresh = without_repeats(one.passages, handed.passages)[:most] if one else ()
        added += len(fresh)
        elsewhere = without_repeats(one.elsewhere, handed.passages) if one else ()
        found.append(Found(sub, fresh, elsewhere, own, was_searched=one is not None))
    found = asked_first(found, search.understood)
    was_searched = any(each is not None for each in searched)
    use = RuleUse(handed.cuts, searched=was_searched, added=added, stands_in=stands_in, search_broke=has_broken)
    return Retrieval(tuple(found), None, use=use, brought=handed.passages)
