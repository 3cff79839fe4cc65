"""When a second search is worth its time: it looks for what nothing found so far speaks of, once a turn.

That is the missing aspects where too few are covered, and otherwise what a verdict misses in the passages: words of
the question, a figure, a date. What it brings is read behind the best of the first search; then everything is judged
again. Nothing it does can cost an answer: where it breaks, what was found before stands, and so it does where what was
found for a gap answers no better.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from apps.rag.aspects import LOW_COVERAGE, CoveredAspect, coverage_ratio
from apps.rag.covering import cover, with_aspects_first
from apps.rag.judging import Reading
from apps.rag.lacking import OTHER_WORDS, Wanted, better, gaps_in, surely
from apps.rag.parts import Part, Parts
from apps.rag.protocols import Offload, Retriever
from apps.rag.retrieving import Found, Retrieval, SearchFailedError, find_further, without_repeats
from apps.rag.settings import PipelineSettings
from apps.rag.types import AnswerContext, Passage
from apps.rag.understanding import PartyDirectory, SubQuestion, Understanding

logger = logging.getLogger(__name__)

ReadAgain = Callable[[Understanding, Retrieval], Awaitable[list[Reading]]]


class RequeryCause(StrEnum):
    """Why it was searched once more."""

    # Too few aspects of the question are covered.
    COVERAGE = "coverage"
    # Enough of them are, but a verdict misses something that was asked for.
    GAP = "gap"


class RequeryOutcome(StrEnum):
    """What became of the wish to search once more."""

    SEARCHED = "searched"
    NOTHING_NEW = "nothing_new"
    # Something new was found for a gap, and does not close it: it is left out again.
    NO_BETTER = "no_better"
    FAILED = "failed"
    # Editors want their own documents and nothing else.
    RULE_FORBIDS = "rule_forbids"


@dataclass(frozen=True, slots=True)
class Requery:
    """A second search, or why there was none: what was missing, and the ratio of aspects before and after.

    ``aspects`` are parts of the question; for a gap, its words that stand nowhere.
    """

    outcome: RequeryOutcome
    aspects: tuple[str, ...]
    before: float
    after: float
    cause: RequeryCause = RequeryCause.COVERAGE

    @property
    def record(self) -> Mapping[str, object]:
        """Return it as the signals carry it."""
        return {
            "cause": self.cause.value,
            "outcome": self.outcome.value,
            "aspects": list(self.aspects),
            "before": self.before,
            "after": self.after,
        }


class Requerier:
    """Covers the aspects of a question, searches once for missing ones, and judges again. Holds no state of a turn."""

    def __init__(
        self, retriever: Retriever, directory: PartyDirectory, settings: PipelineSettings, offload: Offload
    ) -> None:
        self._retriever = retriever
        self._directory = directory
        self._settings = settings
        self._offload = offload

    async def complete(self, parts: Parts, context: AnswerContext, read: ReadAgain) -> tuple[Parts, Requery | None]:
        """Return the parts with their aspects covered as well as can be; the second is None where nothing was missing.

        ``read`` reads and judges one part anew.
        """
        first = await self._covered(parts)
        before = coverage_ratio(first.covered)
        if before >= LOW_COVERAGE:
            return await self._closed(first, before, context, read)
        missing = tuple(each.text for each in first.covered if not each.is_covered)
        wanted = _wanted(first, self._settings.further_searches)
        if not wanted:
            outcome = RequeryOutcome.RULE_FORBIDS
            return await self._spoken_of(first, read), Requery(outcome, missing, before, before)
        try:
            found = await self._search(first, wanted, context)
        except SearchFailedError as error:
            logger.error("The second search broke: %s", type(error.__cause__).__name__)
            return await self._spoken_of(first, read), Requery(RequeryOutcome.FAILED, missing, before, before)
        merged = _merged(first, wanted, found, self._settings)
        if merged is None:
            return await self._spoken_of(first, read), Requery(RequeryOutcome.NOTHING_NEW, missing, before, before)
        again = surely(first, await self._covered(await _read_again(merged, first, read)))
        second = Requery(RequeryOutcome.SEARCHED, missing, before, coverage_ratio(again.covered))
        return await self._spoken_of(again, read), second

    async def _closed(
        self, first: Parts, before: float, context: AnswerContext, read: ReadAgain
    ) -> tuple[Parts, Requery | None]:
        """Search for what verdicts miss though enough is covered; only what closes a gap is kept of it."""
        wanted = gaps_in(first)[: self._settings.further_searches]
        if not wanted:
            return await self._spoken_of(first, read), None
        missing = tuple(dict.fromkeys(word for each in wanted for word in each.missing))
        outcome, closed = RequeryOutcome.NOTHING_NEW, first
        try:
            merged = _merged(first, wanted, await self._search(first, wanted, context), self._settings)
        except SearchFailedError as error:
            logger.error("The search for a gap broke: %s", type(error.__cause__).__name__)
            merged, outcome = None, RequeryOutcome.FAILED
        if merged is not None:
            closed = better(first, await self._covered(await _read_again(merged, first, read)))
            outcome = RequeryOutcome.NO_BETTER if closed == first else RequeryOutcome.SEARCHED
        after = coverage_ratio(closed.covered)
        return await self._spoken_of(closed, read), Requery(outcome, missing, before, after, RequeryCause.GAP)

    async def _covered(self, parts: Parts) -> Parts:
        def work() -> Parts:
            return Parts(
                tuple(replace(each, covered=cover(each, self._directory, self._settings)) for each in parts.parts)
            )

        return await self._offload(work)

    async def _search(self, parts: Parts, wanted: Sequence[Wanted], context: AnswerContext) -> list[Found]:
        found: list[Found] = []
        for place in dict.fromkeys(each.part for each in wanted):
            subs = [each.sub for each in wanted if each.part == place]
            understood = parts.parts[place].understood
            found += await find_further(understood, subs, context, self._retriever, self._directory, self._settings)
        return found

    async def _spoken_of(self, parts: Parts, read: ReadAgain) -> Parts:
        """Let the answer speak of every covered aspect: the passage that does is read, and its sentence comes first."""
        promoted = Parts(tuple(_promoted(part) for part in parts.parts))
        reread = await _read_again(promoted, parts, read)
        return Parts(tuple(_settled(with_aspects_first(part)) for part in reread.parts))


async def _read_again(parts: Parts, before: Parts, read: ReadAgain) -> Parts:
    """Read those parts anew whose passages are others than before."""
    done = []
    for part, old in zip(parts.parts, before.parts, strict=True):
        if part.retrieval.found == old.retrieval.found:
            done.append(part)
        else:
            done.append(replace(part, readings=tuple(await read(part.understood, part.retrieval))))
    return Parts(tuple(done))


def _wanted(parts: Parts, at_most: int) -> list[Wanted]:
    """What to look for, in the order of the question; nothing where a rule alone answers."""
    wanted = []
    for place, part in enumerate(parts.parts):
        for each in part.covered:
            if each.is_covered:
                continue
            reading = _reading_of(part, each)
            if reading is not None and part.readings[reading].found.was_searched:
                party = part.readings[reading].found.sub.party
                other = part.readings[reading].verdict.other_words
                wanted.append(Wanted(place, reading, SubQuestion(_query(part, each, other), party)))
    return wanted[:at_most]


def _reading_of(part: Part, covered: CoveredAspect) -> int | None:
    """Return the place of the reading that an aspect belongs to: its party's, else the first that was searched."""
    for place, reading in enumerate(part.readings):
        party = reading.found.sub.party
        if covered.party_slug and (party is None or party.slug != covered.party_slug):
            continue
        if reading.found.was_searched or len(part.readings) == 1:
            return place
    return None


