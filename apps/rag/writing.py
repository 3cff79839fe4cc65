"""Writes the answer: what the desk says, what a model or the sources say, and what is left to be said at the end."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field

from apps.rag.citations import Fault, Gate
from apps.rag.curated import READ_ON
from apps.rag.events import Done, Event, Notice, Sentence
from apps.rag.generation import Grounding, ModelWriter, Written
from apps.rag.handing import for_a_writer
from apps.rag.judging import passages_of, refusal_of
from apps.rag.parts import Parts, caveats_of, drafts_of, premises_of
from apps.rag.protocols import Offload
from apps.rag.refusal import RefusalCode, cut_short, only_the_desk, refuse
from apps.rag.rewriting.types import PastTurn
from apps.rag.settings import PipelineSettings
from apps.rag.tracing import Drafted, Noted, StageBegan, StageEnded, Trace
from apps.rag.types import NoticeKind, Outcome, Question

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class TurnClock:
    """What one turn gathers: the stage it is in and how long each took, in milliseconds. ``trace`` is told more."""

    clock: Callable[[], float]
    stage: str = "start"
    timings: dict[str, float] = field(default_factory=dict)
    written: Written | None = None
    trace: Trace | None = None
    # What the question leans on; a model cannot know otherwise what "it" is.
    conversation: tuple[PastTurn, ...] = ()

    def note(self, noted: Noted) -> None:
        """Tell the trace, where somebody wants one."""
        if self.trace is not None:
            self.trace.note(noted)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        self.stage = stage
        start = self.clock()
        self.note(StageBegan(stage, start))
        try:
            yield
        finally:
            end = self.clock()
            self.timings[stage] = self.timings.get(stage, 0.0) + (end - start) * 1000
            self.note(StageEnded(stage, start, end))

    def done(self, outcome: Outcome) -> Done:
        """The end of the turn."""
        return Done(outcome, dict(self.timings), self.written.record if self.written else {})


class AnswerWriter:
    """Turns what was judged into the events of an answer. Without a model, or when it does not answer, it quotes."""

    def __init__(self, settings: PipelineSettings, writer: ModelWriter | None, offload: Offload) -> None:
        self._settings = settings
        self._writer = writer
        self._offload = offload

    async def write(self, parts: Parts, question: Question, turn: TurnClock) -> AsyncGenerator[Event, None]:
        """Yield what the desk says, then the sentences of the sources, or the refusal."""
        if parts.notice:
            yield parts.notice
        refusal = refusal_of(parts.readings, self._settings, parts.links, has_rule=parts.use is not None)
        gate = Gate(passages_of(parts.readings, parts.brought))
        passed: list[Sentence] = []
        leading = premises_of(parts)
        async with aclosing(self._sentences(parts, question, gate, passed, turn)) as events:
            async for event in events:
                # What is wrong in the question is said before the sentence that says otherwise, and only beside one.
                while leading and isinstance(event, Sentence):
                    yield leading.pop(0)
                yield event
        if not passed and not parts.notice:
            yield refusal or self._refused(parts)
            yield turn.done(Outcome.REFUSED)
            return
        if not passed and parts.has_desk_sources:
            yield only_the_desk()
        if passed:
            for caveat in caveats_of(parts, passed):
                yield caveat
        if parts.links:
            yield Notice(NoticeKind.DESK, READ_ON, links=parts.links)
        if turn.written and turn.written.is_partial:
            yield cut_short()
        yield turn.done(Outcome.ANSWERED)

    async def _sentences(
        self, parts: Parts, question: Question, gate: Gate, passed: list[Sentence], turn: TurnClock
    ) -> AsyncGenerator[Event, None]:
        """Yield what a model writes, or the sources' own sentences; ``passed`` holds what stands at the end."""
        if self._writer is not None and parts.may_be_written:
            async with aclosing(self._written(self._writer, parts, question, gate, passed, turn)) as events:
                async for event in events:
                    yield event
            if turn.written and turn.written.grounding is not Grounding.FELL_BACK:
                return
        with turn.timed("write"):
            drafts = await self._offload(lambda: drafts_of(parts, self._settings))
        for draft in drafts:
            with turn.timed("verify"):
                sentence = gate.admit(draft)
            turn.note(Drafted(draft.text, 0, sentence if isinstance(sentence, Fault) else None))
            if isinstance(sentence, Fault):
                logger.warning("The gate held back a sentence: %s.", sentence.value)
                continue
            passed.append(sentence)
            yield sentence

    async def _written(
        self,
        writer: ModelWriter,
        parts: Parts,
        question: Question,
        gate: Gate,
        passed: list[Sentence],
        turn: TurnClock,
    ) -> AsyncGenerator[Event, None]:
        """Yield what a model writes from the passages that suffice; ``turn.written`` tells how it ended."""
        enough = [reading for reading in parts.readings if reading.verdict.refusal is None]
        with turn.timed("write"):
            written = writer.write(
                question,
                for_a_writer(enough, parts.brought),
                gate,
                turn.trace,
                turn.conversation,
                parts.parts[0].understood.party_draw,
            )
            async with aclosing(written) as events:
                async for event in events:
                    if isinstance(event, Written):
                        turn.written = event
                        passed.extend(event.sentences)
                    else:
                        yield event

    def _refused(self, parts: Parts) -> Notice:
        """The refusal when the gate has held back every sentence."""
        return refuse(
            RefusalCode.NOT_ENOUGH,
            passages_of(parts.readings, parts.brought),
            at_most=self._settings.passages_nearest,
            links=parts.links,
        )
