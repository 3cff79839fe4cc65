"""Follow-up questions below an answer. None is offered before evidence for it was found, by the search readers use."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final

from apps.language.normalising import normalise
from apps.rag.events import Done, Event, Notice, Restart, Sentence
from apps.rag.extracting import choose
from apps.rag.followup_texts import about_all_parties, about_heading, fits
from apps.rag.judging import Reading
from apps.rag.protocols import Outline
from apps.rag.refusal import RefusalCode
from apps.rag.rewriting.rules import rewrite
from apps.rag.rewriting.types import PastTurn, RewriteContext
from apps.rag.routing import route
from apps.rag.settings import PipelineSettings
from apps.rag.types import Decision, NoticeKind, Passage, Source
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


@dataclass(frozen=True, slots=True)
class Ending:
    """A turn that is about to end. ``past`` are the turns before it, ``own`` are follow-ups that a rule brings.

    ``passages`` are those that it found, ``shown`` what its reader sees.
    """

    query: str
    language: str
    past: RewriteContext
    understood: Understanding
    passages: tuple[Passage, ...]
    shown: tuple[Event, ...] = ()
    own: tuple[str, ...] = ()

    @property
    def sentences(self) -> list[Sentence]:
        return [event for event in self.shown if isinstance(event, Sentence)]

    @property
    def refusal(self) -> str:
        """The code of the refusal, "" when there is an answer."""
        notices = (event for event in self.shown if isinstance(event, Notice))
        return next((notice.code for notice in notices if notice.kind is NoticeKind.REFUSAL), "")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question that might be offered. ``parties`` are those that could add something, ``path`` the section it names.

    The editors' own (``is_own``) may name whom they like.
    """

    text: str
    parties: tuple[PartyName, ...] = ()
    path: tuple[str, ...] = ()
    is_own: bool = False


class Room:
    """How many turns of this process may look for follow-ups at once: whoever waits for a first sentence goes first."""

    def __init__(self, most: int = 2) -> None:
        self._free = most

    def enter(self) -> bool:
        """Take a place; False when there is none. Whoever got one leaves."""
        if self._free < 1:
            return False
        self._free -= 1
        return True

    def leave(self) -> None:
        """Give a place back."""
        self._free += 1


