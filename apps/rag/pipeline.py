"""The answer pipeline: one async generator of typed events, the single source of truth for every consumer."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field, replace

from apps.rag.citations import Fault, Gate
from apps.rag.curated import READ_ON, DeskPart, desk_part, with_curated
from apps.rag.desk import RuleMatch, TextKind
from apps.rag.events import Decided, Done, Event, Failed, Notice, Retrieved, Sentence
from apps.rag.extracting import Draft, choose, draft_answer, draft_comparison
from apps.rag.judging import Reading, passages_of, read_found, refusal_of
from apps.rag.protocols import DeskShelf, Matcher, Offload, Result, Retriever, TermStatistics
from apps.rag.reading import question_coverage, subject_words
from apps.rag.refusal import RefusalCode, only_the_desk, parties_silent, refuse
from apps.rag.retrieving import Retrieval, SearchFailedError, find_all
from apps.rag.routing import small_talk
from apps.rag.settings import PipelineSettings
from apps.rag.signals import signals_of
from apps.rag.types import AnswerContext, Decision, HistoryTurn, NoticeKind, Outcome, Question, SearchFilters
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


class AnswerPipeline:
    """Turns a question into events. Holds no state of a turn: one instance serves many readers at once.

    ``clock`` returns seconds, ``offload`` moves computing off the event loop, ``statistics`` knows the corpus; without
    it, the passages themselves tell which words are rare. ``matcher`` knows the editors' rules, ``shelf`` fetches what
    they link; without them every question is searched.
    """

    def __init__(
        self,
        retriever: Retriever,
        directory: PartyDirectory,
        settings: PipelineSettings,
        *,
        statistics: TermStatistics | None = None,
        matcher: Matcher | None = None,
        shelf: DeskShelf | None = None,
        offload: Offload = run_here,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._retriever = retriever
        self._directory = directory
        self._settings = settings
        self._statistics = statistics
        self._matcher = matcher
        self._shelf = shelf
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
        rule = await self._match([question.text], question, context, turn)
        with turn.timed("route"):
            reply = small_talk(question.text)
        if reply and not (rule and rule.overrides_small_talk):
            yield Decided(Decision.CHAT, question.text, reply, rule and RuleMatch(rule.release))
            yield Notice(NoticeKind.CHAT, reply)
            yield Done(Outcome.CHATTED, dict(turn.timings))
            return
        query = question.text
        with turn.timed("understand"):
            understood = await self._offload(lambda: self._understand(question))
        if rule is not None and not rule.hits:
            rule = await self._match_again(rule, query, understood, question, context, turn)
        decision = Decision.DECOMPOSE if understood.compares else Decision.SEARCH_AS_IS
        yield Decided(decision, query, "several_parties" if understood.compares else "complete", rule)
        with turn.timed("retrieve"):
            retrieval = await find_all(
                understood, context, self._retriever, self._directory, self._settings, rule=rule, shelf=self._shelf
            )
        with turn.timed("judge"):
            readings = await self._read(understood, retrieval)
            desk = desk_part(rule, retrieval.use, retrieval.brought, context.now.date(), understood.language)
        yield self._retrieved(readings, context, rule, retrieval, desk)
        async with aclosing(self._write(readings, understood, retrieval, desk, turn)) as events:
            async for event in events:
                yield event

    async def _match(
        self, texts: Sequence[str], question: Question, context: AnswerContext, turn: _Turn
    ) -> RuleMatch | None:
        """What the rules say; None when there are none to ask. A rule engine that breaks costs no answer."""
        if self._matcher is None:
            return None
        with turn.timed("match"):
            try:
                return await self._matcher.match(texts, question.language, context)
            except Exception as error:
                _log(turn.stage, error)
                return None

    async def _match_again(
        self,
        before: RuleMatch,
        query: str,
        understood: Understanding,
        question: Question,
        context: AnswerContext,
        turn: _Turn,
    ) -> RuleMatch | None:
        """What the rules say to the stand-alone query and the sub-questions, where they are other words."""
        subs = [sub.text for sub in understood.sub_questions]
        texts = [text for text in dict.fromkeys([query, *subs]) if text != question.text]
        if not texts:
            return before
        rule = await self._match(texts, question, context, turn)
        if rule is None or not rule.hits:
            return rule
        return replace(rule, text_kind=TextKind.QUERY if rule.text == query else TextKind.SUB_QUESTION)

    def _understand(self, question: Question) -> Understanding:
        return understand(question.text, question.language, self._directory, at_most=self._settings.parties_compared)

    async def _read(self, understood: Understanding, retrieval: Retrieval) -> list[Reading]:
        language = understood.language
        idf = {}
        if self._statistics is not None:
            terms = [word.stem for word in subject_words(understood.topic, language)]
            idf = dict(await self._statistics.idf(terms, language))
        found = retrieval.found
        passages = [passage for each in found for passage in (*each.desk, *each.passages, *each.elsewhere)]

        def work() -> list[Reading]:
            coverage = question_coverage(understood.topic, language, passages, idf)
            return [
                read_found(each, understood, retrieval.vector, coverage, self._directory, self._settings)
                for each in found
            ]

        return await self._offload(work)

    def _retrieved(
        self,
        readings: Sequence[Reading],
        context: AnswerContext,
        rule: RuleMatch | None,
        retrieval: Retrieval,
        desk: DeskPart,
    ) -> Retrieved:
        passages = passages_of(readings, retrieval.brought)
        filters = SearchFilters(context.now.date(), context.includes_desk, context.party_slugs)
        read = [(reading.evidence, reading.verdict) for reading in readings]
        return Retrieved(passages, signals_of(passages, read, filters, self._settings, rule), desk.use)

    async def _write(
        self,
        readings: Sequence[Reading],
        understood: Understanding,
        retrieval: Retrieval,
        desk: DeskPart,
        turn: _Turn,
    ) -> AsyncGenerator[Event, None]:
        """Yield what the desk says, then the sentences of the sources, or the refusal."""
        if desk.notice:
            yield desk.notice
        refusal = refusal_of(readings, self._settings, retrieval.links, has_rule=retrieval.use is not None)
        with turn.timed("write"):
            chosen = [] if refusal else await self._offload(lambda: drafts_of(readings, understood, self._settings))
        gate = Gate(passages_of(readings, retrieval.brought))
        passed: list[Sentence] = []
        for draft in with_curated(desk.drafts, chosen):
            with turn.timed("verify"):
                sentence = gate.admit(draft)
            if isinstance(sentence, Fault):
                logger.warning("The gate held back a sentence: %s.", sentence.value)
                continue
            passed.append(sentence)
            yield sentence
        if not passed and not desk.notice:
            yield refusal or self._refused(readings, retrieval)
            yield Done(Outcome.REFUSED, dict(turn.timings))
            return
        if not passed and desk.has_sources:
            yield only_the_desk()
        silent = _silent(readings, passed)
        if silent and understood.compares and passed:
            yield parties_silent(silent)
        if retrieval.links:
            yield Notice(NoticeKind.DESK, READ_ON, links=retrieval.links)
        yield Done(Outcome.ANSWERED, dict(turn.timings))

    def _refused(self, readings: Sequence[Reading], retrieval: Retrieval) -> Notice:
        """The refusal when the gate has held back every sentence."""
        return refuse(
            RefusalCode.NOT_ENOUGH,
            passages_of(readings, retrieval.brought),
            at_most=self._settings.passages_nearest,
            links=retrieval.links,
        )


def _silent(readings: Sequence[Reading], passed: Sequence[Sentence]) -> list[str]:
    """The parties that were looked for and say nothing."""
    heard = {sentence.group for sentence in passed}
    asked = [
        reading.found.sub.party.name for reading in readings if reading.found.sub.party and reading.found.was_searched
    ]
    return [name for name in asked if name not in heard]


def drafts_of(readings: Sequence[Reading], understood: Understanding, settings: PipelineSettings) -> list[Draft]:
    """Return the sentences to show, chosen from the readings that suffice."""
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