def _query(part: Part, covered: CoveredAspect, other_words: Sequence[str]) -> str:
    """The words of one aspect; for a question of one, its bare words: as it was asked, it was searched already.

    ``other_words`` are what sources may call the words that the first search has not found.
    """
    aspect = covered.aspect
    if len(part.understood.aspects) > 1:
        return aspect.query
    bare = " ".join((*aspect.own, *aspect.shared)) or aspect.query
    return " ".join((bare, *other_words[:OTHER_WORDS]))


def _merged(parts: Parts, wanted: Sequence[Wanted], found: Sequence[Found], settings: PipelineSettings) -> Parts | None:
    """Put what was found behind the first search's passages, to be read as well; None where nothing of it is new."""
    fresh: dict[tuple[int, int], list[Passage]] = {}
    for each, one in zip(wanted, found, strict=True):
        part = parts.parts[each.part]
        read = part.readings[each.reading].evidence.passages
        held = fresh.setdefault((each.part, each.reading), [])
        held += without_repeats(one.passages, (*read, *held))[: settings.further_passages]
    if not any(fresh.values()):
        return None
    return Parts(
        tuple(
            _with_further(part, [fresh.get((place, at), []) for at in range(len(part.readings))])
            for place, part in enumerate(parts.parts)
        )
    )


def _promoted(part: Part) -> Part:
    """Let the passages that speak of an aspect be read, wherever they stand in the list."""
    chunks = {each.best[0] for each in part.covered if each.is_covered and each.best}
    unread = []
    for reading in part.readings:
        read = {passage.chunk_id for passage in reading.evidence.passages}
        unread.append([each for each in reading.found.passages if each.chunk_id in chunks - read])
    return _with_further(part, unread)


def _with_further(part: Part, further: Sequence[Sequence[Passage]]) -> Part:
    """Have further passages read for each reading; new ones come last in the list."""
    founds = [
        replace(
            found,
            passages=(*found.passages, *without_repeats(more, found.passages)),
            further=found.further | {each.chunk_id for each in more},
        )
        if more
        else found
        for found, more in zip(part.retrieval.found, further, strict=True)
    ]
    return replace(part, retrieval=replace(part.retrieval, found=tuple(founds)))


def _settled(part: Part) -> Part:
    """Nobody is shown a gap: it was searched."""
    readings = tuple(replace(each, verdict=each.verdict.settled()) for each in part.readings)
    return replace(part, readings=readings)