class FollowUps:
    """Looks for follow-up questions and for their evidence."""

    def __init__(
        self,
        directory: PartyDirectory,
        settings: PipelineSettings,
        outline: Outline | None = None,
        room: Room | None = None,
    ) -> None:
        self._directory = directory
        self._settings = settings
        self._outline = outline
        self._room = room or Room()

    async def behind(
        self, events: AsyncGenerator[Event, None], ending: Ending, look: Look, turn: TurnClock
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of an answer, and before its end what is offered: nothing of the answer waits for that."""
        shown: tuple[Event, ...] = ()
        async with aclosing(events):
            async for event in events:
                if isinstance(event, Done):
                    with turn.timed("offer"):
                        offer = await self.offer(replace(ending, shown=shown), look)
                    if offer is not None:
                        yield offer
                    yield turn.done(event.outcome)
                else:
                    shown = _kept(shown, event)
                    yield event

    async def offer(self, ending: Ending, look: Look) -> Notice | None:
        """Return the questions to offer, None when there are none; never later than the settings say, never raises.

        ``look`` is the search with its judgment. A process that is busy offers nothing.
        """
        if (ending.refusal and ending.refusal not in _NEAR) or not self._room.enter():
            return None
        found: dict[str, tuple[int, ...]] = {}
        try:
            async with asyncio.timeout(self._settings.offer_seconds):
                await self._collect(ending, look, found)
        except TimeoutError:
            logger.info("The time for follow-ups is over; %d were found.", len(found))
        except Exception as error:
            logger.error("Follow-ups could not be looked for: %s", type(error).__name__)
        finally:
            self._room.leave()
        if not found:
            return None
        chunks = dict.fromkeys(chunk for each in found.values() for chunk in each)
        return Notice(NoticeKind.OFFER, OFFER, choices=tuple(found), evidence=tuple(chunks))

    async def _collect(self, ending: Ending, look: Look, found: dict[str, tuple[int, ...]]) -> None:
        """Put what may be offered into ``found``, as soon as it is known."""
        asked = _asked_before(ending)
        checked = 0
        for candidate in [*self._likely(ending), *await self._neighbours(ending)]:
            key = normalise(candidate.text)
            if len(found) >= self._settings.offers or checked >= self._settings.offers_checked:
                return
            if key in asked or not may_be_offered(candidate.text, ending, self._directory, names=candidate.is_own):
                continue
            asked.add(key)
            checked += 1
            evidence = await self._evidence(candidate, ending, look)
            if evidence:
                found[candidate.text] = evidence

    def _likely(self, ending: Ending) -> Iterator[Candidate]:
        """What a rule brings, then what the other parties say."""
        for text in ending.own:
            yield Candidate(text, is_own=True)
        others = self._others(ending)
        text = about_all_parties(ending.query, ending.language, self._directory) if others else ""
        if text:
            yield Candidate(text, others)

    def _others(self, ending: Ending) -> tuple[PartyName, ...]:
        """The parties that were neither asked about nor heard, where any was: their turn is not a matter of rank."""
        heard = {sentence.group for sentence in ending.sentences} - {""}
        asked = set(ending.understood.parties)
        if not heard and not asked:
            return ()
        return tuple(each for each in self._directory.parties if each not in asked and each.name not in heard)

    async def _neighbours(self, ending: Ending) -> list[Candidate]:
        """The sections that follow what was shown, then those that were found beside it."""
        shown = [(each.source, each.heading_path) for sentence in ending.sentences for each in sentence.citations]
        places = list(dict.fromkeys(shown))[:_SHOWN_SOURCES]
        following = []
        for source, path in places:
            if self._outline is not None and path and self._may_be_named(source, ending):
                following += [(source, each) for each in await self._outline.following(source, path)]
        beside = [
            (each.source, each.heading_path) for each in ending.passages if self._may_be_named(each.source, ending)
        ]
        seen = {path for _, path in shown}
        return [
            Candidate(text, path=path)
            for source, path in dict.fromkeys((*following, *beside))
            if path
            and path not in seen
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
        if reading.verdict.refusal is not None:
            return []
        chosen = choose(reading.evidence, self._settings.sentences_per_party, self._settings)
        fresh = [each for each in chosen if normalise(each.text) not in shown]
        if candidate.path and not any(each.passage.heading_path == candidate.path for each in fresh):
            return []
        return [each.passage.chunk_id for each in fresh]


def may_be_offered(text: str, ending: Ending, directory: PartyDirectory, *, names: bool = False) -> bool:
    """Say whether a question, whoever has worded it, is one that a reader may press.

    It is short, asks for no advice and is no small talk, names no party that was not asked about (unless it may:
    ``names``), and is searched as it stands after this turn.
    """
    if not fits(text) or "?" not in text[-2:]:
        return False
    named = set(directory.named_in(text))
    if not names and (named - set(ending.understood.parties) or len(named) > 1):
        return False
    spoken = [text[mention.start : mention.end] for mention in directory.mentions(text)]
    if route(text, names=spoken, before=ending.query).code:
        return False
    turns = (*ending.past.turns, PastTurn(len(ending.past.turns) + 1, ending.query, ending.query))
    again = rewrite(text, replace(ending.past, turns=turns), directory)
    return again.decision is Decision.SEARCH_AS_IS and again.standalone_query == text


def _kept(shown: Sequence[Event], event: Event) -> tuple[Event, ...]:
    """Return what is shown after one more event: a restart takes back what it does not keep."""
    if not isinstance(event, Restart):
        return (*shown, event)
    sentences = [each for each in shown if isinstance(each, Sentence)][: event.kept]
    return (*(each for each in shown if isinstance(each, Notice)), *sentences)


def _asked_before(ending: Ending) -> set[str]:
    """Everything that was asked or offered in this conversation."""
    turns = (*ending.past.earlier, *ending.past.turns)
    texts = [text for turn in turns for text in (turn.question, turn.query, *turn.offers)]
    return {normalise(text) for text in (*texts, ending.query)}


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
