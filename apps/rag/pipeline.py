"""The answer pipeline: one async generator of typed events, the single source of truth for every consumer."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field

from apps.rag.attributing import only_about
from apps.rag.citations import Fault, Gate
from apps.rag.events import Decided, Done, Event, Failed, Notice, Retrieved, Sentence
from apps.rag.extracting import Draft, choose, draft_answer, draft_comparison
from apps.rag.protocols import Offload, Result, Retriever, TermStatistics, Vectors
from apps.rag.reading import Evidence, question_coverage, read, subject_words
from apps.rag.refusal import RefusalCode, parties_silent, refuse
from apps.rag.retrieving import Found, SearchFailedError, find_all
from apps.rag.routing import small_talk
from apps.rag.settings import PipelineSettings
from apps.rag.signals import signals_of
from apps.rag.sufficiency import Verdict, judge
from apps.rag.types import (
    AnswerContext,
    Decision,
    HistoryTurn,
    NoticeKind,
    Outcome,
    Passage,
    Question,
    SearchFilters,
)
from apps.rag.understanding import PartyDirectory, Understanding, understand

logger = logging.getLogger(__name__)


async def run_here(work: Callable[[], Result]) -> Result:
    """Run the work at once, on the event loop: for tests and tools with one reader."""
    return work()


@dataclass(slots=True)
class _Turn:
    """What one turn gathers: the stage it is in and how long each took, in milliseconds."""

    clock: Callable[[], float]
    stage: str = "start"
    timings: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        self.stage = stage
        start = self.clock()
        try:
            yield
        finally:
            self.timings[stage] = self.timings.get(stage, 0.0) + (self.clock() - start) * 1000


@dataclass(frozen=True, slots=True)
class _Reading:
    """One sub-question with what was found, read and judged."""

    found: Found
    evidence: Evidence
    verdict: Verdict


class AnswerPipeline:
    """Turns a question into events. Holds no state of a turn: one instance serves many readers at once.

    ``clock`` returns seconds, ``offload`` moves computing off the event loop, ``statistics`` knows the corpus; without
    it, the passages themselves tell which words are rare.
    """

    def __init__(
        self,
        retriever: Retriever,
        directory: PartyDirectory,
        settings: PipelineSettings,
        *,
        statistics: TermStatistics | None = None,
        offload: Offload = run_here,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._retriever = retriever
        self._directory = directory
        self._settings = settings
        self._statistics = statistics
        self._offload = offload
        self._clock = clock

    async def stream(
        self, question: Question, history: Sequence[HistoryTurn], context: AnswerContext
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of one turn; the last is Done or Failed. Raises nothing but cancellation."""
        turn = _Turn(self._clock)
        try:
            async with aclosing(self._answer(question, history, context, turn)) as events:
                async for event in events:
                    yield event
        except SearchFailedError as error:
            _log(turn.stage, error)
            yield Failed("search_down")
        except Exception as error:
            _log(turn.stage, error)
            yield Failed(f"{turn.stage}_failed")

    async def _answer(
        self, question: Question, history: Sequence[HistoryTurn], context: AnswerContext, turn: _Turn
    ) -> AsyncGenerator[Event, None]:
        # The first form reads every question as it stands; the history is for the rewriter.
        with turn.timed("route"):
            reply = small_talk(question.text)
        if reply:
            yield Decided(Decision.CHAT, question.text, reply)
            yield Notice(NoticeKind.CHAT, reply)
            yield Done(Outcome.CHATTED, dict(turn.timings))
            return
        with turn.timed("understand"):
            understood = await self._offload(lambda: self._understand(question))
        decision = Decision.DECOMPOSE if understood.compares else Decision.SEARCH_AS_IS
        yield Decided(decision, question.text, "several_parties" if understood.compares else "complete")
        with turn.timed("retrieve"):
            found, vector = await find_all(understood, context, self._retriever, self._directory, self._settings)
        with turn.timed("judge"):
            readings = await self._read(understood, found, vector)
        yield self._retrieved(readings, context)
        refusal = _refusal(readings, self._settings)
        if refusal:
            yield refusal
            yield Done(Outcome.REFUSED, dict(turn.timings))
            return
        async with aclosing(self._write(readings, understood, turn)) as events:
            async for event in events:
                yield event

    def _understand(self, question: Question) -> Understanding:
        return understand(question.text, question.language, self._directory, at_most=self._settings.parties_compared)

    async def _read(self, understood: Understanding, found: Sequence[Found], vector: Vectors | None) -> list[_Reading]:
        language = understood.language
        idf = {}
        if self._statistics is not None:
            terms = [word.stem for word in subject_words(understood.topic, language)]
            idf = dict(await self._statistics.idf(terms, language))
        passages = [passage for each in found for passage in (*each.passages, *each.elsewhere)]

        def work() -> list[_Reading]:
            coverage = question_coverage(understood.topic, language, passages, idf)
            readings = []
            for each in found:
                best = each.passages[: self._settings.passages_read]
                evidence = read(understood.topic, vector, best, coverage, language, self._settings)
                evidence = only_about(evidence, each.sub.party, self._directory)
                readings.append(_Reading(each, evidence, judge(evidence, self._settings.embedder)))
            return readings

        return await self._offload(work)

    def _retrieved(self, readings: Sequence[_Reading], context: AnswerContext) -> Retrieved:
        passages = _passages(readings)
        filters = SearchFilters(context.now.date(), context.includes_desk, context.party_slugs)
        read = [(reading.evidence, reading.verdict) for reading in readings]
        return Retrieved(passages, signals_of(passages, read, filters, self._settings))

    async def _write(
        self, readings: Sequence[_Reading], understood: Understanding, turn: _Turn
    ) -> AsyncGenerator[Event, None]:
        with turn.timed("write"):
            drafts = await self._offload(lambda: _drafts(readings, understood, self._settings))
        gate = Gate(_passages(readings))
        passed: list[Sentence] = []
        for draft in drafts:
            with turn.timed("verify"):
                sentence = gate.admit(draft)
            if isinstance(sentence, Fault):
                logger.warning("The gate held back a sentence: %s.", sentence.value)
                continue
            passed.append(sentence)
            yield sentence
        if not passed:
            yield refuse(RefusalCode.NOT_ENOUGH, _passages(readings), at_most=self._settings.passages_nearest)
            yield Done(Outcome.REFUSED, dict(turn.timings))
            return
        heard = {sentence.group for sentence in passed}
        silent = [sub.party.name for sub in understood.sub_questions if sub.party and sub.party.name not in heard]
        if silent and understood.compares:
            yield parties_silent(silent)
        yield Done(Outcome.ANSWERED, dict(turn.timings))


