"""The answer pipeline: one async generator of typed events, the single source of truth for every consumer."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import date
from functools import partial

from apps.rag.asking import asked_back
from apps.rag.breaking import log_breakage
from apps.rag.curated import desk_part
from apps.rag.desk import RuleMatch, TextKind
from apps.rag.events import Done, Event, Failed, Notice, decided
from apps.rag.followups import Ending, FollowUps
from apps.rag.generation import ModelWriter
from apps.rag.judging import Reading, read_found
from apps.rag.parts import Part, Parts, rule_for
from apps.rag.protocols import DeskShelf, Matcher, Offload, Result, Retriever, Rewriter, TermStatistics
from apps.rag.reading import question_coverage, subject_words
from apps.rag.replying import reply_route
from apps.rag.requerying import Requerier, Requery
from apps.rag.retrieving import Retrieval, SearchFailedError, find_all
from apps.rag.rewriting.accepting import evidence_of
from apps.rag.rewriting.history import context_of, turns_leaned_on
from apps.rag.rewriting.making import as_built
from apps.rag.rewriting.rules import RuleRewriter
from apps.rag.rewriting.types import CANNOT_WIDEN, Rewriting
from apps.rag.settings import PipelineSettings
from apps.rag.signals import retrieved
from apps.rag.tracing import Judged, Trace, Understood
from apps.rag.types import AnswerContext, Decision, HistoryTurn, NoticeKind, Outcome, Question
from apps.rag.understanding import PartyDirectory, Understanding, understand
from apps.rag.wishes import without_wishes
from apps.rag.writing import AnswerWriter, TurnClock

logger = logging.getLogger(__name__)


async def run_here(work: Callable[[], Result]) -> Result:
    """Run the work at once, on the event loop: for tests and tools with one reader."""
    return work()


class AnswerPipeline:
    """Turns a question into events. Holds no state of a turn: one instance serves many readers at once.

    ``clock`` returns seconds, ``offload`` moves computing off the event loop, ``statistics`` knows the corpus; without
    it, the passages themselves tell which words are rare. ``matcher`` knows the editors' rules, ``shelf`` fetches what
    they link; without them every question is searched. ``rewriter`` makes questions stand alone; the default needs no
    model. ``writer`` lets a model write; without it, or when it does not answer, sentences are quoted. ``versions``
    name what the answers are made with, for the record. ``election_day`` is what "nach der Wahl" is counted from.
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
        rewriter: Rewriter | None = None,
        writer: ModelWriter | None = None,
        follow_ups: FollowUps | None = None,
        offload: Offload = run_here,
        clock: Callable[[], float] = time.perf_counter,
        versions: Mapping[str, str] | None = None,
        election_day: date | None = None,
    ) -> None:
        self._retriever = retriever
        self._directory = directory
        self._settings = settings
        self._statistics = statistics
        self._matcher = matcher
        self._shelf = shelf
        self._rewriter = rewriter or RuleRewriter(offload)
        self._answer_writer = AnswerWriter(settings, writer, offload)
        self._follow_ups = follow_ups or FollowUps(directory, settings)
        self._requerier = Requerier(retriever, directory, settings, offload)
        self._offload = offload
        self._clock = clock
        self._versions = dict(versions or {})
        self._election_day = election_day

    async def stream(
        self,
        question: Question,
        history: Sequence[HistoryTurn],
        context: AnswerContext,
        trace: Trace | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of one turn; the last is Done or Failed. Raises nothing but cancellation.

        ``trace`` is told what the events do not carry.
        """
        turn = TurnClock(self._clock, trace=trace)
        try:
            async with aclosing(self._answer(question, history, context, turn)) as events:
                async for event in events:
                    yield event
        except SearchFailedError as error:
            log_breakage(turn.stage, error)
            yield Failed("search_down", self._versions)
        except Exception as error:
            log_breakage(turn.stage, error)
            yield Failed(f"{turn.stage}_failed", self._versions)

    async def _answer(
        self, question: Question, history: Sequence[HistoryTurn], context: AnswerContext, turn: TurnClock
    ) -> AsyncGenerator[Event, None]:
        rule = await self._match([question.text], question, context, turn)
        named = rule is not None and rule.names_the_question
        asked = without_wishes(question.text, question.language)
        versions = {**self._versions, **({"release": str(rule.release)} if rule else {})}
        past = context_of(
            history, question.language, context, self._directory, turns=self._settings.turns, versions=versions
        )
        turn.note(past)
        with turn.timed("rewrite"):
            rewriting = await self._rewriter.rewrite(asked, past, self._directory)
            if context.sub_queries and not named:
                rewriting = as_built(question.text, context.sub_queries)
        if rewriting.decision is Decision.SEARCH_AS_IS and asked != question.text:
            rewriting = replace(rewriting, decision=Decision.REWRITE, reason="wishes_left_out")
        with turn.timed("route"):
            reply = await self._offload(lambda: reply_route(question, history, rewriting, self._directory))
        turn.note(reply)
        if reply.code and not named:
            chatted = Rewriting(Decision.CHAT, question.text, reply.code)
            yield decided(chatted, rule and RuleMatch(rule.release), self._versions)
            yield Notice(NoticeKind.CHAT, reply.code)
            yield Done(Outcome.CHATTED, dict(turn.timings))
            return
        rewriting = asked_back(rewriting, question, self._directory, is_complete=named, context=context)
        if rewriting.decision is Decision.CLARIFY:
            yield decided(rewriting, rule and RuleMatch(rule.release), self._versions)
            yield Notice(NoticeKind.CLARIFICATION, rewriting.reason, choices=rewriting.choices)
            yield Done(Outcome.CLARIFIED, dict(turn.timings))
            return
        turn.conversation = turns_leaned_on(rewriting, past)
        queries = rewriting.sub_queries or (rewriting.standalone_query,)
        with turn.timed("understand"):
            understood = await self._offload(
                lambda: [self._understand(query, question.language, context) for query in queries]
            )
        turn.note(Understood(tuple(zip(queries, understood, strict=True))))
        if rule is not None and not rule.hits:
            rule = await self._match_again(rule, rewriting, understood, question, context, turn)
        if rewriting.decision is Decision.SEARCH_AS_IS and understood[0].compares:
            rewriting = replace(rewriting, decision=Decision.DECOMPOSE, reason="several_parties")
        yield decided(rewriting, rule, self._versions, understood)
        earlier = evidence_of(question.text, rewriting, past)
        with turn.timed("retrieve"):
            retrievals = await self._retrieve(queries, understood, context, rule, earlier)
        parts, requery = await self._judge(queries, understood, retrievals, rule, context, turn)
        yield retrieved(parts, requery, rule, context, self._settings)
        if rewriting.reason == CANNOT_WIDEN:
            yield Notice(NoticeKind.CAVEAT, CANNOT_WIDEN)
        writing = self._answer_writer.write(parts, question, turn)
        if context.wants_offers:
            own = rule.follow_ups if rule else ()
            ending = Ending(queries[0], question.language, past, understood[0], parts.passages, own=own)
            writing = self._follow_ups.behind(writing, ending, partial(self._look, context), turn)
        async with aclosing(writing) as events:
            async for event in events:
                yield event

    async def _look(self, context: AnswerContext, understood: Understanding) -> list[Reading]:
        """Search and judge as for a question that somebody asks, without the rules."""
        found = await find_all(understood, context, self._retriever, self._directory, self._settings)
        return await self._read(understood, found)

    async def _match(
        self, texts: Sequence[str], question: Question, context: AnswerContext, turn: TurnClock
    ) -> RuleMatch | None:
        """What the rules say; None when there are none to ask. A rule engine that breaks costs no answer."""
        if self._matcher is None:
            return None
        with turn.timed("match"):
            try:
                return await self._matcher.match(texts, question.language, context)
            except Exception as error:
                log_breakage(turn.stage, error)
                return None

    async def _match_again(
        self,
        before: RuleMatch,
        rewriting: Rewriting,
        understood: Sequence[Understanding],
        question: Question,
        context: AnswerContext,
        turn: TurnClock,
    ) -> RuleMatch | None:
        """What the rules say to the stand-alone query and the sub-questions, where they are other words."""
        query = rewriting.standalone_query
        subs = [sub.text for each in understood for sub in each.sub_questions]
        texts = [text for text in dict.fromkeys([query, *rewriting.sub_queries, *subs]) if text != question.text]
        if not texts:
            return before
        rule = await self._match(texts, question, context, turn)
        if rule is None or not rule.hits:
            return rule
        return replace(rule, text_kind=TextKind.QUERY if rule.text == query else TextKind.SUB_QUESTION)

    def _understand(self, query: str, language: str, context: AnswerContext) -> Understanding:
        return understand(
            query,
            language,
            self._directory,
            at_most=self._settings.parties_compared,
            now=context.now,
            election_day=self._election_day,
            party_draw=context.party_draw,
        )

    async def _retrieve(
        self,
        queries: Sequence[str],
        understood: Sequence[Understanding],
        context: AnswerContext,
        rule: RuleMatch | None,
        earlier: tuple[int, ...],
    ) -> list[Retrieval]:
        """Search for every part at the same time. A rule that matched one part leaves the others as they are."""
        work = [
            find_all(
                each,
                context,
                self._retriever,
                self._directory,
                self._settings,
                rule=rule_for(rule, query, each, is_first=place == 0),
                shelf=self._shelf,
                earlier=earlier,
            )
            for place, (query, each) in enumerate(zip(queries, understood, strict=True))
        ]
        if len(work) == 1:
            return [await work[0]]
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(each) for each in work]
        except ExceptionGroup as error:
            raise SearchFailedError from error
        return [task.result() for task in tasks]

    async def _judge(
        self,
        queries: Sequence[str],
        understood: Sequence[Understanding],
        retrievals: Sequence[Retrieval],
        rule: RuleMatch | None,
        context: AnswerContext,
        turn: TurnClock,
    ) -> tuple[Parts, Requery | None]:
        """Read and judge every part, then search once more for what is missing."""
        parts = []
        with turn.timed("judge"):
            for place, (query, each, found) in enumerate(zip(queries, understood, retrievals, strict=True)):
                readings = await self._read(each, found)
                own = rule_for(rule, query, each, is_first=place == 0)
                desk = desk_part(own, found.use, found.brought, context.now.date(), each.language)
                parts.append(Part(query, each, found, tuple(readings), desk))
        with turn.timed("requery"):
            complete, requery = await self._requerier.complete(Parts(tuple(parts)), context, self._read)
        turn.note(Judged(complete))
        return complete, requery

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
