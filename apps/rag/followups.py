"""Follow-up questions below an answer. None is offered before evidence for it was found, by the search readers use."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final

from apps.language.normalising import normalise
from apps.rag.events import Done, Event, Notice
from apps.rag.extracting import choose
from apps.rag.followup_candidates import SAID, Candidate, Ending, adds, asked_before, may_be_offered, on_the_subject
from apps.rag.followup_model import ModelWording
from apps.rag.followup_texts import about_all_parties, about_heading
from apps.rag.judging import Reading
from apps.rag.protocols import Outline
from apps.rag.refusal import RefusalCode
from apps.rag.remembering import shown_of
from apps.rag.settings import PipelineSettings
from apps.rag.types import NoticeKind, Source
from apps.rag.understanding import PartyDirectory, PartyName, SubQuestion, Understanding, understand
from apps.rag.writing import TurnClock

logger = logging.getLogger(__name__)

OFFER: Final = "offer"
_OPINION: Final = "opinion"
_SHOWN_SOURCES: Final = 2
# Parties are looked up two at a time until one has something to say.
_AT_ONCE: Final = 2
_EVIDENCE_EACH: Final = 2
# Refusals after which something may be offered: the subject is ours, only this question has no answer.
_NEAR: Final = frozenset({RefusalCode.NOT_ENOUGH.value, RefusalCode.WRONG_PARTY.value})

Look = Callable[[Understanding], Awaitable[Sequence[Reading]]]


class Room:
    """How many turns of this process may look for follow-ups at once: whoever waits for an answer goes first.

    ``most`` turns may look at once, and none may while more than ``most_waiting`` turns wait for their own search:
    looking for follow-ups costs as much as an answer.
    """

    def __init__(self, most: int = 1, most_waiting: int = 1) -> None:
        self._places = threading.BoundedSemaphore(most)
        self._most_waiting = most_waiting
        self._lock = threading.Lock()
        self._waiting: set[object] = set()

    def wait(self, turn: object) -> None:
        """Note that a turn is searched for."""
        with self._lock:
            self._waiting.add(turn)

    def has_found(self, turn: object) -> None:
        """Note that the search of a turn is over, or its reader gone; may be called more than once."""
        with self._lock:
            self._waiting.discard(turn)

    @property
    def is_crowded(self) -> bool:
        """Whether too many wait."""
        return len(self._waiting) > self._most_waiting

    def enter(self) -> bool:
        """Take a place, without waiting; False when there is none. Whoever got one leaves."""
        return not self.is_crowded and self._places.acquire(blocking=False)

    def leave(self) -> None:
        """Give a place back."""
        self._places.release()


@dataclass(frozen=True, slots=True)
class _Offered:
    """The follow-ups of a turn; ``is_whole`` is False where there was no time or room to look for all."""

    notice: Notice | None = None
    is_whole: bool = True


class FollowUps:
    """Looks for follow-up questions and for their evidence."""

    def __init__(
        self,
        directory: PartyDirectory,
        settings: PipelineSettings,
        outline: Outline | None = None,
        room: Room | None = None,
        wording: ModelWording | None = None,
    ) -> None:
        self._directory = directory
        self._settings = settings
        self._outline = outline
        self._room = room or Room()
        self._wording = wording

    async def behind(
        self, events: AsyncGenerator[Event, None], ending: Ending, look: Look, turn: TurnClock
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of an answer, and before its end what is offered: nothing of the answer waits for that."""
        past: list[Event] = []
        async with aclosing(events):
            async for event in events:
                if isinstance(event, Done):
                    with turn.timed("offer"):
                        offered = await self._offered(replace(ending, shown=tuple(shown_of(past))), look)
                    if offered.notice is not None:
                        yield offered.notice
                    yield replace(turn.done(event.outcome), is_whole=offered.is_whole)
                else:
                    past.append(event)
                    yield event

    async def _offered(self, ending: Ending, look: Look) -> _Offered:
        """Return what may be offered, no later than the settings say; never raises.

        ``look`` is the search with its judgment. A process that is busy offers nothing.
        """
        if (ending.refusal and ending.refusal not in _NEAR) or not self._settings.offer_seconds:
            return _Offered()
        if self._room.is_crowded:
            # Before a model is asked for something that nobody would look for.
            return _Offered(is_whole=False)
        found: dict[str, tuple[int, ...]] = {}
        is_whole = False
        try:
            is_whole = await self._search(ending, await self._likely(ending), look, found)
        except TimeoutError:
            logger.info("The time for follow-ups is over; %d were found.", len(found))
        except Exception as error:
            logger.error("Follow-ups could not be looked for: %s", type(error).__name__)
        if not found:
            return _Offered(is_whole=is_whole)
        chunks = dict.fromkeys(chunk for each in found.values() for chunk in each)
        return _Offered(Notice(NoticeKind.OFFER, OFFER, choices=tuple(found), evidence=tuple(chunks)), is_whole)

    async def _search(
        self, ending: Ending, likely: Sequence[Candidate], look: Look, found: dict[str, tuple[int, ...]]
    ) -> bool:
        """Look for evidence where there is room, and say whether there was; raises TimeoutError after its time."""
        if not self._room.enter():
            return False
        try:
            async with asyncio.timeout(self._settings.offer_seconds):
                return await self._collect(ending, likely, look, found)
        finally:
            self._room.leave()

    async def _collect(
        self, ending: Ending, likely: Sequence[Candidate], look: Look, found: dict[str, tuple[int, ...]]
    ) -> bool:
        """Put what may be offered into ``found``, as soon as it is known; say whether all could be looked for."""
        asked = asked_before(ending)
        checked = 0
        for candidate in [*likely, *await self._neighbours(ending)]:
            key = normalise(candidate.text)
            if len(found) >= self._settings.offers or checked >= self._settings.offers_checked:
                return True
            if self._room.is_crowded:
                return False
            if key in asked or not may_be_offered(candidate.text, ending, self._directory, names=candidate.is_own):
                continue
            asked.add(key)
            checked += 1
            evidence = await self._evidence(candidate, ending, look)
            if evidence:
                found[candidate.text] = evidence
        return True

    async def _likely(self, ending: Ending) -> list[Candidate]:
        """What a rule brings, what the other parties say, then what a model suggests."""
        candidates = [Candidate(text, is_own=True) for text in ending.own]
        others = self._others(ending)
        text = about_all_parties(ending.query, ending.language, self._directory) if others else ""
        if text:
            candidates.append(Candidate(text, others))
        suggested = await self._wording.suggest(ending) if self._wording else []
        return [*candidates, *(Candidate(text) for text in suggested)]

    def _others(self, ending: Ending) -> tuple[PartyName, ...]:
        """The parties that were neither asked about nor heard, where any was: their turn is not a matter of rank."""
        heard = {sentence.group for sentence in ending.sentences} - {""}
        asked = set(ending.understood.parties)
        if not heard and not asked:
            return ()
        return tuple(each for each in self._directory.parties if each not in asked and each.name not in heard)

    async def _neighbours(self, ending: Ending) -> list[Candidate]:
        """The sections that follow what was shown, then those on the subject that were found beside it."""
        shown = [(each.source, each.heading_path) for sentence in ending.sentences for each in sentence.citations]
        following = [
            (source, path)
            for source, before in list(dict.fromkeys(shown))[:_SHOWN_SOURCES]
            if self._outline is not None and before and not source.party_slug
            for path in await self._outline.following(source, before)
        ]
        # A chapter of a programme goes from one subject to the next: there only what speaks of this one.
        beside = [(each.source, each.heading_path) for each in on_the_subject(ending)]
        seen = {path for _, path in shown}
        return [
            Candidate(text, path=path)
            for source, path in dict.fromkeys((*following, *beside))
            if path
            and path not in seen
            and self._may_be_named(source, ending)
            and adds(path[-1], ending)
            and (text := about_heading(path, source, ending.query, ending.language, self._directory))
        ]

    def _may_be_named(self, source: Source, ending: Ending) -> bool:
        """A party's own section only where that party alone was asked about; no opinions; the reader's language."""
        if source.language != ending.language or source.kind == _OPINION:
            return False
        return not source.party_slug or [each.slug for each in ending.understood.parties] == [source.party_slug]

    async def _evidence(self, candidate: Candidate, ending: Ending, look: Look) -> tuple[int, ...]:
        """Return the chunks that answer a candidate with something that was not shown; empty when there are none."""
        understood = understand(
            candidate.text, ending.language, self._directory, at_most=self._settings.parties_compared
        )
        shown = {normalise(sentence.text) for sentence in ending.sentences}
        for part in _in_turns(understood, candidate.parties):
            chunks = [
                chunk
                for reading in await look(part)
                if not candidate.parties or reading.found.sub.party in candidate.parties
                for chunk in self._new(reading, candidate, shown)
            ]
            if chunks:
                return tuple(dict.fromkeys(chunks))[:_EVIDENCE_EACH]
        return ()

    def _new(self, reading: Reading, candidate: Candidate, shown: set[str]) -> list[int]:
        """The chunks of a reading that suffices, where they say something new on what the candidate names."""
        evidence = reading.evidence
        if reading.verdict.refusal is not None:
            return []
        chosen = choose(evidence, self._settings.sentences_per_party, self._settings)
        fresh = [each for each in chosen if normalise(each.text) not in shown]
        if not fresh or (candidate.path and not any(each.passage.heading_path == candidate.path for each in fresh)):
            return []
        is_foreign = evidence.passages[0].source.language != evidence.language
        # A judgment that is right in most cases is not enough to send a reader there.
        said = 1.0 if is_foreign or candidate.path else evidence.coverage.share(*(each.matches for each in fresh))
        return [each.passage.chunk_id for each in fresh] if said >= SAID else []


def _in_turns(understood: Understanding, parties: Sequence[PartyName]) -> Iterator[Understanding]:
    """The whole question; of one about all parties, a few of those that could add something at a time."""
    if not parties or not understood.compares:
        yield understood
        return
    subs = [sub for sub in understood.sub_questions if sub.party in parties]
    for at in range(0, len(subs), _AT_ONCE):
        part: tuple[SubQuestion, ...] = tuple(subs[at : at + _AT_ONCE])
        if len(part) < _AT_ONCE:
            # One alone would be searched like a question about one party.
            part += tuple(sub for sub in understood.sub_questions if sub not in part)[: _AT_ONCE - len(part)]
        yield replace(understood, sub_questions=part)