def _passages(readings: Sequence[_Reading]) -> tuple[Passage, ...]:
    """Every passage once, the first of each sub-question before the second of any."""
    longest = max((len(reading.found.passages) for reading in readings), default=0)
    ordered = (
        reading.found.passages[place]
        for place in range(longest)
        for reading in readings
        if place < len(reading.found.passages)
    )
    return tuple({passage.chunk_id: passage for passage in ordered}.values())


def _refusal(readings: Sequence[_Reading], settings: PipelineSettings) -> Notice | None:
    """The refusal when no sub-question has evidence."""
    if any(reading.verdict.refusal is None for reading in readings):
        return None
    names = [reading.found.sub.party.name for reading in readings if reading.found.sub.party]
    nearest = [*_passages(readings), *(each for reading in readings for each in reading.found.elsewhere)]
    if not nearest:
        code = RefusalCode.WRONG_PARTY if names else RefusalCode.EMPTY_CORPUS
    elif names and not _passages(readings):
        code = RefusalCode.WRONG_PARTY
    elif all(reading.verdict.refusal is RefusalCode.OFF_TOPIC for reading in readings):
        code = RefusalCode.OFF_TOPIC
    else:
        code = RefusalCode.NOT_ENOUGH
    return refuse(code, nearest, at_most=settings.passages_nearest, subjects=names)


def _drafts(readings: Sequence[_Reading], understood: Understanding, settings: PipelineSettings) -> list[Draft]:
    limit = settings.sentences_per_party if understood.compares else settings.sentences
    chosen = [choose(reading.evidence, limit, settings) for reading in readings if reading.verdict.refusal is None]
    if understood.compares:
        return draft_comparison(chosen, settings)
    return draft_answer(chosen[0], settings) if chosen else []


def _log(stage: str, error: BaseException) -> None:
    """Log where it broke. The message of an exception may quote the reader or the query, so it stays out."""
    lines: list[str] = []
    current: BaseException | None = error
    while current is not None and len(lines) < 10:
        lines.append(type(current).__name__ + "\n" + "".join(traceback.format_tb(current.__traceback__)))
        inner = current.exceptions[0] if isinstance(current, BaseExceptionGroup) else None
        current = inner or current.__cause__ or current.__context__
    logger.error("The answer broke in stage %s: %s", stage, "caused by ".join(lines))
